/** Mails that nobody but their receiver can read, and those in encodings that are not undone here: told by their words. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'

// Nothing in them goes past a line or a `:`, so a million of them are read once.
const ENCRYPTED =
  /^content-type[ \t]*:\s*(?:multipart\/encrypted\b|application\/(?:x-)?pkcs7-mime\b[^:]{0,500}\b(?:auth)?enveloped-data\b)/im
/** The line, what may be said in lines of its own, an empty line, and the first digits. */
const PGP = /^-----BEGIN PGP MESSAGE-----[ \t]*\r?\n(?:[A-Za-z]{1,20}: [^\r\n]{0,200}\r?\n){0,10}[ \t]*\r?\n[\w+/]{20}/m
const BINHEX = /^\(This file must be converted with BinHex/im
const YENC = /^=ybegin [^\r\n]*\bname=/m
const PARTIAL = /^content-type[ \t]*:\s*message\/partial\b/im

export const unreadableMail: Format = {
  applies: (item) => item.mentions('unreadableMail'),
  analyse(item, context) {
    const text = view(item.bytes).toString('latin1')
    if (ENCRYPTED.test(text) || PGP.test(text)) context.addObstacle(item, 'encrypted', 'The mail is encrypted.')
    if (BINHEX.test(text)) context.addObstacle(item, 'too_complex', 'It holds a file in BinHex.')
    if (YENC.test(text)) context.addObstacle(item, 'too_complex', 'It holds a file in yEnc.')
    if (PARTIAL.test(text)) context.addObstacle(item, 'too_complex', 'The mail is one part of several.')
  },
}
