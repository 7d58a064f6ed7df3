/** Starts a chat completions service as a separate process with configurable behaviour. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { atExit, exitOf, freePort } from '#test/support/service.ts'
import type { Behaviour, FromPeer, Seen, ToPeer } from './chat/behaviour.ts'

export interface ChatServer extends AsyncDisposable {
  /** The value of DOCVET_CHAT_URL. */
  url: string
  /** Also clears the recorded requests. */
  behave(behaviour: Behaviour | Behaviour['kind']): Promise<void>
  seen(): Promise<Seen[]>
  freeze(): void
  thaw(): void
}

export const CHAT_KEY = 'sk-test-4f8a9b7c6d5e4f3a2b1c'
export const CHAT_MODEL = 'peer-1'

/** Settings of a Docvet service that uses it. */
export const chatSettings = ({ url }: { url: string }) => ({
  DOCVET_CHAT_URL: url,
  DOCVET_CHAT_KEY: CHAT_KEY,
  DOCVET_CHAT_MODEL: CHAT_MODEL,
})

export async function startChatServer(port?: number): Promise<ChatServer> {
  const listening = port ?? (await freePort())
  const child = fork(new URL('./chat/peer.ts', import.meta.url), [String(listening)])
  const exited = exitOf(child)
  const forget = atExit(() => child.kill('SIGKILL'))
  await Promise.race([once(child, 'message'), exited.then(() => Promise.reject(new Error('The chat service exited')))])
  const ask = async (message: ToPeer): Promise<FromPeer> => {
    child.send(message)
    const [answer] = await once(child, 'message')
    return answer as FromPeer
  }
  return {
    url: `http://127.0.0.1:${listening}/v1`,
    async behave(behaviour) {
      await ask({ set: typeof behaviour === 'string' ? ({ kind: behaviour } as Behaviour) : behaviour })
    },
    async seen() {
      const answer = await ask({ ask: 'seen' })
      return 'seen' in answer ? answer.seen : []
    },
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exited
      forget()
    },
  }
}
