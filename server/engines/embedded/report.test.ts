import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodeFrame } from './protocol.ts'
import { type Answer, condense, type Finding, parseAnswer, type Report } from './report.ts'

const FINDING: Finding = {
  id: 'Docvet.Bad',
  severity: 'malicious',
  title: 'Bad',
  reason: 'It is.',
  technique: 'T1204',
  path: ['a.zip', 'b'],
  detail: null,
}
const REPORT: Report = {
  kind: 'zip',
  type: 'application/zip',
  findings: [FINDING],
  obstacle: { reason: 'damaged', detail: 'Broken', path: [] },
  bytesInspected: 5,
  entries: 1,
}
const ANSWER: Answer = { bytes: 5, sha256: 'ab'.repeat(32), report: REPORT, rssBytes: 1, cpuMs: 1 }

function parse(value: unknown) {
  return parseAnswer(Buffer.from(JSON.stringify(value)))
}

describe('the answer of a child', () => {
  it('is taken as it is when every field fits', () => {
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
    'a hash in capitals': { ...ANSWER, sha256: 'AB'.repeat(32) },
    'a short hash': { ...ANSWER, sha256: 'ab' },
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
    it(`is nothing with ${name}`, () => assert.equal(parse(value), null))
  }

  it('is nothing when it is no JSON', () => assert.equal(parseAnswer(Buffer.from('stream: OK')), null))

  it('fits into its frame and keeps the worst, whatever a document puts into it', () => {
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
