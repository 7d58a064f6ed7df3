/** From what a child said to what the engine says: pure, and `clean` only for a complete look that found nothing. */
import type { Outcome } from '#engines/engine.ts'
import type { Reply } from './reply.ts'

export type Sensitivity = 'standard' | 'strict'

/** `size` is that of the document. That the child received just these bytes is checked where its answer comes in. */
export function outcomeOf(reply: Reply, size: number, sensitivity: Sensitivity): Outcome {
  if (reply.kind !== 'answered')
    return { kind: 'failed', late: reply.kind === 'late' || reply.kind === 'unwanted', detail: reply.detail }
  const { kind, findings, obstacle, bytesInspected } = reply.answer.report
  const threat =
    findings.find(({ severity }) => severity === 'malicious') ??
    (sensitivity === 'strict' ? findings.find(({ severity }) => severity === 'suspicious') : undefined)
  // Before the obstacle: something bad that was found before the way was blocked is still there.
  if (threat !== undefined) return { kind: 'detected', threat: threat.id, path: threat.path }
  if (obstacle !== null) return { kind: 'unscannable', obstacle: obstacle.reason, detail: obstacle.detail }
  // Nobody knows what it is, so nobody looked into it. Intake refuses such documents before.
  if (kind === null) return { kind: 'unscannable', obstacle: 'damaged', detail: 'The kind of document is not known' }
  // What was unpacked counts too, so there may be more; less means that a part of the document was not looked at.
  if (bytesInspected < size) {
    return { kind: 'failed', late: false, detail: `the analyser looked at ${bytesInspected} of ${size} bytes` }
  }
  return { kind: 'clean' }
}
