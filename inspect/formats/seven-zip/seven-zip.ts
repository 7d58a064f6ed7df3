/** 7z archives: not unpacked, but a password is told from mere packing where the directory can be read. */

import { ascii, startsWith, view } from '../../bytes.ts'
import type { Format } from '../../visit.ts'
import { notUnpacked } from '../foreign.ts'

const SIGNATURE = ascii('7z\xbc\xaf\x27\x1c')
const START_BYTES = 32
/** The name of AES-256 in the list of coders. A directory that is packed itself shows it only if it is encrypted too. */
const AES = Buffer.from('06f10701', 'hex')

export const sevenZip: Format = {
  applies: ({ bytes }) => startsWith(bytes, SIGNATURE),
  analyse(item, visit) {
    if (directoryOf(view(item.bytes)).includes(AES))
      visit.hinder(item, 'encrypted', 'The 7z archive is protected by a password.')
    else visit.hinder(item, 'too_complex', notUnpacked('application/x-7z-compressed'))
  },
}

/** Empty where the header points outside of the file. */
function directoryOf(bytes: Buffer): Buffer {
  if (bytes.length < START_BYTES) return Buffer.alloc(0)
  const at = START_BYTES + Number(bytes.readBigUInt64LE(12))
  return bytes.subarray(Math.min(at, bytes.length), Math.min(at + Number(bytes.readBigUInt64LE(20)), bytes.length))
}
