/** Documents at the edge of a limit, inspected again and again: every report and cost must be the same. */

import type { Limits } from '#inspect/core/limits.ts'
import type { Inspector } from '#inspect/inspect.ts'
import { hostileDocument, randomDocuments } from './hostile.ts'
import type { Random } from './random.ts'
import { docx, EICAR, pdf } from './samples.ts'
import { writeZip } from './zip-writer.ts'

export interface Edge {
  name: string
  bytes: Buffer
  limits: Partial<Limits>
}

const SMALL = { plainBytes: 60_000, memberBytes: 40_000, members: 3 }

/** Ordinary documents first, then repetition of what the analysers search for. */
function* documentsFrom(seed: number): Generator<{ name: string; bytes: Buffer }> {
  const page = '<html><script>var a = "x"; for (var i = 0; i < 9; i++) a += a; document.title = a</script></html>'
  yield { name: 'docx', bytes: docx({ 'word/a.txt': 'Good morning. '.repeat(900) }) }
  yield { name: 'pdf', bytes: pdf(['<< /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>', '<< /Type /Page >>']) }
  yield { name: 'page', bytes: Buffer.from(page) }
  yield {
    name: 'zip',
    bytes: writeZip([
      { name: 'a.txt', data: EICAR },
      { name: 'b.html', data: page },
    ]),
  }
  const digits = hostileDocument('plain', '', `${'A'.repeat(48)}.`, SMALL)
  yield { name: digits.name, bytes: digits.create() }
  for (const { name, create } of randomDocuments(seed, SMALL)) yield { name, bytes: create() }
}

/** Each at a limit of its own, as high as what it needs and one lower. */
export function edgesFrom(seed: number, count: number, inspector: Inspector): Edge[] {
  const edges: Edge[] = []
  for (const { name, bytes } of documentsFrom(seed)) {
    const { entries, bytesInspected } = inspector.inspect(bytes)
    const { work, keptBytes } = inspector.cost
    const needs = {
      workMax: work,
      keptBytesMax: keptBytes,
      entriesMax: entries,
      unpackedBytesMax: bytesInspected - bytes.length,
    }
    for (const [limit, need] of Object.entries(needs))
      for (const value of need > 0 ? [need, need - 1] : [])
        edges.push({ name: `${name}, ${limit} ${value}`, bytes, limits: { [limit]: value } })
    if (edges.length >= count) break
  }
  return edges.slice(0, count)
}

/** Everything that is known of an inspection, in one text. */
export function traceOf(inspector: Inspector, { bytes, limits }: Edge): string {
  // A copy, because what is remembered of a buffer must not matter.
  const inspection = inspector.inspect(Buffer.from(bytes), { limits })
  return JSON.stringify({ ...inspection, ...inspector.cost })
}

/** Inspects all in a new order and compares with the traces before. Returns the names of those that differ. */
export function differing(
  edges: readonly Edge[],
  traces: Map<Edge, string>,
  trace: (edge: Edge) => string,
  random: Random,
): string[] {
  return shuffled(edges, random)
    .filter((edge) => {
      const seen = trace(edge)
      const before = traces.get(edge) ?? seen
      traces.set(edge, before)
      return seen !== before
    })
    .map(({ name }) => name)
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list]
  return list.map(() => left.splice(random(left.length), 1)[0] as T)
}
