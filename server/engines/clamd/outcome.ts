/** What an exchange with clamd means for the document. */
import type { Outcome } from '#engines/engine.ts'
import type { Exchange } from './client.ts'
import { readReply } from './reply.ts'

/** The only place where an exchange becomes a verdict: clean needs the exact answer, given after the whole document. */
export function outcomeOf(exchange: Exchange): Outcome {
  switch (exchange.kind) {
    case 'answered': {
      const outcome = readReply(exchange.reply)
      if (outcome.kind !== 'clean' || exchange.complete) return outcome
      return { kind: 'failed', late: false, detail: 'clamd answered OK before it had the whole document' }
    }
    case 'unanswered':
      return { kind: 'failed', late: false, detail: `clamd ${exchange.detail}` }
    case 'aborted':
      return { kind: 'failed', late: true, detail: 'clamd did not answer in time' }
    case 'withdrawn':
      return { kind: 'failed', late: false, detail: 'the document was given up while it was sent to clamd' }
  }
}
