/** Detects encrypted mail, and mail in encodings that are not decoded. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'

// No match extends past a line or a `:`, so a million of them are read only once.
const ENCRYPTED =
  /^content-type[ \t]*:\s*(?:multipart\/encrypted\b|application\/(?:x-)?pkcs7-mime\b[^:]{0,500}\b(?:auth)?enveloped-data\b)/im
const BINHEX = /^(?:\(This file must be converted|content-type[ \t]*:\s*application\/mac-binhex)/im
const YENC = /^=ybegin [^\r\n]*?\b(?:line|size|name)=/m
const PARTIAL = /^content-type[ \t]*:\s*message\/partial\b/im

/** Work for each byte. */
const BYTE_WORK = 8

export const unreadableMail: Format = {
  among: { keywords: ['unreadableMail'] },
  applies: (item) => item.mentions('unreadableMail'),
  analyse(item, context) {
    charge(item.bytes.length * BYTE_WORK)
    const text = view(item.bytes).toString('latin1')
    if (ENCRYPTED.test(text)) context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
    if (BINHEX.test(text))
      context.addObstacle(item, 'too_complex', 'It contains a file in BinHex, which is not decoded.')
    if (YENC.test(text)) context.addObstacle(item, 'too_complex', 'It contains a file in yEnc, which is not decoded.')
    if (PARTIAL.test(text)) context.addObstacle(item, 'too_complex', 'The mail is one part of a split message.')
  },
}
