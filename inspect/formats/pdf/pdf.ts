/** Looks into PDF files: shows the rules every stream decoded, and goes into embedded files. */

import { ascii, startsWith, view } from '../../bytes.ts'
import { pdfHeaderAt } from '../../sniff.ts'
import type { Format, Item, Visit } from '../../visit.ts'
import { accessTo, type Decrypt } from './encryption.ts'
import { decode } from './filters.ts'
import { OBJECTS_MAX, objectsOf } from './objects.ts'
import { type PdfStream, streamsOf } from './streams.ts'
import { nameExpression } from './syntax.ts'

const USTAR = ascii('ustar')
const EMBEDDED = nameExpression('EmbeddedFile')
const NEVER_ENCRYPTED = nameExpression('XRef')

export const pdf: Format = {
  applies: ({ bytes }) => pdfHeaderAt(bytes) !== -1,
  analyse(item, visit) {
    const objects = objectsOf(view(item.bytes).toString('latin1'))
    if (objects === null) {
      visit.hinder(item, 'too_complex', `It has more than ${OBJECTS_MAX} objects.`)
      return
    }
    const access = accessTo(objects)
    if (access.state === 'locked') visit.hinder(item, 'encrypted', access.detail)
    const decrypt = access.state === 'open' ? access.decrypt : null
    let count = 0
    for (const stream of streamsOf(item.bytes)) {
      count += 1
      if (count > visit.limits.pdfStreamsMax) {
        visit.hinder(item, 'too_complex', `It has more than ${visit.limits.pdfStreamsMax} streams.`)
        return
      }
      look(item, stream, decrypt, visit)
    }
  },
}

function look(item: Item, stream: PdfStream, decrypt: Decrypt | null, visit: Visit): void {
  const { object, generation, dictionary, filters, start, end } = stream
  const room = visit.room()
  const stored = item.bytes.subarray(start, end)
  const clear = decrypt === null || has(dictionary, NEVER_ENCRYPTED)
  const embedded = has(dictionary, EMBEDDED)
  const data = clear ? stored : decrypt(object, generation, stored, embedded)
  const result = decode(data, clear ? item.bytes.subarray(start) : null, filters, room)
  if (result === 'too_large') {
    visit.spend(room, 'stream')
    visit.hinder(item, 'too_complex', `A stream unpacks to more than the ${room} bytes that are left.`)
    return
  }
  if (!clear && filters[0]?.startsWith('Fl') && !result.decoded)
    visit.hinder(item, 'encrypted', 'A stream could not be decrypted.', [...item.path, `object ${object}`])
  const changed = result.decoded || !clear
  if (changed) visit.spend(result.bytes.length, 'stream')
  const name = `object ${object}`
  if (embedded || isContainer(result.bytes)) visit.member(item, name, result.bytes)
  else if (changed) visit.show(item, name, result.bytes)
}

function has(dictionary: string, name: RegExp): boolean {
  name.lastIndex = 0
  return name.test(dictionary)
}

const STARTS = [
  'PK\x03\x04',
  'PK\x05\x06',
  '\xd0\xcf\x11\xe0',
  '%PDF',
  '{\\rt',
  '\xe4\x52\x5c\x7b',
  '\x7fELF',
  'L\0\0\0',
]
const ARCHIVE_STARTS = ['7z\xbc\xaf', 'Rar!', '\x1f\x8b\x08', 'MSCF', 'BZh', '\xfd7zX', 'MZ']
const CONTAINERS = new RegExp(`^(?:${[...STARTS, ...ARCHIVE_STARTS].map((start) => RegExp.escape(start)).join('|')})`)

/** Embedded files need not say that they are. Asked for every stream, so by the first bytes alone. */
function isContainer(bytes: Uint8Array): boolean {
  return CONTAINERS.test(view(bytes.subarray(0, 4)).toString('latin1')) || startsWith(bytes, USTAR, 257)
}
