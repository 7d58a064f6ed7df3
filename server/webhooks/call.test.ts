/** Endpoints that have been stored, and lead to a forbidden address when they are called. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOutboundHttp } from '#base/outbound-http.ts'
import { createOutboundRules } from '#base/outbound-rules.ts'
import { ADDRESSES, FORBIDDEN_URLS } from '#test/support/forbidden-urls.ts'
import { createCall } from './call.ts'

async function errorOf(url: string, address: string): Promise<string | null> {
  const resolve = async () => [{ address, family: address.includes(':') ? 6 : 4 }]
  const http = createOutboundHttp({ rules: createOutboundRules([], resolve) })
  const answer = await createCall(http)({ id: 'a', url, body: '{}', keys: [] }, new AbortController().signal)
  http.close()
  return answer.error
}

for (const address of ADDRESSES)
  test(`a callback to a name that leads to ${address} by then is not sent`, async () => {
    assert.equal(await errorOf('https://hooks.example.com/', address), 'URL not allowed')
  })

for (const url of FORBIDDEN_URLS)
  test(`a callback to ${url} is not sent`, async () => assert.equal(await errorOf(url, '1.1.1.1'), 'URL not allowed'))
