/** Splits the bytes of a connection into commands, and into the chunks of streams. */

/** The terminator of a command and of its reply. Without a prefix a packet is one command, and its reply ends with `\n`. */
export interface Command {
  text: string
  terminator: '\0' | '\n'
  isOldStyle: boolean
}

export type Item =
  | ({ kind: 'command' } & Command)
  /** A part of a chunk, in memory that is used again: copy it. */
  | { kind: 'piece'; bytes: Buffer }
  | { kind: 'end of stream' }
  /** Longer than any command. */
  | { kind: 'invalid' }

/** With the longest path that Linux knows. */
export const COMMAND_BYTES_MAX = 4_352
const LENGTH_BYTES = 4
const TERMINATORS = { 110: '\n', 122: '\0' } as const
const NEWLINE = 10
const OLD_STYLE = ['PING', 'VERSION', 'RELOAD', 'QUIT', 'SHUTDOWN', 'SCAN ', 'CONTSCAN ', 'MULTISCAN ']

/** The beginning of a command that arrives in several packets. */
const isUnfinished = (text: string): boolean => OLD_STYLE.some((name) => name !== text && name.startsWith(text))

export type Decoder = ReturnType<typeof createDecoder>

export function createDecoder() {
  let input: Buffer = Buffer.alloc(0)
  let isStream = false
  /** Of the current chunk; null before its length is complete. */
  let chunkLeft: number | null = null

  const take = (count: number): Buffer => {
    const taken = input.subarray(0, count)
    input = input.subarray(count)
    return taken
  }

  function command(text: string, terminator: Command['terminator'], isOldStyle: boolean): Item {
    return { kind: 'command', text: terminator === '\n' ? text.replace(/\r$/, '') : text, terminator, isOldStyle }
  }

  function nextCommand(): Item | null {
    const [first = 0] = input
    const terminator = TERMINATORS[first as keyof typeof TERMINATORS]
    const isOldStyle = terminator === undefined
    const end = input.indexOf(isOldStyle ? NEWLINE : terminator.charCodeAt(0))
    const length = end === -1 ? input.length : end
    if (length > COMMAND_BYTES_MAX) return { kind: 'invalid' }
    if (end === -1 && (!isOldStyle || isUnfinished(input.toString('latin1')))) return null
    const text = take(length + 1).toString('latin1', isOldStyle ? 0 : 1, length)
    return command(text, terminator ?? '\n', isOldStyle)
  }

  function nextOfStream(): Item | null {
    if (chunkLeft === null) {
      if (input.length < LENGTH_BYTES) return null
      chunkLeft = take(LENGTH_BYTES).readUInt32BE()
    }
    if (chunkLeft === 0) {
      chunkLeft = null
      isStream = false
      return { kind: 'end of stream' }
    }
    if (input.length === 0) return null
    const bytes = take(Math.min(chunkLeft, input.length))
    chunkLeft -= bytes.length
    if (chunkLeft === 0) chunkLeft = null
    return { kind: 'piece', bytes }
  }

  return {
    /** The decoder owns the chunk from now on. */
    add(chunk: Buffer): void {
      input = input.length === 0 ? chunk : Buffer.concat([input, chunk])
    },
    /** Null when more bytes are needed. */
    next: (): Item | null => (input.length === 0 ? null : isStream ? nextOfStream() : nextCommand()),
    /** A stream follows the command that was just returned. */
    startStream(): void {
      isStream = true
    },
    /** Bytes of a command that is not complete. */
    get isEmpty() {
      return input.length === 0
    },
  }
}
