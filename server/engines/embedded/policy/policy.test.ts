import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type AnalyserReport, FINDINGS_MAX } from '#engines/embedded/protocol.ts'
import { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import type { Finding, Obstacle } from '#inspect/inspect.ts'
import { CLASSES, classesOf, contains } from './classes.ts'
import { applyPolicy, POLICY_BYTES_MAX, type Policy, parsePolicy } from './policy.ts'

const CLASS_NAMES = Object.keys(CLASSES) as (keyof typeof CLASSES)[]

function policyOf(actions: Record<string, string>): Policy {
  const parsed = parsePolicy(JSON.stringify(actions))
  assert.ok('policy' in parsed, JSON.stringify(parsed))
  return parsed.policy
}
function problemsOf(text: string): string[] {
  const parsed = parsePolicy(text)
  return 'problems' in parsed ? parsed.problems : []
}
const finding = (id: string, severity: Finding['severity'] = CATALOGUE.get(id)?.severity ?? 'malicious'): Finding => ({
  ...{ id, severity, title: id, reason: 'It says so.', technique: null, path: [], detail: 'x' },
})
const report = (findings: Finding[], obstacle: Obstacle | null = null): AnalyserReport => ({
  ...{ kind: 'zip', type: 'application/zip', findings, obstacle, bytesInspected: 1, entries: 1 },
})
const rated = (actions: Record<string, string>, ...ids: string[]) =>
  applyPolicy(report(ids.map((id) => finding(id))), policyOf(actions)).findings.map(({ id, severity }) => [
    id,
    severity,
  ])

describe('classes', () => {
  test('every finding of the catalogue is in one', () => {
    assert.deepEqual(
      [...CATALOGUE.keys()].filter((id) => classesOf(id).length === 0),
      [],
    )
  })

  for (const name of CLASS_NAMES)
    test(`${name} names only findings that exist, and only those of the class that it is a part of`, () => {
      const wanted = (each: string) =>
        [...CATALOGUE.keys()].some((id) => `${id}.`.startsWith(`Docvet.${each.replace('*', '')}`))
      assert.deepEqual(
        CLASSES[name].findings.filter((each) => !wanted(each)),
        [],
      )
      const parent = CLASS_NAMES.find((each) => each === name.split('.')[0])
      assert.ok(parent)
      for (const id of CATALOGUE.keys()) if (contains(name, id)) assert.ok(contains(parent, id), id)
    })
})

describe('the action for a finding', () => {
  const POWERSHELL = ['Docvet.Vba.PowerShell', 'malicious'] as const
  const AUTO_PROGRAM = ['Docvet.Vba.AutoProgram', 'malicious'] as const
  const SCRIPT_EXPORT = ['Docvet.Pdf.ScriptExport', 'malicious'] as const
  const cases: [string, Record<string, string>, string, Finding['severity']][] = [
    ['is none without an entry', { javascript: 'block' }, 'Docvet.Vba.Present', 'notice'],
    ['is that of its class', { macros: 'block' }, 'Docvet.Vba.Present', 'malicious'],
    [
      'is that of the id rather than of a class',
      { macros: 'block', 'Docvet.Vba.Present': 'notice' },
      'Docvet.Vba.Present',
      'notice',
    ],
    ['is that of the narrower class', { macros: 'block', 'macros.auto': 'notice' }, 'Docvet.Vba.AutoStart', 'notice'],
    [
      'is that of the wider class elsewhere',
      { macros: 'block', 'macros.auto': 'notice' },
      'Docvet.Vba.Execute',
      'malicious',
    ],
    [
      'is the strictest of classes that overlap',
      { pdf: 'allow', javascript: 'suspicious' },
      'Docvet.Pdf.JavaScript',
      'suspicious',
    ],
    ['of a class raises a notice', { macros: 'suspicious' }, 'Docvet.Vba.Present', 'suspicious'],
    ['of a class lowers a suspicious finding', { macros: 'notice' }, 'Docvet.Vba.Dropper', 'notice'],
    ['of a class does not make malicious findings suspicious', { macros: 'suspicious' }, ...POWERSHELL],
    ['of a part of a class does not make them notices', { macros: 'block', 'macros.auto': 'notice' }, ...AUTO_PROGRAM],
    ['of two classes does not lower them either', { pdf: 'notice', javascript: 'suspicious' }, ...SCRIPT_EXPORT],
    ['of a class that allows applies to malicious findings', { macros: 'allow' }, 'Docvet.Vba.PowerShell', 'notice'],
    [
      'of the id can lower a malicious finding',
      { 'Docvet.Ooxml.RemoteTemplate': 'suspicious' },
      'Docvet.Ooxml.RemoteTemplate',
      'suspicious',
    ],
  ]
  for (const [name, actions, id, severity] of cases)
    test(name, () => assert.deepEqual(rated(actions, id), [[id, severity]]))

  test('block makes it the threat, after those that are malicious anyway', () => {
    assert.deepEqual(rated({ 'Docvet.Vba.Present': 'block' }, 'Docvet.Vba.Dropper', 'Docvet.Vba.Present'), [
      ['Docvet.Vba.Present', 'malicious'],
      ['Docvet.Vba.Dropper', 'suspicious'],
    ])
    assert.deepEqual(rated({ 'macros.auto': 'block' }, 'Docvet.Vba.Downloader', 'Docvet.Vba.AutoStart')[0], [
      ...['Docvet.Vba.Downloader', 'malicious'],
    ])
  })

  test('allow leaves a notice that says so', () => {
    const allowed = applyPolicy(report([finding('Docvet.Vba.Dropper')]), policyOf({ macros: 'allow' }))
    const [{ severity, detail } = finding('')] = allowed.findings
    assert.deepEqual([severity, detail], ['notice', 'Allowed by the policy of the operator: x'])
  })

  test('findings of rules of the operator stay as they are', () => {
    const all = Object.fromEntries(CLASS_NAMES.map((name) => [name, 'block']))
    const own = [finding('Operator.mine'), finding('constructor', 'notice')]
    assert.deepEqual(applyPolicy(report(own), policyOf(all)).findings, own)
  })

  test('lists the malicious findings that it lowers', () => {
    const { lowered } = policyOf({
      ...{ 'macros.excel4': 'allow', macros: 'suspicious', 'Docvet.Vba.Present': 'allow', encrypted: 'suspicious' },
      'Docvet.Vba.PowerShell': 'notice',
    })
    assert.deepEqual(lowered.toSorted(), ['Docvet.Sylk.Macro', 'Docvet.Vba.PowerShell', 'Docvet.Xlm.Execute'])
  })
})

describe('a document that cannot be read', () => {
  const locked: Obstacle = { reason: 'encrypted', detail: 'Locked.', path: ['a.docx'] }
  const outcome = (actions: Record<string, string>, obstacle: Obstacle) =>
    applyPolicy(report([], obstacle), policyOf(actions)).findings.map(({ id, severity, path }) => [id, severity, path])

  test('has a finding of its own with block and suspicious', () => {
    for (const [action, severity] of [
      ['block', 'malicious'],
      ['suspicious', 'suspicious'],
    ] as const)
      assert.deepEqual(outcome({ encrypted: action }, locked), [['Docvet.Unscannable.Encrypted', severity, ['a.docx']]])
    assert.deepEqual(
      outcome({ 'too-complex': 'block' }, { ...locked, reason: 'too_complex' })[0]?.[0],
      'Docvet.Unscannable.TooComplex',
    )
    assert.deepEqual(
      outcome({ damaged: 'block' }, { ...locked, reason: 'damaged' })[0]?.[0],
      'Docvet.Unscannable.Damaged',
    )
    assert.deepEqual(outcome({ damaged: 'block' }, locked), [])
  })

  test('keeps its obstacle', () => {
    assert.equal(applyPolicy(report([], locked), policyOf({ encrypted: 'block' })).obstacle, locked)
  })
})

describe('a report with as many kinds of findings as it can have', () => {
  const ids = (count: number) => Array.from({ length: count }, (_, index) => finding(`Operator.rule${index}`, 'notice'))
  const obstacleOf = (actions: Record<string, string>, count: number) =>
    applyPolicy(report(ids(count)), policyOf(actions)).obstacle?.reason

  test('is too complex for a policy that raises findings, because others may be missing', () => {
    assert.equal(obstacleOf({ macros: 'block' }, FINDINGS_MAX), 'too_complex')
    assert.equal(obstacleOf({ macros: 'block' }, FINDINGS_MAX - 1), undefined)
    assert.equal(obstacleOf({ 'Docvet.Vba.Dropper': 'notice' }, FINDINGS_MAX), undefined)
  })

  test('is not lowered', () => {
    const lower = policyOf({ 'Docvet.Vba.Dropper': 'notice' })
    const severities = (count: number) =>
      applyPolicy(report([finding('Docvet.Vba.Dropper'), ...ids(count)]), lower).findings[0]?.severity
    assert.equal(severities(FINDINGS_MAX - 1), 'suspicious')
    assert.equal(severities(FINDINGS_MAX - 2), 'notice')
  })
})

describe('a policy is rejected', () => {
  const cases: [string, string, RegExp][] = [
    ['without JSON', '{"macros": block}', /^the file is not valid JSON/],
    ['that is empty', '', /^the file is not valid JSON/],
    ['that is no object', '["macros"]', /^the file is not a JSON object/],
    [
      'with an unknown name',
      '{"macro": "block"}',
      /^"macro" is neither a finding nor a class\. Allowed: .* macros\.auto,/,
    ],
    ['with the name of a property of all objects', '{"constructor": "block"}', /^"constructor" is neither/],
    [
      'with an unknown action',
      '{"macros": "deny"}',
      /^the value of "macros" is not an action\. Allowed: allow, notice/,
    ],
    ['that lowers the test file', '{"Docvet.Test.Eicar": "allow"}', /^"Docvet\.Test\.Eicar" cannot be lowered/],
    ['that lowers bombs', '{"bombs": "suspicious"}', /^"bombs" cannot be lowered/],
    ['that passes encrypted documents', '{"encrypted": "allow"}', /never clean\. Allowed: suspicious, block\.$/],
    ['that notices damaged documents', '{"Docvet.Unscannable.Damaged": "notice"}', /never clean/],
    [
      'with a name twice',
      '{"macros": "block", "pdf": "block", "macros": "allow"}',
      /^"macros" is given more than once/,
    ],
    [
      'with a name that is written in two ways',
      '{"macros": "block", "macr\\u006fs": "allow"}',
      /^"macros" is given more/,
    ],
    ['for a rule of the operator', '{"Operator.mine": "allow"}', /^"Operator\.mine" is a rule of your own/],
  ]
  for (const [name, text, problem] of cases) test(name, () => assert.match(problemsOf(text)[0] ?? '', problem))

  test('but not for a byte order mark, or an action and a name with the same text', () => {
    assert.deepEqual(problemsOf('\uFEFF{"macros": "block"}'), [])
    assert.match(problemsOf('{"allow": "allow"}')[0] ?? '', /^"allow" is neither/)
    assert.equal(problemsOf('{"macros": {"a": 1, "a": 1}}').length, 1)
  })

  test('beyond its largest size', () => {
    const sized = (bytes: number) => `{}${' '.repeat(bytes - 2)}`
    assert.deepEqual(problemsOf(sized(POLICY_BYTES_MAX)), [])
    assert.match(problemsOf(sized(POLICY_BYTES_MAX + 1))[0] ?? '', /more than 65536 bytes/)
  })

  test('without any of its values in the message, and with at most ten problems', () => {
    const secrets = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`key${index}`, 'hunter2']))
    const problems = problemsOf(JSON.stringify(secrets))
    assert.equal(problems.length, 11)
    assert.equal(problems.at(-1), 'and 2 more.')
    assert.doesNotMatch(problems.join(), /hunter2/)
  })
})
