import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { outcomeOf } from './outcome.ts'
import type { Reply } from './reply.ts'
import type { Finding, Report } from './report.ts'

function finding(id: string, severity: Finding['severity'], path: string[] = []): Finding {
  return { id, severity, title: id, reason: '', technique: null, path, detail: null }
}

function answered(report: Partial<Report>): Reply {
  const complete = { kind: 'pdf', type: 'application/pdf', findings: [], obstacle: null, bytesInspected: 9, entries: 1 }
  const answer = { bytes: 9, sha256: '', report: { ...complete, ...report }, rssBytes: 1, cpuMs: 1 }
  return { kind: 'answered', answer }
}

const ODD = finding('Docvet.Odd', 'suspicious', ['x'])
const BAD = finding('Docvet.Bad', 'malicious', ['a.zip', 'b'])
const NOTICE = finding('Docvet.Macro', 'notice')
const obstacle = { reason: 'encrypted', detail: 'A password is needed', path: [] } as const

describe('what the embedded engine says', () => {
  it('is clean only for a known kind, looked at whole, without an obstacle', () => {
    assert.deepEqual(outcomeOf(answered({}), 9, 'standard'), { kind: 'clean' })
    assert.deepEqual(outcomeOf(answered({ findings: [NOTICE] }), 9, 'strict'), { kind: 'clean' })
    assert.equal(outcomeOf(answered({ bytesInspected: 8 }), 9, 'standard').kind, 'failed')
    assert.equal(outcomeOf(answered({ bytesInspected: 10 }), 9, 'standard').kind, 'clean')
    const unknown = outcomeOf(answered({ kind: null }), 9, 'standard')
    assert.equal(unknown.kind === 'unscannable' && unknown.obstacle, 'damaged')
  })

  it('is detected for a malicious finding, also when an obstacle came after it', () => {
    const detected = { kind: 'detected', threat: 'Docvet.Bad', path: ['a.zip', 'b'] }
    assert.deepEqual(outcomeOf(answered({ findings: [NOTICE, ODD, BAD] }), 9, 'standard'), detected)
    assert.deepEqual(outcomeOf(answered({ findings: [ODD, BAD] }), 9, 'strict'), detected)
    const cut = answered({ findings: [BAD], obstacle, bytesInspected: 3, kind: null })
    assert.deepEqual(outcomeOf(cut, 9, 'standard'), detected)
  })

  it('is detected for a suspicious finding only where the operator is strict', () => {
    assert.deepEqual(outcomeOf(answered({ findings: [ODD] }), 9, 'standard'), { kind: 'clean' })
    assert.deepEqual(outcomeOf(answered({ findings: [ODD] }), 9, 'strict'), {
      kind: 'detected',
      threat: 'Docvet.Odd',
      path: ['x'],
    })
    assert.equal(outcomeOf(answered({ findings: [ODD], obstacle }), 9, 'standard').kind, 'unscannable')
  })

  it('names the obstacle of what cannot be looked into', () => {
    assert.deepEqual(outcomeOf(answered({ obstacle }), 9, 'standard'), {
      kind: 'unscannable',
      obstacle: 'encrypted',
      detail: 'A password is needed',
    })
  })

  it('is failed for everything that is no answer', () => {
    for (const kind of ['died', 'threw', 'broken', 'late', 'unwanted'] as const) {
      assert.deepEqual(outcomeOf({ kind, detail: 'x' }, 9, 'standard'), {
        kind: 'failed',
        late: kind === 'late' || kind === 'unwanted',
        detail: 'x',
      })
    }
  })
})
