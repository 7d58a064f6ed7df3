import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EngineReport } from '#engines/panel.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import type { Finding } from '#inspect/inspect.ts'
import { KNOWN_MALWARE, OPERATOR_RULE } from './effects.ts'
import { createFindings, FINDINGS_BYTES_MAX, FINDINGS_STORED_MAX } from './findings.ts'
import type { ScanRow } from './store.ts'

const { encode, decode } = createFindings(CATALOGUE, 'https://docvet.example')
const EICAR = CATALOGUE.get('Docvet.Test.Eicar') as Omit<Finding, 'path' | 'detail'>
const OWN: Finding = {
  ...{ id: 'Operator.mine', severity: 'notice', title: 'My rule', reason: 'It matched.', technique: 'T1000' },
  ...{ path: ['a.zip'], detail: '3 bytes' },
}
const reportOf = (findings: readonly Finding[]): EngineReport => ({
  engine: 'embedded',
  outcome: { kind: 'clean', findings },
})
const rowOf = (row: Partial<ScanRow>) => ({ findings: null, threat: null, engine: null, path: null, ...row }) as ScanRow
const roundTrip = (findings: readonly Finding[]) => decode(rowOf({ findings: encode([reportOf(findings)], null) }))
const many = (count: number, path: string[] = []) =>
  Array.from({ length: count }, (_, index) => ({ ...OWN, path: [...path, String(index)] }))

describe('findings of a scan', () => {
  test('none are stored as null', () => {
    assert.equal(encode([reportOf([]), { engine: 'clamd', outcome: { kind: 'clean' } }], null), null)
    assert.deepEqual(decode(rowOf({})), [])
  })

  test('the worst come first, with the text of the catalogue or their own', () => {
    const shown = roundTrip([OWN, { ...EICAR, path: [], detail: null }])
    const { title, reason, technique } = EICAR
    const effect = 'Nothing. It contains the harmless EICAR test file, which shows that a virus scanner works.'
    const article = 'https://docvet.example/findings/Docvet.Test.Eicar'
    assert.deepEqual(shown, [
      {
        ...{ id: EICAR.id, severity: 'malicious', title, reason, effect, technique, path: [], detail: null },
        ...{ engine: 'embedded', article },
      },
      { ...OWN, effect: null, engine: 'embedded', article: null },
    ])
    assert.ok(!encode([reportOf([{ ...EICAR, path: [], detail: null }])], null)?.includes(title), 'text is not stored')
  })

  test('a threat that comes with its name only is a finding', () => {
    const threat = { threat: 'Win.Test', engine: 'clamd', path: [] }
    const [found, ...rest] = decode(rowOf({ findings: encode([reportOf([OWN])], threat) }))
    assert.deepEqual([found?.id, found?.severity, found?.engine, rest.length], ['Win.Test', 'malicious', 'clamd', 1])
    assert.match(found?.reason ?? '', /clamd/)
    assert.equal(found?.effect, KNOWN_MALWARE)
  })

  test('an effect follows the severity that the report has', () => {
    const [raised] = roundTrip([{ ...OWN, severity: 'malicious' }])
    assert.equal(raised?.effect, OPERATOR_RULE)
    const [lowered] = roundTrip([{ ...EICAR, severity: 'notice', path: [], detail: null }])
    assert.equal(lowered?.effect, null)
    const suspicious = CATALOGUE.get('Docvet.Vba.AutoExecute') as Omit<Finding, 'path' | 'detail'>
    const [shown] = roundTrip([{ ...suspicious, path: [], detail: null }])
    assert.equal(shown?.effect, CATALOGUE.get('Docvet.Vba.AutoExecute')?.article.danger)
  })

  test('a row from before findings were stored has its threat', () => {
    const [found] = decode(rowOf({ threat: EICAR.id, engine: 'embedded', path: '["a.zip"]' }))
    assert.deepEqual([found?.id, found?.title, found?.path], [EICAR.id, EICAR.title, ['a.zip']])
  })

  test(`${FINDINGS_STORED_MAX} are stored, and of more only the worst`, () => {
    assert.equal(roundTrip(many(FINDINGS_STORED_MAX)).length, FINDINGS_STORED_MAX)
    const shown = roundTrip([...many(FINDINGS_STORED_MAX), { ...EICAR, path: [], detail: null }])
    assert.deepEqual([shown.length, shown[0]?.id], [FINDINGS_STORED_MAX, EICAR.id])
  })

  test(`no more than ${FINDINGS_BYTES_MAX} bytes are stored`, () => {
    const [one] = many(1)
    const rest = Buffer.byteLength(encode([reportOf([{ ...OWN, path: [''] }])], null) ?? '') - '[]'.length
    const filling = (bytes: number) => [one as Finding, { ...OWN, path: ['x'.repeat(bytes)] }]
    const fits = FINDINGS_BYTES_MAX - rest - (rest + 1)
    assert.equal(roundTrip(filling(fits)).length, 2)
    assert.equal(roundTrip(filling(fits + 1)).length, 1)
  })
})
