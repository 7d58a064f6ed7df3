import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { docx, EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import type { Limits } from './limits.ts'
import { charge, hold, keep, returnKept, withinBudget } from './work.ts'

const FREE = { workMax: 1e12, keptBytesMax: 1e12 }

suite('an inspection', () => {
  const exceeds = (limits: Partial<Limits>, run: () => void): boolean =>
    withinBudget({ ...FREE, ...limits }, run).exceeded

  test('may use as much work as the limit, and not one unit more', () => {
    assert.equal(
      exceeds({ workMax: 100 }, () => [60, 40].forEach(charge)),
      false,
    )
    assert.equal(
      exceeds({ workMax: 100 }, () => [60, 41].forEach(charge)),
      true,
    )
  })

  test('may keep as many bytes as the limit, and not one more', () => {
    assert.equal(
      exceeds({ keptBytesMax: 100 }, () => [60, 40].forEach(keep)),
      false,
    )
    assert.equal(
      exceeds({ keptBytesMax: 100 }, () => [60, 41].forEach(keep)),
      true,
    )
  })

  test('is returned what an item kept, unless it is needed or held', () => {
    const kept = (isNeeded: boolean, then: number): boolean =>
      exceeds({ keptBytesMax: 100 }, () => {
        returnKept(
          () => [keep(60), hold(20)],
          () => isNeeded,
        )
        keep(then)
      })
    assert.deepEqual([kept(false, 80), kept(false, 81)], [false, true])
    assert.deepEqual([kept(true, 20), kept(true, 21)], [false, true])
    const { keptBytes } = withinBudget(FREE, () => {
      for (let i = 0; i < 9; i++)
        returnKept(
          () => keep(7),
          () => false,
        )
    })
    assert.equal(keptBytes, 7)
  })

  test('starts with nothing charged, and without one nothing is limited', () => {
    assert.deepEqual(
      withinBudget(FREE, () => charge(7)),
      { exceeded: false, work: 7, keptBytes: 0 },
    )
    assert.deepEqual(
      withinBudget(FREE, () => keep(9)),
      { exceeded: false, work: 0, keptBytes: 9 },
    )
    withinBudget({ ...FREE, workMax: 1 }, () => charge(2))
    charge(1e15)
    keep(1e15)
  })

  test('passes other errors on', () => {
    const fail = (): void => {
      throw new RangeError('a bug')
    }
    assert.throws(() => withinBudget(FREE, fail), RangeError)
  })
})

suite('a document', () => {
  /** The outcome with the limits, relative to its own cost. */
  async function outcomes(document: Uint8Array): Promise<string[]> {
    const measuring = await ourInspector()
    measuring.inspect(document)
    const { work, keptBytes } = measuring.cost
    measuring.dispose()
    const under = async (limits: Partial<Limits>): Promise<string> => {
      const inspector = await ourInspector({ limits })
      const { kind, obstacle } = inspector.inspect(document)
      inspector.dispose()
      assert.notEqual(kind, null)
      return obstacle?.reason ?? 'whole'
    }
    return [
      await under({ workMax: work, keptBytesMax: keptBytes }),
      await under({ workMax: work - 1 }),
      await under({ keptBytesMax: keptBytes - 1 }),
    ]
  }

  test('is inspected at the limit, and too complex one past it', async () => {
    const objects = ['<< /JS (\\141) /Length 3 >>\nstream\nabc\nendstream', '<< /Type /Page >>']
    assert.deepEqual(await outcomes(docx({ 'word/a.pdf': pdf(objects) })), ['whole', 'too_complex', 'too_complex'])
  })

  async function keptBy(document: Uint8Array): Promise<number> {
    const inspector = await ourInspector()
    inspector.inspect(document)
    inspector.dispose()
    return inspector.cost.keptBytes
  }
  const zipOf = (count: number, name: string, data: string): Buffer =>
    writeZip(Array.from({ length: count }, (_, i) => ({ name: `${i}${name}`, data: `${data}// ${i}\n` })))

  test('returns the memory of a member that was inspected', async () => {
    const source = `${'var shell = new ActiveXObject("WScript.Shell");\n'.repeat(50)}`
    const [one, many] = [await keptBy(zipOf(1, '.js', source)), await keptBy(zipOf(40, '.js', source))]
    assert.ok(one > 20_000)
    assert.ok(many < one * 3, `${many} bytes for 40 members, ${one} for one`)
  })

  test('keeps nothing of texts in an archive that have no pictures', async () => {
    for (const [ending, text] of [
      ['.txt', 'The minutes of the meeting were read.\n'],
      ['.html', '<p>The minutes of the meeting were read.</p>\n'],
    ] as const) {
      const [one, many] = [
        await keptBy(zipOf(1, ending, text.repeat(500))),
        await keptBy(zipOf(40, ending, text.repeat(500))),
      ]
      assert.ok(many < one + 20_000, `${many} bytes for 40 members, ${one} for one`)
    }
  })

  test('keeps what a fact of a member contains', async () => {
    const links = (i: number): string => `<Relationship Id="r${i}" Type="a/hyperlink" Target="http://a.example/${i}"/>`
    const targets = Array.from({ length: 300 }, (_, i) => links(i)).join('')
    const [one, many] = [await keptBy(zipOf(1, '.rels', targets)), await keptBy(zipOf(10, '.rels', targets))]
    assert.ok(many > one * 9, `${many} bytes for 10 members, ${one} for one`)
  })

  test('is infected if the threat was found before the limit', async () => {
    const inspector = await ourInspector({ limits: { workMax: 600_000 } })
    const members = [
      { name: 'a.txt', data: EICAR },
      { name: 'b.txt', data: 'x'.repeat(100_000) },
    ]
    const { findings, obstacle } = inspector.inspect(writeZip(members))
    inspector.dispose()
    assert.deepEqual([findings[0]?.id, obstacle?.reason], ['Docvet.Test.Eicar', 'too_complex'])
  })
})
