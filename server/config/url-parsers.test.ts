import assert from 'node:assert/strict'
import { test } from 'node:test'
import { postgresUrl, redisUrl, smtpUrl } from './url-parsers.ts'

const ENCODE = 'write it percent-encoded'
for (const [parser, text, wrong] of [
  [postgresUrl, 'postgres://ada:pa/ss@db/d', `the user or password has a /: ${ENCODE}, as %2F`],
  [postgresUrl, 'postgres://ada:1/ss@db/d', `the user or password has a /: ${ENCODE}, as %2F`],
  [postgresUrl, 'postgres://ada:pa?ss@db/d', `the user or password has a ?: ${ENCODE}, as %3F`],
  [postgresUrl, 'postgres://ada:pa#ss@db/d', `the user or password has a #: ${ENCODE}, as %23`],
  [postgresUrl, 'postgres://ada:1#ss@db/d', `the user or password has a #: ${ENCODE}, as %23`],
  [postgresUrl, 'postgres://ada:pass@db/d#x', `the database has a #: ${ENCODE}, as %23`],
  [postgresUrl, 'postgres://db/d?x=#x', `the query has a #: ${ENCODE}, as %23`],
  [
    postgresUrl,
    'postgres://ada:pa%ss@db/d',
    'the user or password has a % that does not begin a percent-encoded character',
  ],
  [postgresUrl, 'postgres://ada:pass@db/d%', 'the database has a % that does not begin a percent-encoded character'],
  [postgresUrl, 'postgres://ada:pa ss@db/d', 'the user or password has white space or control characters'],
  [postgresUrl, 'postgres://ada:pass@d b/d', 'the host has white space or control characters'],
  [postgresUrl, 'postgres://db/d\n', 'the database has white space or control characters'],
  [postgresUrl, 'postgres://ada:pass@db:99999/d', 'the port is not a number up to 65535'],
  [postgresUrl, 'postgres://ada:pass@db:x/d', 'the port is not a number up to 65535'],
  [postgresUrl, 'postgres://ada:hunter2', 'the port is not a number up to 65535'],
  [postgresUrl, 'postgres://ada:pass@2001:db8::1/d', 'the host is an IPv6 address without brackets'],
  [postgresUrl, 'postgres://ada:pass@[::1/d', 'the host is not valid'],
  [postgresUrl, 'postgres://ada:pass@a|b/d', 'the host is not valid'],
  [redisUrl, 'redis://:pa#ss@cache/0', `the user or password has a #: ${ENCODE}, as %23`],
  [redisUrl, 'redis://cache:x/0', 'the port is not a number up to 65535'],
  [smtpUrl, 'smtp://ada:pa/ss@mail', `the user or password has a /: ${ENCODE}, as %2F`],
] as const)
  test(`says which part of ${JSON.stringify(text)} is wrong`, () => assert.deepEqual(parser.parse(text), { wrong }))

for (const text of [
  'postgres://ada:p@ss@db/d',
  'postgres://ada:pass@db:65535/d?application_name=a@b',
  'postgres://db/d?user=a@b.example',
  'postgres://[2001:db8::1]:5432/d',
])
  test(`accepts ${text}`, () => assert.deepEqual(postgresUrl.parse(text), { value: text }))
