import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Finding, Inspection } from '#inspect/inspect.ts'
import { type AnalyserReport, condense, encodeFrame } from './protocol.ts'
import { type Answer, outcomeOf, parseAnswer, type Reply } from './report.ts'

const FINDING: Finding = {
  id: 'Docvet.Bad',
  severity: 'malicious',
  title: 'Bad',
  reason: 'It is.',
  technique: 'T1204',
  path: ['a.zip', 'b'],
  detail: null,
}
const REPORT: Inspection = {
  kind: 'zip',
  type: 'application/zip',
  findings: [FINDING],
  obstacle: { reason: 'damaged', detail: 'Broken', path: [] },
  bytesInspected: 5,
  entries: 1,
}
const ANSWER: Answer = { bytes: 5, checksum: 7, report: REPORT, rssBytes: 1, cpuMs: 1 }

function parse(value: unknown) {
  return parseAnswer(Buffer.from(JSON.stringify(value)))
}

describe('the answer of a worker', () => {
  it('is accepted unchanged when every field is valid', () => {
    assert.deepEqual(parse(ANSWER), ANSWER)
    assert.deepEqual(parse({ ...ANSWER, report: { ...REPORT, kind: null, findings: [], obstacle: null } })?.report, {
      ...REPORT,
      kind: null,
      findings: [],
      obstacle: null,
    })
  })

  const wrong: Record<string, unknown> = {
    'no JSON object': [],
    'no bytes': { ...ANSWER, bytes: undefined },
    'negative bytes': { ...ANSWER, bytes: -1 },
    'no checksum': { ...ANSWER, checksum: undefined },
    'a checksum that is no number': { ...ANSWER, checksum: '7' },
    'no report': { ...ANSWER, report: null },
    'no findings': { ...ANSWER, report: { ...REPORT, findings: undefined } },
    'findings that are no array': { ...ANSWER, report: { ...REPORT, findings: {} } },
    'an unknown severity': { ...ANSWER, report: { ...REPORT, findings: [{ ...FINDING, severity: 'clean' }] } },
    'a threat without a name': { ...ANSWER, report: { ...REPORT, findings: [{ ...FINDING, id: '' }] } },
    'a threat with a line break': { ...ANSWER, report: { ...REPORT, findings: [{ ...FINDING, id: 'a\nb' }] } },
    'a path of numbers': { ...ANSWER, report: { ...REPORT, findings: [{ ...FINDING, path: [1] }] } },
    'an unknown obstacle': { ...ANSWER, report: { ...REPORT, obstacle: { reason: 'mood', detail: '', path: [] } } },
    'an obstacle left out': { ...ANSWER, report: { ...REPORT, obstacle: undefined } },
    'a fraction of bytes': { ...ANSWER, report: { ...REPORT, bytesInspected: 0.5 } },
    'too many findings': { ...ANSWER, report: { ...REPORT, findings: Array(101).fill(FINDING) } },
  }
  for (const [name, value] of Object.entries(wrong)) {
    it(`is rejected with ${name}`, () => assert.equal(parse(value), null))
  }

  it('is rejected when it is no JSON', () => assert.equal(parseAnswer(Buffer.from('stream: OK')), null))

  it('fits into its frame and keeps the worst findings, whatever the document contains', () => {
    const nasty = '\u0001'.repeat(5_000)
    const notice: Finding = {
      ...FINDING,
      severity: 'notice',
      title: nasty,
      reason: nasty,
      technique: nasty,
      path: Array(50).fill(nasty),
      detail: nasty,
    }
    const findings = [...Array<Finding>(5_000).fill(notice), { ...FINDING, path: Array(50).fill(nasty) }]
    const report = condense({ ...REPORT, findings, obstacle: { reason: 'damaged', detail: nasty, path: notice.path } })
    assert.equal(report.findings[0]?.id, 'Docvet.Bad')
    const frame = encodeFrame('answer', 1, { ...ANSWER, report })
    assert.notEqual(parseAnswer(frame.subarray(16)), null)
  })
})

function finding(id: string, severity: Finding['severity'], path: string[] = []): Finding {
  return { id, severity, title: id, reason: '', technique: null, path, detail: null }
}

function answered(report: Partial<AnalyserReport>): Reply {
  const complete = { kind: 'pdf', type: 'application/pdf', findings: [], obstacle: null, bytesInspected: 9, entries: 1 }
  const answer = { bytes: 9, checksum: 0, report: { ...complete, ...report }, rssBytes: 1, cpuMs: 1 }
  return { kind: 'answered', answer }
}

const ODD = finding('Docvet.Odd', 'suspicious', ['x'])
const BAD = finding('Docvet.Bad', 'malicious', ['a.zip', 'b'])
const NOTICE = finding('Docvet.Macro', 'notice')
const obstacle = { reason: 'encrypted', detail: 'A password is needed', path: [] } as const

describe('the outcome of an answer', () => {
  it('is clean only for a known kind, completely inspected, without an obstacle', () => {
    assert.deepEqual(outcomeOf(answered({}), 9, 'standard'), { kind: 'clean' })
    assert.deepEqual(outcomeOf(answered({ findings: [NOTICE] }), 9, 'strict'), { kind: 'clean' })
    assert.equal(outcomeOf(answered({ bytesInspected: 8 }), 9, 'standard').kind, 'failed')
    assert.equal(outcomeOf(answered({ bytesInspected: 10 }), 9, 'standard').kind, 'clean')
    const unknown = outcomeOf(answered({ kind: null }), 9, 'standard')
    assert.equal(unknown.kind === 'unscannable' && unknown.obstacle, 'damaged')
  })

  it('is detected for a malicious finding, also when an obstacle came after it', () => {
    const detected = { kind: 'detected', threat: 'Docvet.Bad', path: ['a.zip', 'b'], beneath: { kind: 'clean' } }
    assert.deepEqual(outcomeOf(answered({ findings: [NOTICE, ODD, BAD] }), 9, 'standard'), detected)
    assert.deepEqual(outcomeOf(answered({ findings: [ODD, BAD] }), 9, 'strict'), detected)
    const cut = answered({ findings: [BAD], obstacle, bytesInspected: 3, kind: null })
    const beneath = { kind: 'unscannable', obstacle: 'encrypted', detail: 'A password is needed' }
    assert.deepEqual(outcomeOf(cut, 9, 'standard'), { ...detected, beneath })
  })

  it('is detected for a suspicious finding only with strict sensitivity', () => {
    assert.deepEqual(outcomeOf(answered({ findings: [ODD] }), 9, 'standard'), { kind: 'clean' })
    assert.deepEqual(outcomeOf(answered({ findings: [ODD] }), 9, 'strict'), {
      kind: 'detected',
      threat: 'Docvet.Odd',
      path: ['x'],
      beneath: { kind: 'clean' },
    })
    assert.equal(outcomeOf(answered({ findings: [ODD], obstacle }), 9, 'standard').kind, 'unscannable')
  })

  it('names the obstacle of an unscannable document', () => {
    assert.deepEqual(outcomeOf(answered({ obstacle }), 9, 'standard'), {
      kind: 'unscannable',
      obstacle: 'encrypted',
      detail: 'A password is needed',
    })
  })

  it('is failed for every other reply', () => {
    for (const kind of ['died', 'threw', 'broken', 'late', 'withdrawn'] as const) {
      assert.deepEqual(outcomeOf({ kind, detail: 'x' }, 9, 'standard'), {
        kind: 'failed',
        late: kind === 'late' || kind === 'withdrawn',
        detail: 'x',
      })
    }
  })

  it('is unscannable for a document that is not tried again', () => {
    const expected = { kind: 'unscannable', obstacle: 'too_complex', detail: 'x', isCrash: true }
    assert.deepEqual(outcomeOf({ kind: 'banned', detail: 'x' }, 9, 'standard'), expected)
  })
})
