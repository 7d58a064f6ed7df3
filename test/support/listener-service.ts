/** A service with listeners, whose key is created before it starts. */
import { newId } from '#base/ids.ts'
import { mint } from '#keys/key.ts'
import { createKeyStore } from '#keys/store.ts'
import type { Target } from '#test/support/clamd-wire.ts'
import { type ScanService, startScanService } from '#test/support/scanning.ts'
import { openPlace, seedAccount } from '#test/support/seed.ts'
import { freePort, type ServiceOptions, temporaryFolder } from '#test/support/service.ts'

export interface ListenerService extends ScanService {
  keyId: string
  accountId: string
  /** The secret of the key, for HTTP. */
  secret: string
  /** In the order of their options. */
  targets: Target[]
}

type Env = NonNullable<Parameters<typeof startScanService>[0]>

/** An account with a key, in a data folder in which no service runs. */
export async function seedListenerKey(dataDir: string) {
  const database = await openPlace({ url: null, dataDir })
  const accountId = await seedAccount(database)
  const { secret, ...kept } = mint()
  const keyId = newId()
  await createKeyStore(database).insertBelow(1_000, { id: keyId, accountId, name: 'Listener', ...kept })
  await database.close()
  return { keyId, accountId, secret }
}

/** Options of each listener on loopback, such as `unscannable=found`, or with another `key`. */
interface ListenerOptions {
  clamd?: readonly string[]
  icap?: readonly string[]
}

/** Those of clamd come first in `targets`. */
export async function startListenerService(
  { clamd = [], icap = [] }: ListenerOptions = { clamd: [''] },
  env: Env = {},
  serviceOptions: ServiceOptions = {},
): Promise<ListenerService> {
  const dataDir = serviceOptions.dataDir ?? temporaryFolder('data')
  const seeded = await seedListenerKey(dataDir)
  const options = [...clamd, ...icap]
  const targets = await Promise.all(options.map(async () => ({ host: '127.0.0.1', port: await freePort() })))
  const urls = targets.map(({ host, port }, index) => {
    const more = options[index] ?? ''
    const query = /\bkey=/.test(more) ? more : `key=${seeded.keyId}&${more}`
    return `tcp://${host}:${port}?${query.replace(/&$/, '')}`
  })
  const settings = {
    ...(clamd.length > 0 && { DOCVET_CLAMD_LISTEN: urls.slice(0, clamd.length).join(',') }),
    ...(icap.length > 0 && { DOCVET_ICAP_LISTEN: urls.slice(clamd.length).join(',') }),
  }
  const service = await startScanService({ ...settings, ...env }, { ...serviceOptions, dataDir })
  return Object.assign(service, { ...seeded, targets })
}
