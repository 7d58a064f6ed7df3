/** `npm run bench real-service [-- group … --save]`: real documents through the service, with clamd and alone, next to raw clamd. */

import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { usageOf, warnIfBusy } from '#test/perf/process-tree.ts'
import { askClamd } from '#test/perf/raw-clamd.ts'
import { figure, type Measurement, median } from '#test/perf/report.ts'
import { sendDocument, signUp } from '#test/perf/scan-load.ts'
import { startUnlimited } from '#test/perf/unlimited-service.ts'
import { startClamd } from '#test/support/clamd.ts'
import type { Service } from '#test/support/service.ts'
import { SERVERS } from '#test/support/suite.ts'
import { findCandidates } from './candidates.ts'
import { GROUPS, type Group, KINDS, MIX } from './kinds.ts'
import { save } from './measurements.ts'
import { type Document, selectMix } from './selection.ts'

const ROUNDS = 3
const WARM_UP_ROUNDS = 2
const CLIENTS = 8
const SAVE = '--save'
/** A verdict, or a document that is refused for what it is. */
const ANSWER = /"status":"(?:clean|infected)"|"status":4(?:15|22)\b/

type Scan = (document: Document) => Promise<boolean>

interface Contender {
  pid: number
  /** Whether it was called clean. */
  scan: Scan
}

/** Medians of the rounds; CPU time is of one document. */
export interface MeasuredGroup {
  name: string
  documents: number
  bytes: number
  clamdPerSecond: number
  clamdMs: number
  /** Throughput as a multiple of clamd's. */
  withClamd: number
  alone: number
  aloneMainMs: number
  aloneWorkersMs: number
  notClean: number
}

interface Taken {
  perSecond: number
  mainMs: number
  workersMs: number
  refused: number
}

async function contender(service: Service): Promise<Contender> {
  const headers = { 'x-api-key': await signUp(service.url) }
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const target = { agent, port: service.port, path: '/api/v1/scan', headers }
  return {
    pid: service.pid,
    async scan({ content, fileName }) {
      const body = await sendDocument(target, content, fileName)
      if (!ANSWER.test(body)) throw new Error(body)
      return body.includes('"status":"clean"')
    },
  }
}

/** Every document once, by several clients. */
async function pass({ pid, scan }: Contender, documents: readonly Document[]): Promise<Taken> {
  const before = usageOf(pid)
  const startedAt = performance.now()
  let refused = 0
  let at = 0
  const client = async () => {
    for (let document = documents[at++]; document; document = documents[at++]) if (!(await scan(document))) refused++
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  const seconds = (performance.now() - startedAt) / 1_000
  const after = usageOf(pid)
  return {
    perSecond: documents.length / seconds,
    mainMs: (after.ownCpuMs - before.ownCpuMs) / documents.length,
    workersMs: (after.childrenCpuMs - before.childrenCpuMs) / documents.length,
    refused,
  }
}

const CLAMD = 'raw INSTREAM to the same clamd'
const WITH_CLAMD = 'Docvet with clamd'
const ALONE = 'Docvet alone'

const middle = (rounds: readonly Taken[], field: keyof Taken): number => median(rounds.map((each) => each[field]))

function lines(taken: ReadonlyMap<string, readonly Taken[]>): string {
  return [...taken]
    .map(
      ([name, rounds]) =>
        `  ${name}: ${figure(middle(rounds, 'perSecond'))}/s, CPU main ${middle(rounds, 'mainMs').toFixed(2)} ms, workers ${middle(rounds, 'workersMs').toFixed(2)} ms, ${middle(rounds, 'refused')} not clean`,
    )
    .join('\n')
}

async function* measureGroup(
  { name, kinds, withClamd, alone }: Group,
  contenders: ReadonlyMap<string, Contender>,
  groups: MeasuredGroup[],
): AsyncGenerator<Measurement> {
  const wanted = KINDS.filter((kind) => kinds.includes(kind.name))
  const documents = selectMix(wanted, MIX, findCandidates(wanted).candidates, (file) => readFileSync(file))
  const bytes = documents.reduce((sum, { content }) => sum + content.length, 0)
  for (const each of contenders.values()) for (let i = 0; i < WARM_UP_ROUNDS; i++) await pass(each, documents)
  const taken = new Map([...contenders.keys()].map((each): [string, Taken[]] => [each, []]))
  for (let i = 0; i < ROUNDS; i++)
    for (const [each, rounds] of taken) {
      const one = contenders.get(each)
      if (one) rounds.push(await pass(one, documents))
    }
  const size = `${documents.length} documents, ${figure(bytes / 1e6)} MB`
  console.log(`${name}: ${size}, ${CLIENTS} in parallel, per document\n${lines(taken)}\n`)
  const base = taken.get(CLAMD) ?? []
  const against = (ours: string) =>
    (taken.get(ours) ?? []).map(({ perSecond }, i) => ({ ours: perSecond, base: base[i]?.perSecond ?? 0 }))
  const ratio = (ours: string) => median(against(ours).map((each) => each.ours / each.base))
  const ofAlone = taken.get(ALONE) ?? []
  groups.push({
    ...{ name, documents: documents.length, bytes },
    ...{ clamdPerSecond: middle(base, 'perSecond'), clamdMs: middle(base, 'mainMs') },
    ...{ withClamd: ratio(WITH_CLAMD), alone: ratio(ALONE), notClean: middle(ofAlone, 'refused') },
    ...{ aloneMainMs: middle(ofAlone, 'mainMs'), aloneWorkersMs: middle(ofAlone, 'workersMs') },
  })
  const what = (ours: string) => `Scans of real documents, ${name}: ${ours}`
  const rest = { unit: 'scans/s', baseline: CLAMD }
  yield { what: what(WITH_CLAMD), ...rest, rounds: against(WITH_CLAMD), target: { atLeast: withClamd } }
  yield { what: what(ALONE), ...rest, rounds: against(ALONE), target: { atLeast: alone } }
}

export async function* measureRealService(args: readonly string[]): AsyncGenerator<Measurement> {
  const names = args.filter((each) => each !== SAVE)
  const wanted = GROUPS.filter(({ name }) => names.length === 0 || names.includes(name))
  if (wanted.length < names.length) throw new Error(`The groups are ${GROUPS.map(({ name }) => name).join(', ')}`)
  if (!SERVERS.clamd.available())
    return console.log('Skipped: clamd is not installed (apt-get install clamav-daemon)\n')
  const busyShare = await warnIfBusy()
  await using clamd = await startClamd()
  await using alone = await startUnlimited()
  await using both = await startUnlimited({ DOCVET_CLAMD_URL: clamd.tcpUrl })
  const contenders = new Map<string, Contender>([
    [
      CLAMD,
      {
        pid: clamd.pid ?? 0,
        scan: async ({ content }) => String(await askClamd(clamd.tcpUrl, content)) === 'stream: OK\0',
      },
    ],
    [WITH_CLAMD, await contender(both)],
    [ALONE, await contender(alone)],
  ])
  const groups: MeasuredGroup[] = []
  for (const group of wanted) yield* measureGroup(group, contenders, groups)
  if (args.includes(SAVE)) save('service', groups, busyShare)
}
