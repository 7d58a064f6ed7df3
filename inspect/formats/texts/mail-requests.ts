/** What a mail asks for, and in whose name. */

import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { linksWithText } from '#inspect/judge/deception/written.ts'
import { judgeFraud } from '#inspect/judge/frauds.ts'
import { judgeImpersonation } from '#inspect/judge/impersonation.ts'
import { withoutTags } from '#inspect/judge/pictures/pretexts.ts'
import { messageOf } from './mail.ts'

/** Longer ones are mailboxes, or have attached files: their texts are at the beginning. */
const MAIL_BYTES_MAX = 400_000
const CHARACTER_WORK = 8

export const mailRequests: Format = {
  applies: (item) => item.sniffed.type === 'message/rfc822',
  analyse(item, context) {
    const source = view(item.bytes.subarray(0, MAIL_BYTES_MAX)).toString('latin1')
    charge(source.length * CHARACTER_WORK)
    const { from, subject, texts } = messageOf(source)
    for (const written of texts) {
      charge(written.length * CHARACTER_WORK)
      const text = `${subject}\n${withoutTags(written)}`
      const links = [...linksWithText(written)]
      const found = judgeFraud(text, links.length > 0) ?? judgeImpersonation({ from, text, links })
      if (found === null) continue
      context.addFinding(item, { ...found.definition, detail: found.detail })
      return
    }
  },
}
