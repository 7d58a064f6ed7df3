/** Detects 7z archives, which are not unpacked, and whether they are encrypted. */

import { ascii, view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'

const SIGNATURE = ascii('7z\xbc\xaf\x27\x1c')
const MARK = mark(['7z\xbc\xaf\x27\x1c'])
const START_BYTES = 32
/** Id of the AES-256 coder. A compressed directory shows it only if the directory is encrypted too. */
const AES = Buffer.from('06f10701', 'hex')

/** Directories read in one item. Each may be as long as the item. */
const DIRECTORIES_MAX = 16

export const sevenZip: Format = {
  among: { marks: [MARK] },
  // At any offset: 7-Zip searches for the signature, because installers precede it.
  applies: (item) => item.has(MARK),
  analyse(item, context) {
    let read = 0
    for (let at = next(item.bytes, 0); at !== -1; at = next(item.bytes, at + 1)) {
      read += 1
      if (read <= DIRECTORIES_MAX && directoryOf(view(item.bytes.subarray(at))).includes(AES)) {
        context.addObstacle(item, 'encrypted', 'The 7z archive is password-protected.')
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

/** Empty if the header points outside the file. */
function directoryOf(bytes: Buffer): Buffer {
  if (bytes.length < START_BYTES) return Buffer.alloc(0)
  const at = START_BYTES + Number(bytes.readBigUInt64LE(12))
  return bytes.subarray(Math.min(at, bytes.length), Math.min(at + Number(bytes.readBigUInt64LE(20)), bytes.length))
}
