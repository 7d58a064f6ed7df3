/** ActiveX controls of Office packages and pages saved by Office. */

import { OBJECTS } from '#inspect/catalogue/objects.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'
import { HEAD_BYTES } from '#inspect/detect/sniff.ts'
import { decodeText, encodingOf } from '#inspect/detect/text.ts'
import { targetDetail } from '#inspect/judge/links.ts'
import { classIdOf, judgeClass, linkFinding } from '#inspect/judge/objects.ts'
import { classifyTarget } from '#inspect/targets/targets.ts'

const CONTROL = mark([':classid'], { ignoresCase: true })
const CLASS_ID = /:classid\s*=\s*["']\s*\{?([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})/gi
/** Controls that show a page or a film load it from the address in a property. Those on the web are a matter of the class. */
const PROPERTY = /<(?:\w+:)?ocxPr\s[^<>]*?\bvalue\s*=\s*["']([^"'<>]{1,2000})/gi
const CLASS_WORK = 2_000

/** The stored properties of a control: its class, then data of the control. */
const DATA_NAME = /(?:^|\/)activex\d*\.bin$/i
const CLASS_BYTES = 16

export const controls: Format = {
  among: { members: true },
  applies: (item) =>
    item.parent?.sniffed.kind === 'ooxml' && (item.has(CONTROL) || DATA_NAME.test(item.path.at(-1) ?? '')),
  analyse(item, context) {
    const { bytes } = item
    if (!item.has(CONTROL)) {
      if (bytes.length > CLASS_BYTES) judgeClass(item, classIdOf(view(bytes)), context)
      return
    }
    charge(bytes.length * 4)
    const text = decodeText(bytes, encodingOf(bytes.subarray(0, HEAD_BYTES)) ?? 'utf-8')
    for (const [, clsid = ''] of text.matchAll(CLASS_ID)) {
      charge(CLASS_WORK)
      context.addFinding(item, OBJECTS.activeX)
      judgeClass(item, clsid.toLowerCase(), context)
    }
    for (const [, value = ''] of text.matchAll(PROPERTY)) {
      charge(CLASS_WORK)
      const found = linkFinding(value)
      if (found !== null && classifyTarget(value).kind !== 'web')
        context.addFinding(item, { ...found, detail: targetDetail(value) })
    }
  },
}
