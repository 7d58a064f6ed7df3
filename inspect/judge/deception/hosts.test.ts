import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hostingOf, isShortLived } from './hosts.ts'

test('hosts that are given up soon, up to the longest name', () => {
  for (const host of ['a.top', 'quiet-river.trycloudflare.com', 'a.duckdns.org', 'ab.ngrok-free.app', 'ipfs.io'])
    assert.equal(isShortLived(`https://${host}/a`), true, host)
  for (const host of [
    'example.com',
    'trycloudflare.example',
    'a.blob.core.windows.net',
    'a.web.app',
    'bit.ly',
    '10.0.0.5',
  ])
    assert.equal(isShortLived(`https://${host}/a`), false, host)
  const long = (length: number): string => `http://${'a'.repeat(length - 4)}.top/`
  assert.equal(isShortLived(long(253)), true)
  assert.equal(isShortLived(long(254)), false)
  assert.equal(isShortLived('not an address'), false)
})

test('the site of a host is that of its company, and names below it are those of anybody', () => {
  const kindOf = (host: string) => hostingOf(new URL(`https://${host}/`))
  for (const host of ['www.wordpress.com', 'www.no-ip.com']) assert.equal(kindOf(host), null, host)
  assert.deepEqual(['wwww.wordpress.com', 'www.notes.wordpress.com', 'wordpress.com', 'www.bit.ly'].map(kindOf), [
    'tunnel',
    'tunnel',
    'tunnel',
    'shortener',
  ])
})
