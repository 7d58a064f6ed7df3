/** Whether a key with addresses may give another key its addresses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '#base/principal.ts'
import { limitsFor } from './key-limits.ts'

const WITHIN: readonly [string, string][] = [
  ['0.0.0.0/0', '198.51.100.7'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['10.0.0.0/8', '10.255.255.255'],
  ['10.0.0.0/8', '::ffff:10.0.0.0/104'],
  ['10.0.0.0/8', '::ffff:a01:203'],
  ['2001:db8::/32', '2001:db8:1::/48'],
]

/** The given network has an address that the key itself is not accepted from. */
const BEYOND: readonly [string, string][] = [
  ['10.0.0.0/8', '10.0.0.0/7'],
  ['10.0.0.0/8', '11.0.0.0'],
  ['10.0.0.0/8', '2001:db8::1'],
  ['::/0', '10.0.0.1'],
  // Wider than all of IPv4, so that these are networks of IPv6.
  ['10.0.0.0/8', '::ffff:10.0.0.0/9'],
  ['10.0.0.0/8', '::ffff:10.0.0.0/95'],
  ['0.0.0.0/0', '::ffff:0:0/0'],
  ['0.0.0.0/0', '::ffff:0:0/95'],
  ['0.0.0.0/0', '::/0'],
  ['2001:db8::/32', '2001:db8::/31'],
]

const give = (bound: string, network: string) => {
  const key = { kind: 'key', keyId: 'x', accountId: 'x', plan: 'free', limits: { allowedAddresses: [bound] } }
  return limitsFor(key as unknown as Principal, { allowedAddresses: [network] })
}

for (const [bound, network] of WITHIN)
  test(`a key for ${bound} may create one for ${network}`, () => {
    assert.equal(give(bound, network).allowedAddresses?.length, 1)
  })
for (const [bound, network] of BEYOND)
  test(`a key for ${bound} may not create one for ${network}`, () => {
    assert.throws(() => give(bound, network), { code: 'key_scope' })
  })
