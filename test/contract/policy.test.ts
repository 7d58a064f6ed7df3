/** DOCVET_POLICY: what it changes in scans, reports and health. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { macroDocument } from '#inspect/testing/vba-writer.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { withKey } from '#test/support/client.ts'
import { assertNothingInternal } from '#test/support/problem.ts'
import { type Answer, request } from '#test/support/raw-http.ts'
import { assertClean, assertInfected, type ScanService, scanned, startScanService } from '#test/support/scanning.ts'
import { temporaryFolder } from '#test/support/service.ts'

const POLL_MS = 100
const MACRO = macroDocument('Sub Report()\r\nMsgBox "Done"\r\nEnd Sub\r\n')
const AUTO_MACRO = macroDocument('Sub AutoOpen()\r\nMsgBox "Done"\r\nEnd Sub\r\n')
const SHORTCUT = Buffer.concat([
  Buffer.from('4c0000000114020000000000c000000000000046', 'hex'),
  Buffer.alloc(60),
  Buffer.from('calc.exe'),
])
const PROGRAM_LINK = writeZip([{ name: 'a.lnk', data: SHORTCUT }])
const BEFORE = Buffer.concat([Buffer.from('junk before'), writeZip([{ name: 'a.txt', data: 'Dear reader' }])])
const LOCKED = lockAgile(docx(), { password: 'secret' })
const POLICY = JSON.stringify({
  'macros.auto': 'block',
  'Docvet.Embedded.Shortcut': 'allow',
  shortcuts: 'allow',
  'Docvet.Zip.DataBefore': 'block',
  encrypted: 'block',
})

const folder = temporaryFolder('policy')
const file = path.join(folder, 'policy.json')
const rules = path.join(folder, 'rules')
let service: ScanService
let key: string
before(async () => {
  writeFileSync(file, POLICY)
  mkdirSync(rules)
  for (const name of ['b.yar', 'a.yara'])
    writeFileSync(path.join(rules, name), `rule ${name[0]} { strings: $a = "Ärger with ${name}" condition: $a }\n`)
  service = await startScanService({
    ...{ DOCVET_POLICY: file, DOCVET_RULES_DIR: rules, DOCVET_ADDRESS_RATE_PER_MINUTE: '1000' },
  })
  key = await service.newKey()
})
after(async () => {
  await service[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

interface Health {
  policy?: string
  engines: { detail: string }[]
}
const health = async () => {
  const answer = await request(service.port, 'GET', '/api/v1/health')
  assert.equal(answer.status, 200, answer.body)
  assertNothingInternal(answer.body)
  return answer.json() as Health
}
const findingsOf = async (answer: Answer) => {
  const { scanId } = scanned(answer)
  const report = await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })
  return (report.json() as { findings: { id: string; severity: string; detail: string | null }[] }).findings
}
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

/** Waits until health says so. */
async function change(text: string, isSeen: (said: Health) => boolean): Promise<Health> {
  writeFileSync(file, text)
  for (;;) {
    const said = await health()
    if (isSeen(said)) return said
    await sleep(POLL_MS)
  }
}

describe('the actions', () => {
  test('block: the finding is the threat', async () => {
    assertClean(await service.scan(key, MACRO))
    const answer = await service.scan(key, AUTO_MACRO)
    assertInfected(answer, 'Docvet.Vba.AutoStart')
    const [first] = await findingsOf(answer)
    assert.deepEqual([first?.id, first?.severity], ['Docvet.Vba.AutoStart', 'malicious'])
    const query = `/api/v1/scans?status=infected&threat=Docvet.Vba.AutoStart`
    const list = (await request(service.port, 'GET', query, { headers: withKey(key) })).json() as { items: unknown[] }
    assert.equal(list.items.length, 1)
    assertInfected(await service.scan(key, BEFORE), 'Docvet.Zip.DataBefore')
  })

  test('allow: the document is clean, and the report says that the policy allows it', async () => {
    const answer = await service.scan(key, PROGRAM_LINK)
    assertClean(answer)
    const found = (await findingsOf(answer)).find(({ id }) => id === 'Docvet.Embedded.Shortcut')
    assert.equal(found?.severity, 'notice')
    assert.match(found?.detail ?? '', /^Allowed by the policy of the operator/)
  })

  test('an encrypted document is infected with block', async () => {
    assertInfected(await service.scan(key, LOCKED), 'Docvet.Unscannable.Encrypted')
  })

  test('the test file and other threats stay', async () => {
    assertInfected(await service.scan(key, EICAR), 'Docvet.Test.Eicar')
    const both = writeZip([
      { name: 'a.lnk', data: SHORTCUT },
      { name: 'e.txt', data: EICAR },
    ])
    assertInfected(await service.scan(key, both), 'Docvet.Test.Eicar')
  })
})

test('a receipt names the policy and the rules in force, as sha256sum does', async () => {
  const { scanId } = assertClean(await service.scan(key, 'Dear reader'))
  const answer = await request(service.port, 'GET', `/api/v1/scans/${scanId}/receipt`, { headers: withKey(key) })
  const { payload } = answer.json() as { payload: string }
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString())
  const command = 'LC_ALL=C; export LC_ALL; sha256sum *.yar *.yara | sort -k 2 | sha256sum'
  const [expected] = execFileSync('sh', ['-c', command], { cwd: rules, encoding: 'utf8' }).split(' ')
  assert.deepEqual([predicate.policy, predicate.rules], [hash(POLICY), expected])
})

describe('a change of the file', () => {
  test('that is broken leaves the policy in force and is shown in health; a valid one replaces it', async () => {
    assert.equal((await health()).policy, hash(POLICY))
    const broken = await change('{"macros": "hunter2"}', ({ engines }) => /policy not/.test(engines[0]?.detail ?? ''))
    assert.match(broken.engines[0]?.detail ?? '', /; policy not in use: the file is invalid, see the log$/)
    assert.equal(broken.policy, hash(POLICY))
    assertInfected(await service.scan(key, AUTO_MACRO), 'Docvet.Vba.AutoStart')

    const text = '{"macros.auto": "notice", "Docvet.Zip.DataBefore": "suspicious"}'
    const changed = await change(text, ({ policy }) => policy === hash(text))
    assert.doesNotMatch(changed.engines[0]?.detail ?? '', /policy/)
    assertClean(await service.scan(key, AUTO_MACRO))
    assertClean(await service.scan(key, BEFORE))
    assertInfected(await service.scan(key, PROGRAM_LINK), /^Docvet\./)
    assert.equal((await service.scan(key, LOCKED)).status, 422)
  })
})
