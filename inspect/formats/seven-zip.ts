/** 7z archives: not unpacked, but a password is told from mere packing where the directory can be read. */

import { ascii, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'

const SIGNATURE = ascii('7z\xbc\xaf\x27\x1c')
const START_BYTES = 32
/** The name of AES-256 in the list of coders. A directory that is packed itself shows it only if it is encrypted too. */
const AES = Buffer.from('06f10701', 'hex')

/** Archives in one item of which the directory is read. Each may be as long as the item. */
const DIRECTORIES_MAX = 16

export const sevenZip: Format = {
  // Anywhere: 7-Zip searches for the beginning, because installers stand in front of it.
  applies: ({ bytes }) => next(bytes, 0) !== -1,
  analyse(item, context) {
    let read = 0
    for (let at = next(item.bytes, 0); at !== -1; at = next(item.bytes, at + 1)) {
      read += 1
      if (read <= DIRECTORIES_MAX && directoryOf(view(item.bytes.subarray(at))).includes(AES)) {
        context.addObstacle(item, 'encrypted', 'The 7z archive is protected by a password.')
      } else {
        context.addObstacle(item, 'too_complex', unsupportedArchive('application/x-7z-compressed'))
        return
      }
    }
  },
}

function next(bytes: Uint8Array, from: number): number {
  return view(bytes).indexOf(SIGNATURE, from)
}

/** Empty where the header points outside of the file. */
function directoryOf(bytes: Buffer): Buffer {
  if (bytes.length < START_BYTES) return Buffer.alloc(0)
  const at = START_BYTES + Number(bytes.readBigUInt64LE(12))
  return bytes.subarray(Math.min(at, bytes.length), Math.min(at + Number(bytes.readBigUInt64LE(20)), bytes.length))
}
