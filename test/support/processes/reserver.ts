/** A process that makes reservations in a shared database, controlled by its parent. */
import { flushCompileCache } from 'node:module'
import { newId } from '#base/ids.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { createReplicaStore } from '#usage/replicas.ts'
import { createUsageStore } from '#usage/store.ts'
import { createUsage } from '#usage/usage.ts'

export interface Order {
  url: string | null
  dataDir: string
  keyId: string
  quota: number
  /** `burst`: this many scans with bounded concurrency. `forever`: this many at a time until killed. */
  mode: 'burst' | 'forever'
  count: number
}

const order = JSON.parse(process.argv[2] ?? '') as Order
const database = await openPlace(order)
const replicaId = newId()
const usage = createUsage({
  store: createUsageStore(database, replicaId),
  scansPerMonth: () => order.quota,
  log: quietLog,
})

async function scan(): Promise<boolean> {
  try {
    await using ticket = await usage.reserve(order.keyId, 'free')
    await ticket.charge(newId())
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'quota_exhausted') return false
    throw error
  }
}

const BURST_AT_ONCE = 4

const round = (count: number): Promise<boolean[]> => Promise.all(Array.from({ length: count }, scan))

await createReplicaStore(database, replicaId).beat()
// It may be killed, and then would not keep its compiled modules for the next one.
flushCompileCache()
process.send?.('ready')
process.once('message', async () => {
  if (order.mode === 'burst') {
    let granted = 0
    for (let done = 0; done < order.count; done += BURST_AT_ONCE) {
      granted += (await round(BURST_AT_ONCE)).filter(Boolean).length
    }
    await database.close()
    process.send?.(granted, () => process.disconnect())
    return
  }
  await round(order.count)
  process.send?.('charged')
  for (;;) await round(order.count)
})
