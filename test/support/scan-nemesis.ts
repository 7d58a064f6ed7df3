/** Injects random faults into the engines while scans run: kills, freezes, corrupts, misconfigures, and repairs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from './scan-documents.ts'
import { descendants, signalTo } from './scan-process.ts'
import { SPOILINGS } from './scan-proxy.ts'
import type { ScanRig } from './scan-rig.ts'

/** Longer than the deadline of three seconds. */
const FREEZE_MS_MAX = 4_500
const BACKGROUND = { how: SPOILINGS.filter((how) => how !== 'late'), documents: 0.12, canaries: 0 }
/** After a heavy fault most runs wait for recovery, because otherwise every scan would be rejected. */
const RECOVERY_MS_MAX = 9_000

interface Nemesis {
  /** How often each fault was injected. */
  counts: Record<string, number>
  /** Injects and repairs one fault, a random one unless it is named. */
  strike(wanted?: string): Promise<void>
  /** Repairs everything. */
  repair(): Promise<void>
}

export function createNemesis({ clamd, proxies, scans }: ScanRig, dice: Dice): Nemesis {
  const counts: Record<string, number> = {}
  const { pid } = scans.service

  /** A few faults always remain, so that faults of single documents are tested outside outages, too. */
  function calm(): void {
    for (const proxy of proxies) proxy.spoil = BACKGROUND
  }

  async function spoil(share: number, which: 'one' | 'all'): Promise<void> {
    const how = dice.next() < 0.3 ? [dice.pick(SPOILINGS)] : SPOILINGS
    const chosen = which === 'one' ? [dice.pick(proxies)] : proxies
    for (const proxy of chosen) proxy.spoil = { how, documents: share, canaries: share }
    await sleep(dice.whole(500, 2_000))
    calm()
  }

  /** Mostly short; sometimes past the deadline. */
  const freezeMs = () => (dice.next() < 0.75 ? dice.whole(50, 800) : dice.whole(1_000, FREEZE_MS_MAX))

  async function freezeWorkers(pids: readonly number[]): Promise<void> {
    for (const each of pids) signalTo(each, 'SIGSTOP')
    await sleep(freezeMs())
    for (const each of pids) signalTo(each, 'SIGCONT')
  }

  async function restart(conf: Record<string, string> = {}): Promise<void> {
    await clamd.kill()
    if (dice.next() < 0.5) await sleep(dice.whole(0, 1_500))
    await clamd.start(conf)
  }

  const light: Record<string, () => Promise<unknown>> = {
    'worker killed': async () => signalTo(dice.pick(descendants(pid)), 'SIGKILL'),
    'workers killed': async () => {
      for (const each of descendants(pid)) signalTo(each, 'SIGKILL')
    },
    'worker frozen': () => freezeWorkers([dice.pick(descendants(pid))]),
    'workers frozen': () => freezeWorkers(descendants(pid)),
    'clamd frozen briefly': async () => {
      clamd.freeze()
      await sleep(dice.whole(50, 1_000))
      clamd.thaw()
    },
    'one proxy spoiled': () => spoil(dice.next(), 'one'),
    'half of one proxy spoiled': () => spoil(0.5, 'one'),
  }
  const heavy: Record<string, () => Promise<unknown>> = {
    'clamd killed': () => restart(),
    'clamd stopped': async () => {
      await clamd.stop()
      await clamd.start()
    },
    'clamd frozen': async () => {
      clamd.freeze()
      await sleep(dice.whole(1_000, FREEZE_MS_MAX))
      clamd.thaw()
    },
    'all proxies spoiled': () => spoil(1, 'all'),
    'clamd misconfigured': async () => {
      await restart({ AlertExceedsMax: 'no' })
      await sleep(dice.whole(1_000, 5_000))
      await restart({ AlertExceedsMax: 'yes' })
    },
  }

  calm()
  return {
    counts,
    async strike(wanted) {
      const isHeavy = wanted === undefined ? dice.next() < 0.3 : Object.hasOwn(heavy, wanted)
      const faults = isHeavy ? heavy : light
      const name = wanted ?? dice.pick(Object.keys(faults))
      counts[name] = (counts[name] ?? 0) + 1
      await faults[name]!()
      const patient = isHeavy && dice.next() < 0.8
      const until = performance.now() + (patient ? RECOVERY_MS_MAX : 0)
      while (performance.now() < until && (await scans.health()).status !== 'UP') await sleep(200)
      await sleep(dice.whole(100, 1_500))
    },
    async repair() {
      for (const proxy of proxies) proxy.spoil = null
      clamd.thaw()
      await clamd.start()
    },
  }
}
