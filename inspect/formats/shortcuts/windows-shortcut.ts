/** Windows shortcuts (LNK): reads the target and the arguments ([MS-SHLLINK]). */

import { PROGRAMS } from '#inspect/catalogue/programs.ts'
import { SHORTCUTS } from '#inspect/catalogue/shortcuts.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { binaryType } from '#inspect/detect/sniff.ts'
import { isPackedOrMailed } from '#inspect/judge/containers.ts'
import { EVERYDAY } from '#inspect/judge/files.ts'
import { classifyTarget, describeTarget, reachOf } from '#inspect/targets/targets.ts'
import { PATH_FILES, RUNNABLE } from '#inspect/windows/extensions.ts'
import { opensDocument, type Shortcut, startsInstalled, startsServed } from './plain-targets.ts'

const HEADER_BYTES = 76
const FLAGS_AT = 20
const ATTRIBUTES_AT = 24
const WINDOW_AT = 60
const MINIMIZED = 7
const IS_FOLDER = 0x10
const HAS_TARGET_LIST = 0x1
const HAS_LINK_INFO = 0x2
const IS_UNICODE = 0x80
/** Name, relative path, working directory, arguments and icon: each flag is followed by its string, in this order. */
const STRING_FLAGS = [0x4, 0x8, 0x10, 0x20, 0x40] as const
const [, RELATIVE_PATH, , ARGUMENTS, ICON] = STRING_FLAGS
/** The block after the strings that replaces the target. */
const ENVIRONMENT_BLOCK = 0xa0000001
/** Blocks that say how a window looks, where a file was moved to, and what it is called. */
const PLAIN_BLOCKS = new Set([0xa0000002, 0xa0000003, 0xa0000004, 0xa0000005, 0xa0000009, 0xa000000b])
/** Bytes after the last block. Attackers append whole files. */
const PADDING_MAX = 16
const PATH_BYTES = 260

export const windowsShortcut: Format = {
  among: { binary: true },
  applies: ({ bytes }) => binaryType(bytes) === 'application/x-ms-shortcut',
  analyse(item, context) {
    const shortcut = readShortcut(view(item.bytes))
    const command = `${shortcut.target} ${shortcut.arguments}`.trim()
    const isRemote = [...shortcut.targets, shortcut.icon].some((text) => classifyTarget(text).kind === 'share')
    const isCommand = findCommand(command) !== null || findCommand(shortcut.arguments) !== null
    const name = item.path.at(-1) ?? ''
    if (!isCommand && isPackedOrMailed(item) && opensDocument(shortcut, name)) {
      const onZone = shortcut.targets.find((path) => reachOf(classifyTarget(path).host) === 'zone')
      if (onZone === undefined) context.addFinding(item, { ...SHORTCUTS.document, detail: null })
      else context.addFinding(item, { ...SHORTCUTS.file, detail: describeTarget(onZone) })
      context.overrule(item, [PROGRAMS.shortcut.id])
      context.record(item, EVERYDAY, true)
      return
    }
    if (isPackedOrMailed(item) && (startsInstalled(shortcut, name) || startsServed(shortcut, name))) {
      context.addFinding(item, { ...SHORTCUTS.program, detail: null })
      context.overrule(item, [PROGRAMS.shortcut.id])
      context.record(item, EVERYDAY, true)
      return
    }
    context.addFinding(item, PROGRAMS.shortcut)
    if (isCommand) context.addFinding(item, { ...SHORTCUTS.command, detail: describeTarget(command) })
    else if (isRemote) context.addFinding(item, { ...SHORTCUTS.remote, detail: describeTarget(command) })
  },
}

function readShortcut(bytes: Buffer): Shortcut {
  const flags = bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32LE(FLAGS_AT)
  let at = HEADER_BYTES
  let listed = ''
  let linked = ''
  let items = ''
  let path = ''
  if (flags & HAS_TARGET_LIST && at + 2 <= bytes.length) {
    const list = bytes.subarray(at + 2, at + 2 + bytes.readUInt16LE(at))
    items = list.toString('latin1')
    listed = lastName(items)
    path = listedPath(list)
    at += 2 + bytes.readUInt16LE(at)
  }
  if (flags & HAS_LINK_INFO && at + 28 <= bytes.length) {
    linked = linkedPath(bytes.subarray(at, at + bytes.readUInt32LE(at)))
    at += bytes.readUInt32LE(at)
  }
  const { strings, end } = readStrings(bytes, at, flags)
  const { environment, isPlain } = readBlocks(bytes, end)
  // Bytes before the name may look like a part of it.
  if (listed.toLowerCase().endsWith(path.split('\\').at(-1)?.toLowerCase() || '\0')) listed = ''
  const targets = [environment, linked, path, listed, strings.get(RELATIVE_PATH) ?? ''].filter((path) => path !== '')
  return {
    target: targets[0] ?? '',
    targets,
    arguments: strings.get(ARGUMENTS) ?? '',
    icon: strings.get(ICON) ?? '',
    isFolder: bytes.length >= HEADER_BYTES && (bytes.readUInt32LE(ATTRIBUTES_AT) & IS_FOLDER) !== 0,
    isMinimized: bytes.length >= HEADER_BYTES && bytes.readUInt32LE(WINDOW_AT) === MINIMIZED,
    items,
    isPlain,
  }
}

function readStrings(bytes: Buffer, from: number, flags: number): { strings: Map<number, string>; end: number } {
  const strings = new Map<number, string>()
  const width = flags & IS_UNICODE ? 2 : 1
  let at = from
  for (const flag of STRING_FLAGS) {
    if (!(flags & flag) || at + 2 > bytes.length) continue
    const end = at + 2 + bytes.readUInt16LE(at) * width
    strings.set(flag, bytes.toString(width === 2 ? 'utf16le' : 'latin1', at + 2, end))
    at = end
  }
  return { strings, end: at }
}

/** The local or network path in the link information. */
function linkedPath(info: Buffer): string {
  if (info.length < 28) return ''
  const textAt = (offset: number) => {
    const end = info.indexOf(0, offset)
    return offset === 0 || offset >= info.length ? '' : info.toString('latin1', offset, end === -1 ? info.length : end)
  }
  const networkAt = info.readUInt32LE(20)
  const share =
    networkAt > 0 && networkAt + 12 <= info.length ? textAt(networkAt + info.readUInt32LE(networkAt + 8)) : ''
  const rest = textAt(info.readUInt32LE(24))
  return share === '' ? textAt(info.readUInt32LE(16)) + rest : `${share}\\${rest}`
}

const ITEM_KIND = 0x70
const [VOLUME_ITEM, FILE_ITEM] = [0x20, 0x30]
/** The block with the long name, and where the name begins in its versions. */
const NAME_BLOCK = 0xbeef0004
const NAME_BLOCK_BYTES = Buffer.from('0400efbe', 'hex')
const IS_WIDE_ITEM = 0x4
const SHORT_NAME_AT = 14
const NAME_AT: Readonly<Record<number, number>> = { 3: 20, 7: 38, 8: 42, 9: 46 }

/** The path that the items of a target list make; empty if one of them is no file, folder or volume. */
function listedPath(list: Buffer): string {
  const names: string[] = []
  for (let at = 0; at + 2 <= list.length; ) {
    const item = list.subarray(at, at + list.readUInt16LE(at))
    if (item.length < 4 || at + item.length > list.length) break
    const kind = (item[2] as number) & ITEM_KIND
    if (kind === VOLUME_ITEM) names.push(textOf(item, 3, 'latin1').replace(/\\$/, ''))
    else if (kind === FILE_ITEM) names.push(longNameOf(item))
    at += item.length
  }
  return names.length < 2 || names.includes('') ? '' : names.join('\\')
}

function longNameOf(item: Buffer): string {
  const at = item.readUInt16LE(item.length - 2)
  if (at + 8 > item.length || item.readUInt32LE(at + 4) !== NAME_BLOCK) return shortNameOf(item)
  const nameAt = NAME_AT[item.readUInt16LE(at + 2)]
  if (nameAt === undefined) return ''
  const name = textOf(item, at + nameAt, 'utf16le')
  // Some programs write a shorter block, so that the name begins before its place.
  const short = textOf(item, SHORT_NAME_AT, 'latin1')
  return name !== short && /^[\w.-]+$/.test(short) && short.endsWith(name) ? short : name
}

/** Programs that write shortcuts leave the block away. An item with a block in another place is not understood. */
function shortNameOf(item: Buffer): string {
  const isWide = ((item[2] as number) & IS_WIDE_ITEM) !== 0
  return item.includes(NAME_BLOCK_BYTES) ? '' : textOf(item, SHORT_NAME_AT, isWide ? 'utf16le' : 'latin1')
}

function textOf(bytes: Buffer, from: number, encoding: 'latin1' | 'utf16le'): string {
  return /^[^\0]*/.exec(bytes.toString(encoding, from))?.[0] ?? ''
}

const RUNNABLE_NAME = anyCase`^[\w .~-]+\.${RUNNABLE}`

/** The last item of a target list names the file, in Latin-1 or UTF-16. */
function lastName(list: string): string {
  const text = list.replaceAll('\0', '')
  const programAt = Math.max(...PATH_FILES.map((ending) => text.toLowerCase().lastIndexOf(`.${ending}`)))
  for (const { 0: run, index } of text.matchAll(/[\w .~-]+/g)) {
    const name = RUNNABLE_NAME.exec(run)?.[0]
    if (name !== undefined && index + name.length > programAt) return name
  }
  return ''
}

/** Explorer uses the path with environment variables where there is one. */
function readBlocks(bytes: Buffer, from: number): { environment: string; isPlain: boolean } {
  let environment = ''
  let isPlain = true
  let at = from
  for (; at + 4 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at)
    if (size < 8 || at + 8 > bytes.length) break
    const type = bytes.readUInt32LE(at + 4)
    if (type === ENVIRONMENT_BLOCK) environment ||= blockPath(bytes, at, size)
    else if (!PLAIN_BLOCKS.has(type)) isPlain = false
    at += size
  }
  const isEnded = at + 4 <= bytes.length && bytes.readUInt32LE(at) < 4 && bytes.length - at - 4 <= PADDING_MAX
  return { environment, isPlain: isPlain && isEnded }
}

function blockPath(bytes: Buffer, at: number, size: number): string {
  const wide = bytes.toString('utf16le', at + 8 + PATH_BYTES, Math.min(at + size, bytes.length))
  return wide.split('\0')[0] || (bytes.toString('latin1', at + 8, at + 8 + PATH_BYTES).split('\0')[0] ?? '')
}
