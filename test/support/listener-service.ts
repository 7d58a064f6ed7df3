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

/** One listener on loopback for each of the options, such as `unscannable=found`, or with another `key`. */
export async function startListenerService(
  options: readonly string[] = [''],
  env: Env = {},
  serviceOptions: ServiceOptions = {},
  setting = 'DOCVET_CLAMD_LISTEN',
): Promise<ListenerService> {
  const dataDir = serviceOptions.dataDir ?? temporaryFolder('data')
  const seeded = await seedListenerKey(dataDir)
  const targets = await Promise.all(options.map(async () => ({ host: '127.0.0.1', port: await freePort() })))
  const urls = targets.map(({ host, port }, index) => {
    const more = options[index] ?? ''
    const query = /\bkey=/.test(more) ? more : `key=${seeded.keyId}&${more}`
    return `tcp://${host}:${port}?${query.replace(/&$/, '')}`
  })
  const service = await startScanService({ [setting]: urls.join(','), ...env }, { ...serviceOptions, dataDir })
  return Object.assign(service, { ...seeded, targets })
}

export const startIcapService = (options?: readonly string[], env?: Env, serviceOptions?: ServiceOptions) =>
  startListenerService(options, env, serviceOptions, 'DOCVET_ICAP_LISTEN')
