/** Actions and hyperlinks of binary presentations ([MS-PPT] 2.6.1 and 2.10.16). */

import { OFFICE } from '#inspect/catalogue/office.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { isOle2 } from '#inspect/detect/sniff.ts'
import { createLinkJudge, judgeHover, targetDetail } from '#inspect/judge/links.ts'

const HEADER_BYTES = 8
const CONTAINER = 0xf
const ACTION_SETTINGS = 0x0ff2
const ACTION = 0x0ff3
const HYPERLINK_ID = 0x0fd3
const TEXT = 0x0fba
/** Instances of text: the target, and the place in it. */
const TARGET = 1
const RUN_PROGRAM = 2
const FOLLOW_LINK = 4

const RECORD_WORK = 100
const RECORD_BYTES = 100

interface ActionRecord {
  isHover: boolean
  action: number
  linkId: number
}

export const binarySlides: Format = {
  among: { members: true },
  applies: ({ path, parent }) => path.at(-1) === 'PowerPoint Document' && parent !== null && isOle2(parent.bytes),
  analyse(item, context) {
    const { actions, targets } = readActions(view(item.bytes))
    const links = createLinkJudge(item, context)
    for (const target of targets.values()) links.add(target)
    links.finish()
    for (const action of actions) judgeAction(item, action, targets.get(action.linkId) ?? '', context)
  },
}

function judgeAction(item: Item, { isHover, action }: ActionRecord, target: string, context: Context): void {
  if (action === RUN_PROGRAM) context.addFinding(item, { ...OFFICE.programAction, detail: targetDetail(target) })
  if (!isHover || action !== FOLLOW_LINK) return
  const found = judgeHover(target)
  if (found !== null) context.addFinding(item, { ...found, detail: targetDetail(target) })
}

function readActions(bytes: Buffer): { actions: ActionRecord[]; targets: Map<number, string> } {
  const actions: ActionRecord[] = []
  const targets = new Map<number, string>()
  let isHover = false
  let linkId = 0
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    charge(RECORD_WORK)
    const flags = bytes.readUInt16LE(at)
    const type = bytes.readUInt16LE(at + 2)
    const data = bytes.subarray(at + HEADER_BYTES, at + HEADER_BYTES + bytes.readUInt32LE(at + 4))
    if (type === ACTION_SETTINGS) isHover = flags >> 4 === 1
    if (type === HYPERLINK_ID && data.length >= 4) linkId = data.readUInt32LE(0)
    if (type === ACTION && data.length >= 9) {
      keep(RECORD_BYTES)
      actions.push({ isHover, action: data[8] ?? 0, linkId: data.readUInt32LE(4) })
    }
    if (type === TEXT && flags >> 4 === TARGET && linkId !== 0 && !targets.has(linkId)) {
      keep(RECORD_BYTES + data.length)
      targets.set(linkId, data.toString('utf16le'))
    }
    at += HEADER_BYTES + (isContainer(flags, type) ? 0 : data.length)
  }
  return { actions, targets }
}

/** Its records follow the header. */
function isContainer(flags: number, type: number): boolean {
  return (flags & CONTAINER) === CONTAINER && type !== 0
}
