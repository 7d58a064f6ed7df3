/**
 * `npm run bench real [-- kind … size … --quick --files --save]`: the analyser on real documents of each kind and size, next to
 * clamd on the same ones. The cost is that of the CPU.
 */

import { readFileSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { warnIfBusy } from '#test/perf/process-tree.ts'
import { figure, type Measurement } from '#test/perf/report.ts'
import { type ClamdServer, clamdAvailable, startClamd } from '#test/support/clamd.ts'
import { atExit, temporaryFolder } from '#test/support/service.ts'
import { findCandidates } from './candidates.ts'
import { KINDS } from './kinds.ts'
import { type Clamd, type Contenders, FULL, type Measured, measureRow, type Named, QUICK, warmUp } from './measure.ts'
import { save } from './measurements.ts'
import { compiledAnalyser, startProbe } from './probe-process.ts'
import { type Row, selectRow } from './selection.ts'
import { aligned, detailTable, growthTable } from './tables.ts'

interface Wanted {
  kinds: readonly string[]
  sizes: readonly string[]
  isQuick: boolean
  /** Whether the slowest and the refused documents are named. */
  namesFiles: boolean
  /** Whether the figures are kept, from which the page is written. */
  isSaved: boolean
}

const KIND_NAMES = KINDS.map(({ name }) => name)
const SIZE_NAMES = [...new Set(KINDS.flatMap(({ sizes }) => sizes.map(({ name }) => name)))]

export function readWanted(args: readonly string[]): Wanted {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      files: { type: 'boolean', default: false },
      save: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  })
  const named = (names: readonly string[]) =>
    names.filter((name) => positionals.some((each) => each.toLowerCase() === name.toLowerCase()))
  const [kinds, sizes] = [named(KIND_NAMES), named(SIZE_NAMES)]
  if (kinds.length + sizes.length < new Set(positionals).size)
    throw new Error(`Give kinds (${KIND_NAMES.join(', ')}) and sizes (${SIZE_NAMES.join(', ')}), not ${positionals}`)
  // A few rows are for those who change the analyser.
  const isPart = kinds.length > 0
  return { kinds, sizes, isQuick: values.quick || isPart, namesFiles: values.files || isPart, isSaved: values.save }
}

const isNamed = (name: string, names: readonly string[]): boolean => names.length === 0 || names.includes(name)

function selectRows(wanted: Pick<Wanted, 'kinds' | 'sizes'>): { rows: Row[]; missing: string[] } {
  const kinds = KINDS.filter(({ name }) => isNamed(name, wanted.kinds))
  const { candidates, missing } = findCandidates(kinds)
  const rows: Row[] = []
  for (const kind of kinds)
    for (const size of kind.sizes.filter(({ name }) => isNamed(name, wanted.sizes))) {
      const row = selectRow(kind, size, candidates, (file) => readFileSync(file))
      if (row === null) missing.push(`${kind.name} ${size.name}`)
      else rows.push(row)
    }
  return { rows, missing }
}

const clamdOf = ({ pid = 0, tcpUrl }: ClamdServer): Clamd => ({ pid, url: tcpUrl })

async function startContenders(stack: AsyncDisposableStack): Promise<Contenders> {
  const analyser = compiledAnalyser()
  const probe = stack.use(await startProbe(analyser))
  if (!clamdAvailable()) {
    console.log('Without clamd: it is not installed (apt-get install clamav-daemon).\n')
    return { analyser, probe, withImageHash: null, withoutImageHash: null }
  }
  const withImageHash = stack.use(await startClamd())
  const withoutImageHash = stack.use(await startClamd({ conf: { ScanImageFuzzyHash: 'no' } }))
  return { analyser, probe, withImageHash: clamdOf(withImageHash), withoutImageHash: clamdOf(withoutImageHash) }
}

function printFiles({ slowest, refusals }: Named): void {
  for (const { label, ms } of slowest) console.log(`      ${figure(ms)} ms  ${label}`)
  for (const { label, why } of refusals) console.log(`      refused: ${why}  ${label}`)
}

export async function measureReal(args: readonly string[]): Promise<Measurement[]> {
  const wanted = readWanted(args)
  const busyShare = await warnIfBusy()
  const { rows, missing } = selectRows(wanted)
  if (missing.length > 0) console.log(`Not on this machine: ${missing.join(', ')}\n`)
  const folder = temporaryFolder('bench-real')
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  await using stack = new AsyncDisposableStack()
  const contenders = await startContenders(stack)
  const effort = wanted.isQuick ? QUICK : FULL
  await warmUp(rows, contenders, effort, folder)
  const all: Measured[] = []
  for (const row of rows) {
    const { slowest, refusals, ...measured } = await measureRow(row, contenders, effort, folder)
    all.push(measured)
    console.log(detailTable([measured])[1]?.join('  '))
    if (wanted.namesFiles) printFiles({ slowest, refusals })
  }
  console.log(`\nCPU ms of the analyser; the goal is the ratio to clamd without its image hash\n`)
  console.log([...aligned(detailTable(all)), '', ...aligned(growthTable(all))].join('\n'))
  if (wanted.isSaved) save('documents', all, busyShare)
  // Its figures are tables.
  return []
}
