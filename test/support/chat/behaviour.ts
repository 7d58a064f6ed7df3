/** Behaviours and messages of the chat completions service for tests. */

/** `text` is the content of the completion. */
export type Behaviour =
  | { kind: 'faithful' | 'gullible' | 'decline' | 'leak' | 'ramble' | 'empty' | 'refuse' | 'garbage' | 'endless' }
  | {
      kind:
        | 'stall'
        | 'stall midway'
        | 'break off'
        | 'hang up'
        | 'hang up once'
        | 'redirect'
        | 'compressed'
        | 'not UTF-8'
        | 'no model'
    }
  | { kind: 'text'; text: string }
  | { kind: 'status'; status: number }
  | { kind: 'body'; body: string; headers?: Record<string, string> }
  /** Sends these bytes and closes the connection. */
  | { kind: 'raw'; bytes: string }
  /** Rejects requests with one of these fields, as some services do. */
  | { kind: 'picky'; fields: string[] }
  /** Rejects every request with 400 and this body. */
  | { kind: 'complain'; body: string }

export interface Seen {
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
}

export type ToPeer = { set: Behaviour } | { ask: 'seen' }
export type FromPeer = { port: number } | { done: true } | { seen: Seen[] }

export const REPORTED_MODEL = 'peer-1-2026-11'
