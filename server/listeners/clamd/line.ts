/** The replies of one connection: their numbers in a session, and the end of the connection after the last of them. */
import type { Connection } from '#listeners/listen.ts'
import type { Command } from './decoder.ts'

/** Commands of one session that may wait for their reply. */
export const SESSION_PENDING_MAX = 16
/** Replies that a client has not read. */
const UNREAD_BYTES_MAX = 65_536
/** For the client to read the reply, before what it still sends resets the connection. */
const LINGER_MS = 1_000

/** Writes the reply of a command, once. */
export type Reply = (text: string) => void

export function createLine({ socket }: Pick<Connection, 'socket'>) {
  let pending = 0
  /** Number of the last command of a session; null outside of one. */
  let session: number | null = null
  let hasCommand = false
  let isFinished = false

  function write(text: string): void {
    if (text !== '' && socket.writable) socket.write(text, 'latin1')
  }

  /** Reads the rest that the client sends, so that it does not lose the replies. */
  function close(last = ''): void {
    if (pending > 0 || !socket.writable) {
      write(last)
      return
    }
    // With the last reply, which saves a system call.
    socket.end(last, 'latin1')
    const linger = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(linger))
    socket.resume()
  }

  return {
    write,
    /** Returns the function that writes the reply of a command, once. */
    open({ terminator }: Pick<Command, 'terminator'>): Reply {
      const prefix = session === null ? '' : `${++session}: `
      hasCommand = true
      pending++
      return (text) => {
        pending--
        if (session === null) isFinished = true
        const reply = `${prefix}${text}${terminator}`
        if (isFinished) close(reply)
        else write(reply)
      }
    },
    startSession(): void {
      session = 0
      socket.setNoDelay()
    },
    /** Reads no more commands, and closes after the replies that are pending. */
    finish(): void {
      isFinished = true
      close()
    },
    get isSession() {
      return session !== null
    },
    /** Another command may follow. */
    get isOpen() {
      return session !== null || !hasCommand
    },
    get isIdle() {
      return pending === 0
    },
    get isBlocked() {
      return pending >= SESSION_PENDING_MAX || socket.writableLength > UNREAD_BYTES_MAX
    },
    get isFinished() {
      return isFinished
    },
  }
}
