/** Links of workbooks in the binary format of Excel 2007 (xlsb) to DDE servers. */

import { EXCEL } from '#inspect/catalogue/excel.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { charge } from '#inspect/core/work.ts'
import { judgeDde } from '#inspect/judge/dde.ts'
import { describeTarget } from '#inspect/targets/targets.ts'

/** BrtBeginSupBook ([MS-XLSB] 2.4.178). */
const SUP_BOOK = 360
const DDE_LINK = 1
const RECORD_WORK = 200
const STRING_MAX = 32_767

export const binaryExternalLink: Format = {
  among: { members: true },
  applies: ({ path, parent }) =>
    /\.bin$(?<=externallink[^/]*)/i.test(path.at(-1) ?? '') && parent?.sniffed.kind === 'ooxml',
  analyse(item, context) {
    const bytes = view(item.bytes)
    for (let at = 0; at < bytes.length; ) {
      charge(RECORD_WORK)
      const id = numberAt(bytes, at, 2)
      const size = numberAt(bytes, id.end, 4)
      const data = bytes.subarray(size.end, size.end + size.value)
      at = size.end + size.value
      if (id.value !== SUP_BOOK || data.length < 2 || data.readUInt16LE(0) !== DDE_LINK) continue
      const server = stringAt(data, 2)
      const topic = stringAt(data, server.end).text
      const found = judgeDde(server.text, topic) === 'command' ? EXCEL.ddeCommand : EXCEL.ddeFeed
      context.addFinding(item, { ...found, detail: describeTarget(`${server.text} ${topic}`) })
    }
  },
}

/** Seven bits in each byte; the highest bit says whether another follows.. */
function numberAt(bytes: Buffer, from: number, bytesMax: number): { value: number; end: number } {
  let value = 0
  for (let i = 0; i < bytesMax; i++) {
    const byte = bytes[from + i] ?? 0
    value += (byte & 0x7f) * 128 ** i
    if (byte < 0x80) return { value, end: from + i + 1 }
  }
  return { value, end: from + bytesMax }
}

function stringAt(bytes: Buffer, at: number): { text: string; end: number } {
  if (at + 4 > bytes.length) return { text: '', end: at }
  const length = Math.min(bytes.readUInt32LE(at), STRING_MAX)
  const end = at + 4 + length * 2
  return { text: bytes.toString('utf16le', at + 4, Math.min(end, bytes.length)), end }
}
