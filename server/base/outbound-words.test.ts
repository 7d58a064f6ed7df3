import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureWord } from './outbound-words.ts'

test('codes of failed connections have words', () => {
  const WORDS: [string, string][] = [
    ['ENOTFOUND', 'host name not found'],
    ['ESERVFAIL', 'host name not found'],
    ['ECONNREFUSED', 'connection refused'],
    ['EHOSTUNREACH', 'host unreachable'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'invalid certificate'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'invalid certificate'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'invalid certificate'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'no TLS connection'],
    ['EPROTO', 'no TLS connection'],
    ['ECONNRESET', 'connection closed'],
    ['EMFILE', 'connection failed'],
  ]
  for (const [why, word] of WORDS) assert.equal(failureWord({ kind: 'broken', why, responseBegan: false }), word)
  assert.equal(failureWord({ kind: 'late', responseBegan: true }), 'no response in time')
  assert.equal(failureWord({ kind: 'invalid', why: 'not HTTP' }), 'a response that is not HTTP')
  assert.equal(failureWord({ kind: 'refused', isForm: false, why: 'x' }), 'URL not allowed')
})
