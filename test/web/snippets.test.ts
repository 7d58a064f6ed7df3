/** The examples of the overview are in the languages of README. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { snippets } from '#web/src/pages/overview/snippets.ts'

const ORIGIN = 'https://docvet.example'

test('each language of README, in its order, with the URL of this server', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const programs = readme.matchAll(/\[([^\]]+)\]\(server\/http\/docs\/examples\//g)
  const shown = snippets(ORIGIN)
  assert.deepEqual(
    shown.map(({ title }) => title),
    Array.from(programs, ([, language]) => language),
  )
  for (const { title, code } of shown)
    assert.ok(code.includes(/client/.test(title) ? ORIGIN : `${ORIGIN}/api/v1/scan`), title)
})
