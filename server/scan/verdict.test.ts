/** The verdict for every combination of engine outcomes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EngineReport } from '#engines/panel.ts'
import { countedOther, decide, withoutOwnKind } from './verdict.ts'

const outcomes: Record<string, EngineReport['outcome']> = {
  clean: { kind: 'clean' },
  detected: { kind: 'detected', threat: 'Test.Threat', path: ['a.zip', 'b.doc'] },
  unscannable: { kind: 'unscannable', obstacle: 'encrypted', detail: 'a password is needed' },
  failed: { kind: 'failed', late: false, detail: 'down' },
  late: { kind: 'failed', late: true, detail: 'late' },
}
const report = (engine: string, name: string): EngineReport => ({
  engine,
  outcome: outcomes[name] as EngineReport['outcome'],
})
const NAMES = Object.keys(outcomes)
const BOTH = ['embedded', 'clamd']

describe('clean', () => {
  test('only when every required engine reports it', () => {
    assert.deepEqual(decide([report('embedded', 'clean')], ['embedded']), { kind: 'clean' })
    assert.deepEqual(decide([report('embedded', 'clean'), report('clamd', 'clean')], BOTH), { kind: 'clean' })
  })

  test('for no other pair of outcomes, in either order', () => {
    for (const one of NAMES) {
      for (const other of NAMES) {
        const { kind } = decide([report('embedded', one), report('clamd', other)], BOTH)
        assert.equal(kind === 'clean', one === 'clean' && other === 'clean', `${one} + ${other}`)
      }
    }
  })

  test('never without a report, without a required engine, or for an outcome of an unknown kind', () => {
    assert.equal(decide([], []).kind, 'failed')
    assert.equal(decide([], ['embedded']).kind, 'failed')
    assert.equal(decide([report('embedded', 'clean')], BOTH).kind, 'failed')
    assert.equal(decide([report('embedded', 'clean')], []).kind, 'failed')
    const odd = { engine: 'embedded', outcome: { kind: 'probably-fine' } } as unknown as EngineReport
    assert.equal(decide([odd], ['embedded']).kind, 'failed')
    assert.equal(decide([odd, report('clamd', 'clean')], BOTH, 'clean').kind, 'failed')
  })
})

test('a threat outweighs a failure and an obstacle, and names its engine and path', () => {
  for (const other of NAMES.filter((name) => name !== 'detected')) {
    assert.deepEqual(decide([report('embedded', other), report('clamd', 'detected')], BOTH), {
      kind: 'infected',
      threat: 'Test.Threat',
      engine: 'clamd',
      path: ['a.zip', 'b.doc'],
    })
  }
})

test('a failure outweighs an obstacle; it is late only if every failure was', () => {
  assert.deepEqual(decide([report('embedded', 'unscannable'), report('clamd', 'late')], BOTH), {
    kind: 'failed',
    late: true,
    engines: ['clamd'],
  })
  assert.deepEqual(decide([report('embedded', 'failed'), report('clamd', 'late')], BOTH), {
    kind: 'failed',
    late: false,
    engines: ['embedded', 'clamd'],
  })
})

describe('a document that cannot be fully scanned', () => {
  const reports = [report('embedded', 'unscannable'), report('clamd', 'clean')]

  test('has no verdict by default', () => {
    assert.deepEqual(decide(reports, BOTH), {
      kind: 'unscannable',
      obstacle: 'encrypted',
      detail: 'a password is needed',
      isLocked: false,
      engine: 'embedded',
    })
  })
  test('is infected or clean under that policy', () => {
    const infected = decide(reports, BOTH, 'infected')
    assert.deepEqual(
      [infected.kind, infected.kind === 'infected' && infected.threat],
      ['infected', 'Docvet.Unscannable.Encrypted'],
    )
    assert.deepEqual(decide(reports, BOTH, 'clean'), { kind: 'clean' })
  })
  test('is refused for the obstacle that a password does not remove, if there is one', () => {
    const outcome = { kind: 'unscannable', obstacle: 'encrypted', detail: 'locked', isLocked: true } as const
    const locked = { engine: 'embedded', outcome }
    const cases: [Parameters<typeof decide>[0], boolean][] = [
      [[locked, report('clamd', 'clean')], true],
      [[locked, report('clamd', 'unscannable')], false],
      [[report('clamd', 'unscannable'), locked], false],
    ]
    for (const [given, isLocked] of cases) {
      const verdict = decide(given, BOTH)
      assert.deepEqual([verdict.kind, verdict.kind === 'unscannable' && verdict.isLocked], ['unscannable', isLocked])
    }
  })
  test('is not clean under any policy when an engine failed', () => {
    assert.equal(decide([report('embedded', 'unscannable'), report('clamd', 'failed')], BOTH, 'clean').kind, 'failed')
  })
  test('is not clean under any policy when its inspection crashed', () => {
    const outcome = { kind: 'unscannable', obstacle: 'too_complex', detail: 'crashed', isCrash: true } as const
    const crash = { engine: 'embedded', outcome }
    for (const other of [report('clamd', 'clean'), report('clamd', 'unscannable')]) {
      for (const order of [
        [crash, other],
        [other, crash],
      ]) {
        const verdict = decide(order, BOTH, 'clean')
        assert.deepEqual(verdict, {
          kind: 'unscannable',
          obstacle: 'too_complex',
          detail: 'crashed',
          isLocked: false,
          engine: 'embedded',
        })
        assert.equal(decide(order, BOTH, 'infected').kind, 'infected')
        assert.equal(decide(order, BOTH, 'refuse').kind, 'unscannable')
      }
    }
  })
})

describe('content that is no document', () => {
  const other: EngineReport['outcome'] = { kind: 'unscannable', obstacle: 'damaged', detail: 'unknown', isOther: true }
  const all: Record<string, EngineReport['outcome']> = { ...outcomes, other }

  test('is clean only if clamd reports clean, and our engine has no format for it or reports clean', () => {
    for (const [one, embedded] of Object.entries(all)) {
      for (const [two, clamd] of Object.entries(all)) {
        const reports = [
          { engine: 'embedded', outcome: embedded },
          { engine: 'clamd', outcome: clamd },
        ]
        const isClean = ['clean', 'other'].includes(one) && two === 'clean'
        assert.equal(decide(countedOther(reports), BOTH).kind === 'clean', isClean, `${one} + ${two}`)
      }
    }
  })

  test('is not clean without clamd', () => {
    assert.equal(decide(countedOther([{ engine: 'embedded', outcome: other }]), ['embedded']).kind, 'unscannable')
    assert.equal(decide(countedOther([{ engine: 'embedded', outcome: other }]), BOTH).kind, 'failed')
  })

  describe('that is a program', () => {
    const finding = (id: string, path: string[] = []) => ({
      ...{ id, path, severity: 'malicious' as const, title: '', reason: '', technique: null, detail: null },
    })
    const own = finding('Docvet.Embedded.Executable')
    const detected = (
      findings: ReturnType<typeof finding>[],
      beneath?: EngineReport['outcome'],
    ): EngineReport['outcome'] => ({
      ...{ kind: 'detected', threat: findings[0]?.id ?? '', path: findings[0]?.path ?? [], findings },
      ...(beneath && { beneath }),
    })

    test('is not accused of being one', () => {
      assert.equal(withoutOwnKind(detected([own], other)), other)
    })

    test('keeps every other threat, and one in a part of it', () => {
      for (const kept of [
        detected([own, finding('Docvet.Test.Eicar')], other),
        detected([finding('Docvet.Test.Eicar')], other),
        detected([finding('Docvet.Embedded.Executable', ['a.doc'])], other),
        detected([own]),
        other,
      ])
        assert.equal(withoutOwnKind(kept), kept)
    })
  })
})
