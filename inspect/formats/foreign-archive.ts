/** Archives of types that are not unpacked. */

import { SCRIPTS } from '#inspect/catalogue/scripts.ts'
import { ascii, startsWith } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { unsupportedArchive } from '#inspect/core/obstacles.ts'
import { isCabinet } from '#inspect/detect/cabinet.ts'
import { roleOf } from '#inspect/detect/magic.ts'
import { binaryType } from '#inspect/detect/sniff.ts'

const OWN_FORMAT = new Set([
  'application/gzip',
  'application/x-tar',
  'application/x-7z-compressed',
  'application/vnd.ms-tnef',
])

const FLASH = 'application/vnd.adobe.flash.movie'
const ZLIB_FLASH = ascii('CWS')
/** Its pages run scripts and programs in the help viewer. */
const COMPILED_HELP = 'application/vnd.ms-htmlhelp'
const CABINET = 'application/vnd.ms-cab-compressed'

export const foreignArchive: Format = {
  among: { binary: true },
  applies: ({ bytes }) => {
    const type = binaryType(bytes) ?? ''
    if (roleOf(type) !== 'archive' || OWN_FORMAT.has(type)) return false
    return !(type === CABINET && isCabinet(bytes)) && !(type === FLASH && startsWith(bytes, ZLIB_FLASH))
  },
  analyse(item, context) {
    const type = binaryType(item.bytes)
    if (type === COMPILED_HELP && item.parent !== null) context.addFinding(item, { ...SCRIPTS.help, detail: null })
    context.addObstacle(item, 'too_complex', unsupportedArchive(type))
  },
}
