/** The faults of a run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LINK_FAULTS } from './fault-link.ts'
import type { Replicas } from './fault-rig.ts'
import type { FaultServers } from './fault-servers.ts'
import type { Dice } from './scan-documents.ts'
import { descendants, signalTo } from './scan-process.ts'
import { SPOILINGS } from './scan-proxy.ts'

/** Past the deadline of a scan, and of a statement. */
const FREEZE_MS_MAX = 4_000
const HOUR_MS = 60 * 60 * 1_000
/** Past the end of a month, of a session, and of the tolerance for tokens. */
const CLOCK_OFFSETS_MS = [-40 * 24, -24, -1, -0.05, 0.05, 1, 24, 40 * 24].map((hours) => hours * HOUR_MS)

/** Each resolves when it is repaired. */
type Faults = Record<string, (dice: Dice) => Promise<unknown>>

const freezeMs = (dice: Dice) => (dice.next() < 0.6 ? dice.whole(50, 800) : dice.whole(1_000, FREEZE_MS_MAX))

async function freeze(server: { freeze(): unknown; thaw(): unknown }, dice: Dice): Promise<void> {
  server.freeze()
  await sleep(freezeMs(dice))
  server.thaw()
}

async function pause(pids: readonly number[], dice: Dice): Promise<void> {
  for (const pid of pids) signalTo(pid, 'SIGSTOP')
  await sleep(freezeMs(dice))
  for (const pid of pids) signalTo(pid, 'SIGCONT')
}

function replicaFaults(replicas: Replicas): Faults {
  const workersOf = (dice: Dice) => descendants(replicas.pid(dice.whole(0, 1)))
  return {
    'replica killed': (dice) => replicas.end(dice.whole(0, 1), 'SIGKILL', dice.whole(0, 1_000)),
    'replica restarted': (dice) => replicas.end(dice.whole(0, 1), 'SIGTERM', dice.whole(0, 1_000)),
    'replica frozen': (dice) => pause([replicas.pid(dice.whole(0, 1))], dice),
    'replica clock moved': async (dice) => {
      const index = dice.whole(0, 1)
      replicas.moveClock(index, dice.pick(CLOCK_OFFSETS_MS))
      await sleep(freezeMs(dice) + 500)
      replicas.moveClock(index, 0)
    },
    'workers killed': async (dice) => {
      for (const pid of workersOf(dice)) signalTo(pid, 'SIGKILL')
    },
    'workers frozen': (dice) => pause(workersOf(dice), dice),
  }
}

function storageFaults({ postgres, redis, disk }: FaultServers): Faults {
  return {
    'PostgreSQL crashed': async () => {
      await postgres.stop('immediate')
      await postgres.start()
    },
    'PostgreSQL frozen': (dice) => freeze(postgres, dice),
    'Redis killed': async (dice) => {
      await redis.stop()
      await sleep(dice.whole(0, 1_500))
      await redis.start()
    },
    'Redis frozen': (dice) => freeze(redis, dice),
    ...(disk.isMounted && {
      'disk full': async (dice) => {
        const free = disk.fill()
        await sleep(dice.whole(500, FREEZE_MS_MAX))
        free()
      },
    }),
  }
}

function peerFaults({ clamd, proxies, mail, assistant, marketplace }: FaultServers): Faults {
  return {
    'clamd killed': async () => {
      await clamd.kill()
      await clamd.start()
    },
    'clamd frozen': (dice) => freeze(clamd, dice),
    'clamd replies spoiled': async (dice) => {
      const share = dice.next()
      for (const proxy of proxies) proxy.spoil = { how: SPOILINGS, documents: share, canaries: share / 4 }
      await sleep(dice.whole(500, 2_000))
      for (const proxy of proxies) proxy.spoil = null
    },
    'SMTP stopped': async (dice) => {
      await mail.stop()
      await sleep(dice.whole(0, 2_000))
      await mail.start()
    },
    'SMTP refuses': async (dice) => {
      mail.behaviour = { refuse: { code: 451 } }
      await sleep(freezeMs(dice))
      mail.behaviour = {}
    },
    'SMTP slow': async (dice) => {
      mail.behaviour = { slow: { at: dice.pick(['rcpt', 'data']), ms: 3_000 } }
      await sleep(freezeMs(dice))
      mail.behaviour = {}
    },
    'assistant killed': async (dice) => {
      await assistant.kill()
      await sleep(dice.whole(0, 1_500))
      await assistant.start()
    },
    'assistant frozen': (dice) => freeze(assistant.server(), dice),
    'assistant fails': async (dice) => {
      await assistant.server().behave(dice.pick(['stall', 'garbage', 'endless', 'hang up', 'empty'] as const))
      await sleep(freezeMs(dice))
      await assistant.server().behave('faithful')
    },
    // Its purchases are in memory, and a marketplace does not lose them. So the process lives on.
    'marketplace stopped': async (dice) => {
      await marketplace.close()
      await sleep(dice.whole(0, 1_500))
      await marketplace.open()
    },
    'marketplace frozen': (dice) => freeze(marketplace, dice),
    'marketplace fails': async (dice) => {
      const fault = dice.pick([{ status: 500 }, { drop: true }, { drop: true, afterwards: true }, { lateMs: 2_000 }])
      for (const step of ['token', 'resolve', 'activate', 'operation', 'acknowledge', 'fetch'])
        await marketplace.faults(step, fault, fault)
      await sleep(freezeMs(dice))
      await marketplace.forget()
    },
  }
}

export function createFaults(servers: FaultServers, replicas: Replicas): Faults {
  const linkFault = (link: FaultServers['links'][keyof FaultServers['links']]) => async (dice: Dice) => {
    link.fault = dice.pick(LINK_FAULTS)
    await sleep(freezeMs(dice))
    link.fault = null
  }
  const links = Object.entries(servers.links).map(([name, link]) => [`${name} link`, linkFault(link)])
  return {
    ...replicaFaults(replicas),
    ...storageFaults(servers),
    ...peerFaults(servers),
    ...Object.fromEntries(links),
  }
}
