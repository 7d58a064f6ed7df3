/** Random changes of documents. */

import { inflateRawSync } from 'node:zlib'
import type { Random } from './random.ts'
import { writeZip } from './zip-writer.ts'

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0x50, 0x4b]

const WAYS: readonly ((bytes: Buffer, at: number, random: Random) => Buffer)[] = [
  (bytes, at, random) => change(bytes, at, Buffer.from([(bytes[at] ?? 0) ^ (1 << random(8))])),
  (bytes, at, random) => change(bytes, at, Buffer.from([INTERESTING[random(INTERESTING.length)] ?? 0])),
  (bytes, at, random) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random(8))]),
  (bytes, at, random) =>
    Buffer.concat([bytes.subarray(0, at), Buffer.alloc(1 + random(8), random(256)), bytes.subarray(at)]),
  (bytes, at) => Buffer.from(bytes.subarray(0, Math.max(1, at))),
  (bytes, at, random) => change(bytes, at, bytes.subarray(random(bytes.length), random(bytes.length))),
  (bytes, at, random) => change(bytes, at, Buffer.alloc(1 + random(4), 0xff)),
]

function change(bytes: Buffer, at: number, by: Uint8Array): Buffer {
  const changed = Buffer.from(bytes)
  changed.set(by.subarray(0, changed.length - at), at)
  return changed
}

/** Up to four changes. Never empty. */
export function mutate(source: Buffer, random: Random): Buffer {
  let bytes = source
  for (let i = random(4); i >= 0; i--) bytes = WAYS[random(WAYS.length)]?.(bytes, random(bytes.length), random) ?? bytes
  return bytes.length === 0 ? Buffer.from('x') : bytes
}

const LOCAL_HEAD = 30
const DEFLATED = 8

/** The members of an archive with sizes in its local headers. Null: not such an archive. */
export function membersOf(archive: Buffer): { name: string; data: Buffer }[] | null {
  const members: { name: string; data: Buffer }[] = []
  for (let at = 0; at + LOCAL_HEAD <= archive.length && archive.readUInt32LE(at) === 0x04034b50; ) {
    const size = archive.readUInt32LE(at + 18)
    const nameEnd = at + LOCAL_HEAD + archive.readUInt16LE(at + 26)
    const start = nameEnd + archive.readUInt16LE(at + 28)
    if (size === 0 || start + size > archive.length) return null
    const packed = archive.subarray(start, start + size)
    const isDeflated = archive.readUInt16LE(at + 8) === DEFLATED
    members.push({
      name: archive.toString('utf8', at + LOCAL_HEAD, nameEnd),
      data: isDeflated ? inflateRawSync(packed) : packed,
    })
    at = start + size
  }
  return members.length === 0 ? null : members
}

/** Changes one member, so that the change reaches the analysers of its format. */
export function mutateMember(members: readonly { name: string; data: Buffer }[], random: Random): Buffer {
  const chosen = random(members.length)
  return writeZip(
    members.map(({ name, data }, i) => ({ name, data: i === chosen && data.length > 0 ? mutate(data, random) : data })),
  )
}
