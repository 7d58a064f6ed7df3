import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createConclusion } from './conclusion.ts'
import type { Finding, Severity } from './findings.ts'
import { FINDINGS_MAX } from './limits.ts'

const finding = (id: string, severity: Severity, name: string): Finding => ({
  id,
  severity,
  title: id,
  reason: 'It says so.',
  technique: null,
  path: [name],
  detail: null,
})

for (const severity of ['malicious', 'suspicious', 'notice'] as const)
  test(`the first finding of an id is kept, however many ${severity} ones precede it`, () => {
    const conclusion = createConclusion()
    for (let count = 0; count <= FINDINGS_MAX; count++)
      conclusion.addFinding(finding('Docvet.A.Many', severity, `${count}`))
    conclusion.addFinding(finding('Docvet.A.Last', 'notice', 'last'))
    const findings = conclusion.findings()
    assert.equal(findings.length, FINDINGS_MAX)
    assert.equal(findings.at(-1)?.id, 'Docvet.A.Last')
    assert.equal(findings.filter(({ id }) => id === 'Docvet.A.Many').length, FINDINGS_MAX - 1)
  })

test('of more ids than are reported, the most severe are kept', () => {
  const conclusion = createConclusion()
  for (let count = 0; count < FINDINGS_MAX; count++) conclusion.addFinding(finding(`Docvet.A.N${count}`, 'notice', 'n'))
  conclusion.addFinding(finding('Docvet.A.Bad', 'malicious', 'm'))
  const findings = conclusion.findings()
  assert.deepEqual([findings.length, findings[0]?.id], [FINDINGS_MAX, 'Docvet.A.Bad'])
})
