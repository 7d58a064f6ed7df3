/** Reports in plain words. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { kindOf } from '#web/src/kinds.ts'
import { isUsedUp, reasonOf } from '#web/src/scan/reason.ts'
import { effectsOf } from '#web/src/verdict/effects.ts'
import { messageOf } from '#web/src/verdict/message.ts'
import { reasonOf as reasonOfReport } from '#web/src/verdict/obstacles.ts'
import { outcomeOf } from '#web/src/verdict/outcome.ts'

describe('the test file has a tone of its own, and nothing else has it', () => {
  const ROWS: [status: 'clean' | 'infected' | null, threat: string | null, fileSize: number, outcome: string][] = [
    ['infected', 'Docvet.Test.Eicar', 68, 'test'],
    ['infected', 'Docvet.Test.Eicar', 128, 'test'],
    ['infected', 'Docvet.Test.Eicar', 129, 'infected'],
    ['infected', 'Win.Test.EICAR_HDB-1', 68, 'test'],
    ['infected', 'Docvet.Script.Program', 68, 'infected'],
    ['infected', null, 68, 'infected'],
    ['clean', null, 68, 'clean'],
    [null, null, 68, 'none'],
  ]
  for (const [status, threat, fileSize, outcome] of ROWS)
    test(`${status} ${threat} ${fileSize}: ${outcome}`, () => {
      assert.equal(outcomeOf({ status, threat, fileSize }), outcome)
    })
})

describe('a scan without a verdict', () => {
  const ROWS = [
    ['queued', null, 'open', /no verdict yet/],
    ['running', null, 'open', /no verdict yet/],
    ['failed', null, 'none', /scan it again/],
    ['refused', 'encrypted', 'none', /password/],
    ['refused', null, 'none', /no verdict/],
  ] as const
  for (const [state, obstacle, outcome, reason] of ROWS)
    test(`${state} ${obstacle}: ${outcome}`, () => {
      assert.equal(outcomeOf({ status: null, threat: null, fileSize: 68, state }), outcome)
      assert.match(reasonOfReport({ state, obstacle }), reason)
    })
})

const finding = (severity: 'malicious' | 'suspicious' | 'notice', effect: string | null, path: string[] = []) => ({
  ...{ id: 'Docvet.A.B', severity, title: '', reason: '', effect, technique: null, path, detail: null },
  ...{ engine: null, article: null },
})

describe('effects', () => {
  test('each once, with the files that have it and without parts that have no name', () => {
    const findings = [
      finding('malicious', 'One.', ['a.zip', 'b.doc']),
      finding('malicious', 'One.', ['(object)']),
      finding('malicious', 'One.', ['c.doc', '(object)']),
      finding('malicious', 'Two.'),
      finding('suspicious', 'Three.'),
      finding('notice', null),
    ]
    assert.deepEqual(effectsOf(findings), [
      { text: 'One.', places: ['a.zip › b.doc', 'c.doc'] },
      { text: 'Two.', places: [] },
    ])
  })

  test('suspicious ones where nothing is malicious, and four at most', () => {
    const many = ['1', '2', '3', '4', '5'].map((text) => finding('suspicious', text))
    assert.deepEqual(
      effectsOf(many).map(({ text }) => text),
      ['1', '2', '3', '4'],
    )
  })
})

describe('kinds of files', () => {
  const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
  const OLE = 'application/x-ole-storage'
  const ROWS: [type: string | null, fileName: string | null, kind: string][] = [
    ['application/pdf', 'a.doc', 'PDF document'],
    [WORD, 'a.docx', 'Word document'],
    [OLE, 'a.XLS', 'Excel workbook (old format)'],
    [OLE, 'locked.docx', 'Word document'],
    [OLE, null, 'Office document (old format)'],
    ['text/plain', 'a.csv', 'Table (CSV)'],
    ['application/pdf', 'a.csv', 'PDF document'],
    ['image/png', 'a.png', 'Picture'],
    ['application/x-unheard-of', 'a', 'application/x-unheard-of'],
    [null, 'a', 'Unknown kind of file'],
  ]
  for (const [detectedType, fileName, kind] of ROWS)
    test(`${detectedType} ${fileName}: ${kind}`, () => {
      assert.equal(kindOf({ detectedType, fileName, contentType: null }), kind)
    })

  test('with macros', () => {
    const macro = { id: 'Docvet.Vba.Macro', severity: 'notice', title: '', reason: '', effect: null, technique: null }
    const findings = [{ ...macro, path: [], detail: null, engine: null, article: null }] as never
    const kind = kindOf({ detectedType: WORD, fileName: 'a.docm', contentType: null, findings })
    assert.equal(kind, 'Word document with macros')
  })
})

test('the message for IT does without its link, which only one account can open', () => {
  const scan = {
    ...{ fileName: 'order.zip', threat: 'Docvet.Embedded.Shortcut', sha256: 'ab'.repeat(32), scanId: 'id' },
    ...{ scannedAt: '2026-11-15T22:58:02.123Z' },
    findings: [finding('malicious', 'It starts a program.', ['order.lnk']), finding('malicious', 'It hides.')],
  }
  assert.deepEqual(messageOf(scan, 'https://docvet.example').split('\n'), [
    'Docvet found malware in "order.zip".',
    'It starts a program. Found in order.lnk.',
    'It hides.',
    '',
    'File: order.zip',
    `SHA-256: ${'ab'.repeat(32)}`,
    'Threat: Docvet.Embedded.Shortcut',
    'Scanned: 2026-11-15 22:58:02 UTC',
    'Report (opens only in the account that scanned it): https://docvet.example/history/id',
  ])
})

describe('why a document was not scanned', () => {
  const refusal = (code: string, retryAfterS: number | null = null) =>
    ({ code, title: 'Title', detail: 'Detail 2026-12-01T00:00:00.000Z. A larger plan.', retryAfterS }) as never

  for (const [retryAfterS, expected] of [
    [null, true],
    [5, false],
    [60, false],
    [61, true],
    [1_209_600, true],
  ] as const)
    test(`a quota with a wait of ${retryAfterS} s is ${expected ? 'used up' : 'held by scans in progress'}`, () => {
      const problem = refusal('quota_exhausted', retryAfterS)
      assert.equal(isUsedUp(problem), expected)
      assert.match(reasonOf(problem, false), expected ? /^No scans are left in this month\.$/ : /Try again in a minute/)
    })

  test('of other problems: plain words, or those of the service where there are none', () => {
    assert.equal(isUsedUp(refusal('rate_limited', 1_000)), false)
    assert.match(reasonOf(refusal('damaged_document'), false), /^It is damaged or incomplete/)
    assert.match(reasonOf(refusal('encrypted_document'), true), /^Title\. Detail/)
    assert.match(reasonOf(refusal('engine_unavailable'), false), /^Title\. Detail/)
    assert.match(reasonOf(refusal('network'), false), /^Upload interrupted\. Detail/)
  })
})
