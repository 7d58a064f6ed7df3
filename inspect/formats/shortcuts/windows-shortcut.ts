/** Windows shortcuts (LNK): reads the target and the arguments ([MS-SHLLINK]). */

import { SHORTCUTS } from '#inspect/catalogue/shortcuts.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'
import { binaryType } from '#inspect/detect/sniff.ts'
import { findCommand } from '#inspect/judge/commands.ts'
import { classifyTarget, describeTarget } from '#inspect/judge/targets.ts'

const HEADER_BYTES = 76
const FLAGS_AT = 20
const HAS_TARGET_LIST = 0x1
const HAS_LINK_INFO = 0x2
const IS_UNICODE = 0x80
/** Name, relative path, working directory, arguments and icon: each flag is followed by its string, in this order. */
const STRING_FLAGS = [0x4, 0x8, 0x10, 0x20, 0x40] as const
const [, RELATIVE_PATH, , ARGUMENTS, ICON] = STRING_FLAGS
/** Blocks after the strings that replace the target: the environment variables, and the icon. */
const ENVIRONMENT_BLOCK = 0xa0000001
const PATH_BYTES = 260

interface Shortcut {
  target: string
  arguments: string
  icon: string
}

export const windowsShortcut: Format = {
  applies: ({ bytes }) => binaryType(bytes) === 'application/x-ms-shortcut',
  analyse(item, context) {
    const shortcut = readShortcut(view(item.bytes))
    const command = `${shortcut.target} ${shortcut.arguments}`.trim()
    const isRemote = [shortcut.target, shortcut.icon].some((text) => classifyTarget(text).kind === 'share')
    if (findCommand(command) !== null || findCommand(shortcut.arguments) !== null)
      context.addFinding(item, { ...SHORTCUTS.command, detail: describeTarget(command) })
    else if (isRemote) context.addFinding(item, { ...SHORTCUTS.remote, detail: describeTarget(command) })
  },
}

function readShortcut(bytes: Buffer): Shortcut {
  const flags = bytes.length < HEADER_BYTES ? 0 : bytes.readUInt32LE(FLAGS_AT)
  let at = HEADER_BYTES
  let linked = ''
  if (flags & HAS_TARGET_LIST && at + 2 <= bytes.length) {
    linked = lastName(bytes.subarray(at + 2, at + 2 + bytes.readUInt16LE(at)))
    at += 2 + bytes.readUInt16LE(at)
  }
  if (flags & HAS_LINK_INFO && at + 28 <= bytes.length) {
    linked = linkedPath(bytes.subarray(at, at + bytes.readUInt32LE(at))) || linked
    at += bytes.readUInt32LE(at)
  }
  const { strings, end } = readStrings(bytes, at, flags)
  const target = environmentPath(bytes, end) || linked || (strings.get(RELATIVE_PATH) ?? '')
  return { target, arguments: strings.get(ARGUMENTS) ?? '', icon: strings.get(ICON) ?? '' }
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

/** The last item of a target list names the file, in Latin-1 or UTF-16. */
function lastName(list: Buffer): string {
  const text = list.toString('latin1').replaceAll('\0', '')
  return (
    /([\w .~-]+\.(?:exe|com|cmd|bat|js|vbs|hta|ps1|dll|cpl|msc))(?![\s\S]*\.(?:exe|com|cmd))/i.exec(text)?.[1] ?? ''
  )
}

/** Explorer uses the path with environment variables where there is one. */
function environmentPath(bytes: Buffer, from: number): string {
  for (let at = from; at + 8 <= bytes.length; ) {
    const size = bytes.readUInt32LE(at)
    if (size < 8) return ''
    if (bytes.readUInt32LE(at + 4) === ENVIRONMENT_BLOCK) {
      const wide = bytes.toString('utf16le', at + 8 + PATH_BYTES, Math.min(at + size, bytes.length))
      return wide.split('\0')[0] || (bytes.toString('latin1', at + 8, at + 8 + PATH_BYTES).split('\0')[0] ?? '')
    }
    at += size
  }
  return ''
}
