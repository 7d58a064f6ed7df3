/** Host names under which protected pages are available. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refuseForeignHost } from './same-origin.ts'

const allows = (host: string | undefined): boolean => {
  try {
    refuseForeignHost({ host }, 'https://docvet.example')
    return true
  } catch {
    return false
  }
}

test('accepts the public host and loopback with any port, and no lookalikes', () => {
  for (const host of ['docvet.example', 'DOCVET.example:8080', 'localhost', '127.0.0.1:8080', '127.1.2.3', '[::1]:1']) {
    assert.equal(allows(host), true, host)
  }
  const others = [
    'evil.example',
    'docvet.example.evil',
    'localhost.evil',
    'x-docvet.example',
    '[::2]',
    '10.0.0.1',
    'a b',
  ]
  for (const host of [...others, '', undefined]) assert.equal(allows(host), false, host)
})
