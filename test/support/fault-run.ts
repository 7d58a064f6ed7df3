/** One seed of the fault run: clients scan while faults are injected; then the history is compared with the database. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, request } from '#test/support/raw-http.ts'
import { createBuyers } from './fault-buyers.ts'
import { createAsking } from './fault-chat.ts'
import { type Operation, violationsOf } from './fault-checker.ts'
import { createMembers } from './fault-members.ts'
import type { FaultRig } from './fault-rig.ts'
import { createDice, type Dice, nextDocument } from './scan-documents.ts'
import { until } from './scan-process.ts'
import { type Done, scan } from './scan-rig.ts'

const CLIENTS = 8
/** A client repeats a scan without an answer this often, with the same Idempotency-Key. */
const ATTEMPTS_MAX = 4
const RECOVERY_MS_MAX = 9_000
/** Leases of a killed replica are released after a minute without a heartbeat. */
const SETTLE_MS_MAX = 100_000
const SHORT_FAULT_MS_MAX = 800
const SHORT_CLIENTS = 4

interface RunOptions {
  seed: number
  scans: number
  quota: number
  /** The short form: each of these once, and no wait for what a minute or more must pass for. */
  short?: readonly string[]
}

interface RunResult {
  faults: Record<string, number>
  /** Requests by status and verdict or code. */
  outcomes: Record<string, number>
  requests: number
  charged: number
  /** Accounts, purchases and answers of the assistant during the run. */
  members: number
  purchases: number
  replies: number
  violations: string[]
}

async function untilAnswered(send: () => Promise<Answer>, status: number): Promise<Answer> {
  for (;;) {
    const answer = await send().catch(() => null)
    if (answer?.status === status) return answer
    await sleep(100)
  }
}

export async function runSeed(rig: FaultRig, { seed, scans, quota, short }: RunOptions): Promise<RunResult> {
  await rig.untilReady()
  const email = `fault-${seed}-${Date.now()}@example.com`
  const [port = 0, otherPort = 0] = rig.ports
  const { apiKey, accountId } = (
    await untilAnswered(() => request(port, 'POST', '/api/v1/signup', { body: { email } }), 201)
  ).json() as { apiKey: string; accountId: string }

  const operations: Operation[] = []
  let areFaultsOver = false
  async function client(_: unknown, index: number): Promise<void> {
    const dice = createDice(seed + 1_000 + index)
    while (operations.length < scans || (short && !areFaultsOver)) {
      const operation: Operation = { isIdempotent: dice.next() < 0.5, attempts: [] }
      const name = `${seed}-${operations.push(operation)}`
      await perform(operation, name, dice)
    }
  }

  async function perform({ isIdempotent, attempts }: Operation, name: string, dice: Dice): Promise<void> {
    const document = nextDocument(dice, name)
    const headers: Record<string, string> = isIdempotent ? { 'idempotency-key': `key-${name}` } : {}
    for (let left = isIdempotent ? ATTEMPTS_MAX : 1; left > 0; left--) {
      const done = await scan(dice.pick(rig.ports), apiKey, document, headers)
      attempts.push(done)
      // Some clients repeat a request that was answered.
      if (done.outcome === 'ok' && dice.next() < 0.9) return
      await sleep(done.outcome === 'ok' ? 0 : dice.whole(100, 1_000))
    }
  }

  const faults: Record<string, number> = {}
  const dice = createDice(seed)
  const working = Promise.all(Array.from({ length: short ? SHORT_CLIENTS : CLIENTS }, client))
  let isDone = false
  const [members, buyers, asking] = [createMembers(rig, seed), createBuyers(rig, seed), createAsking(rig.ports)]
  const others = [members, buyers, asking].map((each, index) => each.run(createDice(seed + 500 + index), () => isDone))
  void working.finally(() => {
    isDone = true
  })
  const strike = async (name: string): Promise<void> => {
    faults[name] = (faults[name] ?? 0) + 1
    await rig.faults[name]?.(dice)
  }
  if (short) await strikeEach(shuffled(short, dice), strike)
  while (!short && !isDone) {
    await strike(dice.pick(Object.keys(rig.faults)))
    // Otherwise most scans would be rejected because of the fault before.
    if (dice.next() < 0.8) await rig.isRecovered(RECOVERY_MS_MAX)
    await sleep(dice.whole(50, 800))
  }
  if (short) await rig.untilReady()
  areFaultsOver = true
  await working
  await Promise.all(others)
  await rig.untilReady()
  const violations = [
    ...(await check(rig, { accountId, operations, quota, settleMs: short ? 0 : SETTLE_MS_MAX })),
    ...(await members.violations()),
    ...(await buyers.violations(!short)),
    ...asking.violations,
  ]
  // The account and its key survived on both replicas.
  for (const at of [port, otherPort]) {
    const answer = await request(at, 'GET', '/api/v1/usage', { headers: { 'x-api-key': apiKey } })
    if (answer.status !== 200) violations.push(`The key is answered with ${answer.status} after the run.`)
  }
  const all = operations.flatMap(({ attempts }) => attempts)
  const charged = (await ledgerOf(rig, accountId)).length
  const counts = { members: members.count(), purchases: buyers.count(), replies: asking.answered() }
  return { faults, outcomes: countOutcomes(all), requests: all.length, charged, ...counts, violations }
}

/** The next fault does not wait long for the repair of the one before. */
async function strikeEach(names: readonly string[], strike: (name: string) => Promise<void>): Promise<void> {
  const repaired: Promise<void>[] = []
  for (const name of names) {
    const fault = strike(name)
    repaired.push(fault)
    await Promise.race([fault, sleep(SHORT_FAULT_MS_MAX)])
  }
  await Promise.all(repaired)
}

function shuffled(names: readonly string[], dice: Dice): string[] {
  return names
    .toSorted()
    .map((name) => ({ name, at: dice.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ name }) => name)
}

function countOutcomes(all: readonly Done[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, said } of all) {
    const name = status === 0 ? 'unknown' : `${status} ${said}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

interface Checked {
  accountId: string
  operations: readonly Operation[]
  quota: number
  /** 0: does not check that all reservations are released. */
  settleMs: number
}

const ledgerOf = ({ query }: FaultRig, accountId: string) =>
  query<{ scan_id: string }>(
    'select scan_id from usage_ledger join api_keys on api_keys.id = key_id where account_id = $1',
    [accountId],
  )

async function check(rig: FaultRig, { accountId, operations, quota, settleMs }: Checked): Promise<string[]> {
  const counters = async () => {
    const [row] = await rig.query<{ used: string | null; reserved: string | null }>(
      `select sum(used) as used, sum(reserved) as reserved
       from usage_counters join api_keys on api_keys.id = key_id where account_id = $1`,
      [accountId],
    )
    return { used: Number(row?.used ?? 0), reserved: Number(row?.reserved ?? 0) }
  }
  const isSettled = async () => settleMs === 0 || (await counters()).reserved === 0
  const settled = await until(isSettled, settleMs, 1_000)
  const { used } = await counters()
  const charged = new Set((await ledgerOf(rig, accountId)).map(({ scan_id: id }) => id))
  return [
    ...(settled === null ? ['Reservations are left.'] : []),
    ...violationsOf({ operations, charged, used, quota }),
  ]
}
