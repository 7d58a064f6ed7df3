/** How a question to a child ended; an answer counts only if it is whole, and about just the bytes that were sent. */
import type { Whole } from '#engines/sample.ts'
import type { Frame } from './protocol.ts'
import { type Answer, parseAnswer, parseObject } from './report.ts'

/** `died`: gone without an answer. `threw`: the analyser did. `broken`: an answer that makes no sense. */
export interface Failure {
  kind: 'died' | 'threw' | 'broken' | 'late'
  detail: string
}

export type Answered = { kind: 'answered'; answer: Answer }

/** `unwanted`: the document was taken away before the child had it all. What it said is no answer, but it is well. */
export type Reply = Answered | Failure | { kind: 'unwanted'; detail: string }

export function readReply({ kind, id, body }: Frame, asked: number, { size, sha256 }: Whole): Answered | Failure {
  if (id !== asked) return { kind: 'broken', detail: 'the answer is to another question' }
  if (kind === 'failure') return { kind: 'threw', detail: `the analyser threw: ${parseObject(body)?.message}` }
  if (kind !== 'answer') return { kind: 'broken', detail: `a ${kind} is no answer` }
  const answer = parseAnswer(body)
  if (answer === null) return { kind: 'broken', detail: 'the answer has a wrong shape' }
  if (answer.bytes !== size) return { kind: 'broken', detail: `the child counted ${answer.bytes} bytes, not ${size}` }
  if (answer.sha256 !== sha256) return { kind: 'broken', detail: 'the child received other bytes' }
  return { kind: 'answered', answer }
}
