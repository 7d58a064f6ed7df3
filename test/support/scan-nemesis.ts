/** Breaks the engines at random while scans run: kills, freezes, garbles, misconfigures, and mends again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Dice } from './scan-documents.ts'
import { descendants, signalTo } from './scan-process.ts'
import { SPOILINGS } from './scan-proxy.ts'
import type { ScanRig } from './scan-rig.ts'

/** Past the deadline of three seconds. */
const FREEZE_MS_MAX = 4_500
const BACKGROUND = { how: SPOILINGS.filter((how) => how !== 'late'), documents: 0.12, proofs: 0 }
/** After a heavy fault scans are mostly let through again before the next, or nothing but refusals would be seen. */
const MENDED_MS_MAX = 9_000

export interface Nemesis {
  /** How often each fault was brought about. */
  counts: Record<string, number>
  /** One fault, by chance unless it is named, and its mending. */
  strike(wanted?: string): Promise<void>
  /** Everything in order again. */
  mend(): Promise<void>
}

export function createNemesis({ clamd, proxies, scans }: ScanRig, dice: Dice): Nemesis {
  const counts: Record<string, number> = {}
  const { pid } = scans.service

  /** Always a little: what goes wrong with one document must not need an outage to be seen. */
  function calm(): void {
    for (const proxy of proxies) proxy.spoil = BACKGROUND
  }

  async function spoil(share: number, which: 'one' | 'all'): Promise<void> {
    const how = dice.next() < 0.3 ? [dice.pick(SPOILINGS)] : SPOILINGS
    const chosen = which === 'one' ? [dice.pick(proxies)] : proxies
    for (const proxy of chosen) proxy.spoil = { how, documents: share, proofs: share }
    await sleep(dice.whole(500, 2_000))
    calm()
  }

  /** Mostly short; sometimes past the deadline. */
  const freezeMs = () => (dice.next() < 0.75 ? dice.whole(50, 800) : dice.whole(1_000, FREEZE_MS_MAX))

  async function freezeChildren(pids: readonly number[]): Promise<void> {
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
    'child killed': async () => signalTo(dice.pick(descendants(pid)), 'SIGKILL'),
    'children killed': async () => {
      for (const each of descendants(pid)) signalTo(each, 'SIGKILL')
    },
    'child frozen': () => freezeChildren([dice.pick(descendants(pid))]),
    'children frozen': () => freezeChildren(descendants(pid)),
    'clamd frozen shortly': async () => {
      clamd.freeze()
      await sleep(dice.whole(50, 1_000))
      clamd.thaw()
    },
    'one way spoiled': () => spoil(dice.next(), 'one'),
    'half of one way spoiled': () => spoil(0.5, 'one'),
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
    'all ways spoiled': () => spoil(1, 'all'),
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
      const until = performance.now() + (patient ? MENDED_MS_MAX : 0)
      while (performance.now() < until && (await scans.health()).status !== 'UP') await sleep(200)
      await sleep(dice.whole(100, 1_500))
    },
    async mend() {
      for (const proxy of proxies) proxy.spoil = null
      clamd.thaw()
      await clamd.start()
    },
  }
}
