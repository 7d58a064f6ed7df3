/** The language model: any service that speaks the chat completions of OpenAI. */
import type { Log } from '#base/log.ts'
import { createOutboundHttp, type Outcome } from '#base/outbound-http.ts'
import type { Prompt } from './prompt.ts'

/** For everything together, so that the client has an answer within 30 seconds. */
export const DEADLINE_MS = 29_000
/** A completion is a few kilobytes. */
export const RESPONSE_BYTES_MAX = 262_144
/** Enough for a reply, and for a model that thinks before. */
const TOKENS_MAX = 2_000
/** Of what the service reports: as long as names of models are, and of the characters that they have. */
export const MODEL_NAME_LENGTH_MAX = 200
const NOT_IN_MODEL_NAMES = /[^\w.:/@+ -]/g

export type Completion =
  | { kind: 'answered'; content: string; model: string }
  /** It could not be reached, or not in time. Without a connection that held, it did not work for us either. */
  | { kind: 'unreachable'; why: string; didWork: boolean }
  /** It answered, but not with a completion. `why` holds nothing of what it said; no status if that was no answer. */
  | { kind: 'failed'; why: string; status: number | null }
  /** Nobody waits for it any more. It had been silent for so long until then; 0 if it was about to answer. */
  | { kind: 'abandoned'; silentMs: number }

export interface CompleteOptions {
  log: Pick<Log, 'warn'>
  /** Aborted when nobody waits for the answer any more. */
  gone?: AbortSignal | undefined
}

export interface Upstream {
  complete(messages: Prompt['messages'], options: CompleteOptions): Promise<Completion>
  close(): void
}

export interface UpstreamOptions {
  url: string
  key: string | null
  model: string
  deadlineMs?: number
}

/** What not every service or model takes. One that refuses it by name is asked without from then on. */
const OPTIONAL: Readonly<Record<string, unknown>> = {
  response_format: { type: 'json_object' },
  temperature: 0,
  max_tokens: TOKENS_MAX,
}

/** Newer models of OpenAI know the bound by this name only. There is no call without a bound. */
const RENAMED: Readonly<Record<string, string>> = { max_tokens: 'max_completion_tokens' }

/** A message may quote anything, so a name in it counts only right after a complaint. */
function isRefused(name: string, body: string): boolean {
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
    case 'invalid':
      return { kind: 'failed', why: `a response that is ${answer.why}`, status: null }
    case 'answered':
      return answer.status === 200
        ? readCompletion(answer.body, configured)
        : { kind: 'failed', why: `status ${answer.status}`, status: answer.status }
  }
}

export function createUpstream({ url, key, model, deadlineMs = DEADLINE_MS }: UpstreamOptions): Upstream {
  const http = createOutboundHttp()
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

  /** Whether the refusal is about something that we can do without; that is left out from now on. */
  function giveWay({ status, body }: { status: number; body: string }, log: CompleteOptions['log']): boolean {
    if (status !== 400 && status !== 422) return false
    const refused = Object.keys(OPTIONAL).filter((name) => name in extras && isRefused(name, body))
    for (const name of refused) {
      const other = RENAMED[name]
      if (other !== undefined) extras[other] = extras[name]
      delete extras[name]
      log.warn({ option: name, ...(other && { instead: other }) }, 'the language model does not take an option')
    }
    return refused.length > 0
  }

  return {
    async complete(messages, { log, gone }) {
      const started = performance.now()
      const signal = AbortSignal.any([AbortSignal.timeout(deadlineMs), ...(gone ? [gone] : [])])
      let answer = await send(messages, signal)
      while (answer.kind === 'answered' && giveWay(answer, log)) answer = await send(messages, signal)
      if (!gone?.aborted) return completionOf(answer, model)
      const wasSilent = answer.kind === 'late' && !answer.responseBegan
      return { kind: 'abandoned', silentMs: wasSilent ? performance.now() - started : 0 }
    },
    close: () => http.close(),
  }
}
