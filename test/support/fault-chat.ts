/** Questions to the assistant during a fault run. */
import { setTimeout as sleep } from 'node:timers/promises'
import { ask } from './chat-client.ts'
import type { Dice } from './scan-documents.ts'

/** An answer, too many questions, or an assistant that is out of order. */
const STATUSES = [200, 429, 502, 503]

export function createAsking(ports: readonly number[]) {
  const violations: string[] = []
  let answered = 0
  return {
    violations,
    answered: () => answered,
    async run(dice: Dice, isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        const answer = await ask(dice.pick(ports), 'What does infected mean?').catch(() => null)
        if (answer?.status === 200) answered++
        if (answer !== null && !STATUSES.includes(answer.status))
          violations.push(`The assistant responds ${answer.status} ${answer.body}.`)
        await sleep(dice.whole(200, 1_500))
      }
    },
  }
}
