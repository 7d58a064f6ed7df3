/** Client for any OpenAI-compatible chat completions service. */
import type { Log } from '#base/log.ts'
import { createConfiguredHttp, type Outcome } from '#base/outbound-http.ts'
import type { Prompt } from './prompt.ts'

/** For all attempts together, so that our client gets an answer within 30 seconds. */
const DEADLINE_MS = 29_000
/** A completion is a few kilobytes. */
export const RESPONSE_BYTES_MAX = 262_144
/** Enough for a reply and for the reasoning before it. */
const TOKENS_MAX = 2_000
/** Bounds the model name that the service reports. */
export const MODEL_NAME_LENGTH_MAX = 200
const NOT_IN_MODEL_NAMES = /[^\w.:/@+ -]/g

export type Completion =
  | { kind: 'answered'; content: string; model: string }
  /** No connection, or no answer in time. `didWork`: the model may have worked on the question. */
  | { kind: 'unreachable'; why: string; didWork: boolean }
  /** The answer is no completion. `why` contains no upstream text; the status is null if the answer was unreadable. */
  | { kind: 'failed'; why: string; status: number | null }
  /** The client disconnected. `silentMs`: how long it had waited for a first byte; 0 if the answer had started. */
  | { kind: 'abandoned'; silentMs: number }

interface CompleteOptions {
  log: Pick<Log, 'warn'>
  /** Aborted when the client disconnects. */
  gone?: AbortSignal | undefined
}

export type Upstream = ReturnType<typeof createUpstream>

interface UpstreamOptions {
  url: string
  key: string | null
  model: string
  deadlineMs?: number
}

/** Not every service accepts these. One that the service rejects by name is omitted from then on. */
const OPTIONAL: Readonly<Record<string, unknown>> = {
  response_format: { type: 'json_object' },
  temperature: 0,
  max_tokens: TOKENS_MAX,
}

/** Newer OpenAI models accept only this name. Every call sends one of the two. */
const RENAMED: Readonly<Record<string, string>> = { max_tokens: 'max_completion_tokens' }

/** An error message may quote anything, so an option counts only right after a complaint. */
function isRejected(name: string, body: string): boolean {
  const error = (parse(body) as Loose)?.error as Loose | string
  const { param, code, message } = typeof error === 'object' && error !== null ? error : { message: error ?? body }
  if (param === name || code === name) return true
  const complaint = new RegExp(`(?:unsupported|unrecognized|unknown|not supported).{0,40}\\b${name}\\b`, 'i')
  return typeof message === 'string' && complaint.test(message)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

type Loose = Record<string, unknown> | null | undefined

function readCompletion(body: string, configured: string): Completion {
  const value = parse(body) as Loose
  const choices = value?.choices
  const message = (Array.isArray(choices) ? choices[0] : null)?.message as Loose
  const content = message?.content
  const failed = (why: string): Completion => ({ kind: 'failed', why, status: 200 })
  if (typeof message?.refusal === 'string' && message.refusal !== '') return failed('the model refused')
  if (typeof content !== 'string') return failed('not a completion')
  if (content.trim() === '') return failed('an empty completion')
  const reported = typeof value?.model === 'string' ? value.model.replaceAll(NOT_IN_MODEL_NAMES, '').trim() : ''
  return { kind: 'answered', content, model: reported.slice(0, MODEL_NAME_LENGTH_MAX) || configured }
}

function completionOf(answer: Outcome, configured: string): Completion {
  switch (answer.kind) {
    case 'late':
      return { kind: 'unreachable', why: 'no answer in time', didWork: true }
    case 'broken':
      return { kind: 'unreachable', why: answer.why, didWork: answer.responseBegan }
    case 'refused':
      return { kind: 'unreachable', why: `a URL that ${answer.why}`, didWork: false }
    case 'invalid':
      return { kind: 'failed', why: `a response that is ${answer.why}`, status: null }
    case 'answered':
      return answer.status === 200
        ? readCompletion(answer.body, configured)
        : { kind: 'failed', why: `status ${answer.status}`, status: answer.status }
  }
}

export function createUpstream({ url, key, model, deadlineMs = DEADLINE_MS }: UpstreamOptions) {
  const http = createConfiguredHttp(url)
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json',
    ...(key !== null && { authorization: `Bearer ${key}` }),
  }
  const extras: Record<string, unknown> = { ...OPTIONAL }

  async function send(messages: Prompt['messages'], deadline: AbortSignal): Promise<Outcome> {
    const body = JSON.stringify({ model, messages, stream: false, ...extras })
    const request = { method: 'POST', url: `${url}/chat/completions`, headers, body, deadline } as const
    const once = () => http.send({ ...request, responseBytesMax: RESPONSE_BYTES_MAX })
    const first = await once()
    return first.kind === 'broken' && !first.responseBegan ? await once() : first
  }

  /** Omits rejected options from now on; false if the error is about something else. */
  function dropRejected({ status, body }: { status: number; body: string }, log: CompleteOptions['log']): boolean {
    if (status !== 400 && status !== 422) return false
    const rejected = Object.keys(OPTIONAL).filter((name) => name in extras && isRejected(name, body))
    for (const name of rejected) {
      const other = RENAMED[name]
      if (other !== undefined) extras[other] = extras[name]
      delete extras[name]
      log.warn({ option: name, ...(other && { instead: other }) }, 'Language model rejected an option')
    }
    return rejected.length > 0
  }

  return {
    async complete(messages: Prompt['messages'], { log, gone }: CompleteOptions): Promise<Completion> {
      const started = performance.now()
      const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(gone ? [gone] : [])])
      let answer = await send(messages, signal)
      while (answer.kind === 'answered' && dropRejected(answer, log)) answer = await send(messages, signal)
      if (!gone?.aborted) return completionOf(answer, model)
      const wasSilent = answer.kind === 'late' && !answer.responseBegan
      return { kind: 'abandoned', silentMs: wasSilent ? performance.now() - started : 0 }
    },
    close: http.close,
  }
}
