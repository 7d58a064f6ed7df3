/** Unpacks the entries of one archive, encrypted ones with the given passwords. */

import { archivePasswords } from '#inspect/codecs/password-encodings.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { type Lock, lockOf } from './decrypt.ts'
import type { Entry } from './entries.ts'
import { type Unpacked, unpack } from './unpack.ts'

/** null: no password opens it. */
export type Opener = (entry: Entry) => Unpacked | null

/** Entries with a slow check that no password opened. Others of the archive are not tried then. */
export const FAILURES_MAX = 10

export function createOpener(item: Item, context: Context): Opener {
  const { limits, budget } = context
  let passwords = context.passwordsFor(item).flatMap(archivePasswords)
  let failures = 0

  function attempt(password: Buffer, lock: Lock, { central }: Entry): Unpacked | null {
    if (lock.rounds > 0 && !context.chargeHashRounds(item, lock.rounds)) return null
    const plain = lock.open(password)
    if (plain === null) return null
    const declared = { method: plain.method, unpacked: central.unpacked, crc: plain.crc }
    const unpacked = unpack(plain.packed, declared, budget.remaining(), limits)
    // A wrong password passed the short check.
    return unpacked.problem?.reason === 'damaged' ? null : unpacked
  }

  function unlock(entry: Entry): Unpacked | null {
    const lock = passwords.length === 0 ? null : lockOf(item.bytes, entry)
    if (lock === null || (lock.rounds > 0 && failures >= FAILURES_MAX)) return null
    for (const password of passwords) {
      const unpacked = attempt(password, lock, entry)
      if (unpacked === null) continue
      // Most archives have one password.
      passwords = [password, ...passwords.filter((each) => each !== password)]
      return unpacked
    }
    if (lock.rounds > 0) failures++
    return null
  }

  return (entry) => {
    if (entry.conflict === null && entry.encrypted) return unlock(entry)
    const packed = item.bytes.subarray(entry.local?.dataAt ?? entry.end, entry.end)
    return unpack(packed, entry.central, budget.remaining(), limits)
  }
}
