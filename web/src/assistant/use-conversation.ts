/** The questions of this visit and their answers. Nothing is stored: leaving the page ends the conversation. */
import { useState } from 'react'
import { call, send } from '../api/client.ts'
import { ApiProblem } from '../api/problem.ts'
import type { ChatMessage, ChatSuggestion } from '../api/schema.ts'
import { useAction } from '../hooks/use-action.ts'

export interface Turn {
  question: string
  /** Null while it is awaited, and after a failure. */
  answer: string | null
}

/** Earlier turns that are sent along; the API accepts 40 messages. */
const TURNS_SENT = 10

function messagesOf(turns: readonly Turn[], question: string): ChatMessage[] {
  const earlier = turns.slice(-TURNS_SENT).flatMap(({ question: asked, answer }): ChatMessage[] =>
    answer === null
      ? []
      : [
          { role: 'user', content: asked },
          { role: 'assistant', content: answer },
        ],
  )
  return [...earlier, { role: 'user', content: question }]
}

async function askModel(earlier: readonly Turn[], question: string): Promise<string> {
  try {
    return (await call('POST /api/v1/chat', { body: { messages: messagesOf(earlier, question) } })).reply
  } catch (error) {
    if (error instanceof ApiProblem && error.code === 'chat_unavailable') return await lookUp(question)
    throw error
  }
}

/** Answers of the articles, without a language model. */
async function lookUp(question: string): Promise<string> {
  const found = await send('GET', `/dashboard/answer?${new URLSearchParams({ question })}`)
  return (found as { reply: string }).reply
}

/** `hasModel`: false if no language model answers. Until that is known, it is asked. */
export function useConversation(hasModel: boolean) {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const { run, isPending, problem } = useAction(
    async ({ earlier, question }: { earlier: readonly Turn[]; question: string }) => {
      const reply = hasModel ? await askModel(earlier, question) : await lookUp(question)
      setTurns([...earlier, { question, answer: reply }])
    },
  )

  function ask(question: string, earlier = turns): void {
    setTurns([...earlier, { question, answer: null }])
    run({ earlier, question })
  }

  return {
    turns,
    isPending,
    /** Of the last question. */
    problem: turns.at(-1)?.answer === null ? problem : null,
    ask: (question: string) => ask(question),
    askAgain() {
      const last = turns.at(-1)
      if (last) ask(last.question, turns.slice(0, -1))
    },
    /** Answered by the list itself, without the language model. */
    show({ question, answer }: ChatSuggestion) {
      setTurns([...turns, { question, answer }])
    },
  }
}
