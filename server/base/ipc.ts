/** Questions and answers between two processes that are connected by Node's message channel. */

/** The supervisor's handle of a process, or a process itself. */
export interface Peer {
  send(message: object, callback: (error: Error | null) => void): boolean
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

type Answer = (payload: unknown) => unknown

interface Question {
  docvet: 'question'
  id: number
  kind: string
  payload: unknown
}

interface Reply {
  docvet: 'reply'
  id: number
  payload?: unknown
  failure?: string
}

export type Channel = ReturnType<typeof createChannel>

const isOurs = (message: unknown): message is Question | Reply =>
  typeof message === 'object' && message !== null && 'docvet' in message

export function createChannel(peer: Peer, answers: Readonly<Record<string, Answer>>) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  let lastId = 0

  function fail(id: number, message: string): void {
    waiting.get(id)?.reject(new Error(message))
    waiting.delete(id)
  }

  async function answer({ id, kind, payload }: Question): Promise<void> {
    const reply: Reply = { docvet: 'reply', id }
    try {
      reply.payload = await answers[kind]?.(payload)
    } catch (error) {
      reply.failure = String(error)
    }
    // A process that has gone needs no reply.
    peer.send(reply, () => {})
  }

  peer.on('message', (message) => {
    if (!isOurs(message)) return
    if (message.docvet === 'question') return void answer(message)
    if (message.failure !== undefined) return fail(message.id, message.failure)
    waiting.get(message.id)?.resolve(message.payload)
    waiting.delete(message.id)
  })
  peer.on('disconnect', () => {
    for (const id of waiting.keys()) fail(id, 'The other process has gone')
  })

  return {
    /** Rejects if there is no reply in time. */
    async ask<T>(kind: string, payload: unknown, timeoutMs: number): Promise<T> {
      const id = ++lastId
      const question: Question = { docvet: 'question', id, kind, payload }
      const reply = Promise.withResolvers<unknown>()
      waiting.set(id, reply)
      const late = setTimeout(() => fail(id, `No reply within ${timeoutMs} ms`), timeoutMs)
      peer.send(question, (error) => {
        if (error) fail(id, error.message)
      })
      try {
        return (await reply.promise) as T
      } finally {
        clearTimeout(late)
      }
    },
  }
}
