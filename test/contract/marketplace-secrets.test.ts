/** Client secret and marketplace tokens appear in no log line and no response. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signUpPerson } from '#test/support/auth-client.ts'
import { activate, enter, live, resolve } from '#test/support/marketplace-client.ts'
import { request } from '#test/support/raw-http.ts'

/** Checks parts of a secret too. */
function assertNowhere(text: string, secrets: string[]): void {
  for (const secret of secrets) {
    for (let i = 0; i + 12 <= secret.length; i++) {
      assert.ok(!text.includes(secret.slice(i, i + 12)), `part of a secret is shown: ${secret.slice(i, i + 12)}`)
    }
  }
}

test('no secret is logged at trace level, in success or failure', async () => {
  const stage = await enter(null, { DOCVET_LOG_LEVEL: 'trace' })
  const { peer, service } = stage
  const { port } = service
  const answers: string[] = []
  const secrets = [peer.clientSecret]
  try {
    const { cookie } = await signUpPerson(port)
    const { id, token } = await peer.sell()
    secrets.push(token, encodeURIComponent(token))
    const failing = [
      { status: 400, body: `{"message":"${token}"}` },
      { status: 302, headers: { location: `/${token}` } },
    ]
    for (const fault of [...failing, { status: 200, body: token }, { drop: true }]) {
      await peer.faults('resolve', fault)
      answers.push((await resolve(port, cookie, token)).body)
    }
    await peer.faults('token', { status: 401, body: `{"error_description":"${peer.clientSecret}"}` })
    await peer.expireTokens()
    answers.push((await resolve(port, cookie, token)).body, (await resolve(port, cookie, token)).body)
    answers.push((await activate(port, cookie, id)).body, (await live(port, cookie)).body)

    const operation = await peer.operate({ subscriptionId: id, action: 'Suspend', status: 'Succeeded' })
    const good = await peer.sign()
    const wrong = await peer.sign({ claims: { aud: 'somebody else' } })
    for (const signed of [good, wrong]) {
      secrets.push(signed.split('.')[2] ?? '')
      const headers = { authorization: `Bearer ${signed}` }
      answers.push((await request(port, 'POST', '/api/v1/marketplace/webhook', { headers, body: operation })).body)
    }
    const publisher = (await peer.calls('resolve')).map(
      ({ headers }) => headers.authorization?.replace('Bearer ', '') ?? '',
    )
    assert.ok(publisher.every((each) => each.length > 20))
    secrets.push(...new Set(publisher))
    await service.stop()
    assert.match(service.output(), /Called the marketplace/, 'the calls themselves are logged')
    assert.match(service.output(), /"correlationId":"[0-9a-f-]{36}"/)
    assertNowhere(service.output(), secrets)
    assertNowhere(answers.join('\n'), secrets)
  } finally {
    await stage.leave()
  }
})
