/** Writes controls of forms and documents for tests ([MS-OFORMS]). */

export interface Control {
  name: string
  type: number
  tag?: string
  tip?: string
  caption?: string
  value?: string
  group?: string
}

const uint16 = (value: number): Buffer => Buffer.from([value & 0xff, value >> 8])
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value >>> 0)
  return bytes
}
const text = (content: string): Buffer =>
  Buffer.concat([Buffer.from(content, 'latin1')], Math.ceil(content.length / 4) * 4)
const length = (content: string): Buffer => uint32(content.length + 2 ** 31)
const size = Buffer.alloc(8, 1)
const block = (version: number, ...parts: Buffer[]): Buffer => {
  const data = Buffer.concat(parts)
  return Buffer.concat([uint16(version), uint16(data.length), data])
}

const LABEL = 21

/** A label, a text box or another control ([MS-OFORMS] 2.2.4 and 2.2.5). */
function controlData({ type, caption = '', value = '', group = '' }: Control): Buffer {
  if (type === LABEL) return block(0x200, uint32(0x28), length(caption), text(caption), size)
  const isGrouped = group !== ''
  const lengths = [length(value), length(caption), ...(isGrouped ? [length(group)] : [])]
  const texts = [text(value), text(caption), text(group)]
  return block(0x200, uint32(0xc00101), uint32(isGrouped ? 1 : 0), uint32(7), ...lengths, size, ...texts)
}

function siteOf(control: Control, index: number): Buffer {
  const { name, type, tag = '', tip = '' } = control
  const mask = 0x1e7 | (tip === '' ? 0 : 0x800)
  const bytes = uint32(controlData(control).length)
  const data = [length(name), length(tag), uint32(index), bytes, uint16(index), uint16(type)]
  const tips = tip === '' ? [] : [length(tip)]
  return block(0, uint32(mask), ...data, ...tips, text(name), text(tag), size, text(tip))
}

/** The streams of a form. Bytes of a font precede the list of controls. */
export function formStreams(form: string, controls: readonly Control[], frame = ''): Record<string, Buffer> {
  const name = form.slice(form.lastIndexOf('/') + 1)
  const depths = Buffer.concat(
    [Buffer.concat(controls.map(() => Buffer.from([0, 1])))],
    Math.ceil(controls.length / 2) * 4,
  )
  const sites = Buffer.concat([depths, ...controls.map(siteOf)])
  const head = Buffer.concat([Buffer.from('000408000000000000000000', 'hex'), Buffer.alloc(30, 0xff)])
  return {
    [`${form}/f`]: Buffer.concat([head, uint32(controls.length), uint32(sites.length), sites]),
    [`${form}/o`]: Buffer.concat(controls.map(controlData)),
    [`${form}/\x03VBFrame`]: Buffer.from(`VERSION 5.00\r\nBegin {0} ${name}\r\n${frame}End\r\n`),
  }
}

/** Classes of a text box, a label, a list and an option button, as stored. */
const CLASSES: Readonly<Record<number, string>> = {
  23: '101dd28b42ecce119e0d00aa006002f3',
  21: '239e8c97b0d4ce11bf2d00aa003f40d0',
  25: '301dd28b42ecce119e0d00aa006002f3',
  27: '501dd28b42ecce119e0d00aa006002f3',
}

/** Of a control in the text of a document of Word 97. */
export const controlStorage = (number: number): string => `ObjectPool/_${1_600_000_000 + number}`

export const controlClass = ({ type }: Control): string => CLASSES[type] ?? ''

export function controlStreams(control: Control, number: number): Record<string, Buffer> {
  const storage = controlStorage(number)
  return {
    [`${storage}/contents`]: controlData(control),
    [`${storage}/\x03OCXNAME`]: Buffer.from(`${control.name}\0\0`, 'utf16le'),
  }
}

/** The part `activeX1.bin` of a package. */
export const controlPart = (control: Control): Buffer =>
  Buffer.concat([Buffer.from(controlClass(control), 'hex'), controlData(control)])
