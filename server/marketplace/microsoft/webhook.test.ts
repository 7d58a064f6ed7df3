/** Signing keys and issuers that differ from the authority. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { startMarketplacePeer } from '#test/support/microsoft-marketplace.ts'
import { quietLog } from '#test/support/seed.ts'
import { createMicrosoftMarketplace } from './marketplace.ts'

test('webhook calls are verified with the configured keys and issuers only', async () => {
  await using peer = await startMarketplacePeer()
  const nowhere = 'http://127.0.0.1:1'
  const keysUrl = `http://127.0.0.1:${peer.port}/published/keys`
  const issuers = ['https://one.example/', 'https://two.example/v2.0']
  const options = { ...peer, apiUrl: nowhere, authorityUrl: nowhere, keysUrl, issuers }
  const { verifyAndParse } = createMicrosoftMarketplace(options, quietLog)
  const body = { id: peer.tenantId, subscriptionId: peer.clientId, action: 'Renew' }
  const call = async (claims: object) =>
    await verifyAndParse(`Bearer ${await peer.sign({ claims: { ...claims } })}`, body, AbortSignal.timeout(5_000))

  for (const iss of issuers) assert.equal((await call({ iss })).kind, 'renewed')
  assert.deepEqual(
    (await peer.calls('keys')).map(({ path }) => path),
    ['/published/keys'],
  )
  for (const claims of [{}, { iss: 'https://one.example' }, { iss: `${nowhere}/${peer.tenantId}/v2.0` }]) {
    await assert.rejects(call(claims), (error) => error instanceof AppError && error.code === 'unauthenticated')
  }
})
