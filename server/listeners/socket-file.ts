/** The files of a listener: its unix socket with mode and group, and its certificate. */
import { accessSync, chmodSync, chownSync, constants, lstatSync, readFileSync, unlinkSync } from 'node:fs'
import net from 'node:net'
import { dirname } from 'node:path'
import { messageOf } from '#base/message-of.ts'
import type { Listener } from './specification.ts'

const UNCHANGED = -1
/** The user and group of the service, unless the listener says otherwise. */
const DEFAULT_MODE = 0o660
const CONNECT_MS = 1_000

/** Before several processes share the sockets, because one of them could not tell the others from a stranger. */
export async function removeStaleSockets(listeners: readonly { address: object }[]): Promise<void> {
  for (const { address } of listeners) if ('path' in address) await removeStaleSocket(String(address.path))
}

/** Removes the file if no process accepts connections on it. Any other file is left alone, and the listener then fails. */
export async function removeStaleSocket(path: string): Promise<void> {
  if (!isSocket(path)) return
  const isStale = await new Promise<boolean>((resolve) => {
    const socket = net.connect({ path })
    const settle = (isDead: boolean) => {
      socket.destroy()
      resolve(isDead)
    }
    socket.setTimeout(CONNECT_MS, () => settle(false))
    socket.once('connect', () => settle(false))
    socket.once('error', (error: NodeJS.ErrnoException) => settle(error.code === 'ECONNREFUSED'))
  })
  if (isStale) unlinkSync(path)
}

function isSocket(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSocket() ?? false
}

export function setOwnership({ path, mode, group }: { path: string; mode: number | null; group: string | null }): void {
  if (group !== null) chownSync(path, UNCHANGED, groupId(group))
  chmodSync(path, mode ?? DEFAULT_MODE)
}

/** Why its files cannot be used; null if they can. */
export function filesProblem({ address, tls }: Pick<Listener, 'address' | 'tls'>): string | null {
  try {
    for (const file of tls ? [tls.cert, tls.key] : []) accessSync(file, constants.R_OK)
    if (!('path' in address)) return null
    accessSync(dirname(address.path), constants.W_OK)
    if (address.group !== null) groupId(address.group)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

/** Throws for an unknown group. Node has no function for it. */
function groupId(group: string): number {
  if (/^\d+$/.test(group)) return Number(group)
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${group}:`))
  const [, , id] = line?.split(':') ?? []
  if (id === undefined) throw new Error(`There is no group named ${group}`)
  return Number(id)
}
