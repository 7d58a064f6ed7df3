/** Questions and answers. Screen readers announce what is added. */

import { useEffect, useRef } from 'react'
import type { ApiProblem } from '../api/problem.ts'
import { CodeText } from '../components/code-text.tsx'
import { Empty } from '../components/empty.tsx'
import { MessageCircleQuestionMark } from '../components/icons.tsx'
import { ProblemBox } from '../components/problem-box.tsx'
import type { Turn } from './use-conversation.ts'

const BUBBLE = 'max-w-[85%] rounded-lg px-3.5 py-2 wrap-anywhere whitespace-pre-wrap'

interface ConversationLogProps {
  turns: readonly Turn[]
  /** Of the last question. */
  problem: ApiProblem | null
  retry: () => void
}

export function ConversationLog({ turns, problem, retry }: ConversationLogProps) {
  const log = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the newest message is scrolled into view when one is added
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [turns, problem])
  return (
    <div
      ref={log}
      role="log"
      aria-label="Questions and answers"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      className="min-h-0 grow overflow-y-auto rounded-t-lg p-4 sm:p-5 -outline-offset-2"
    >
      {turns.length === 0 && (
        <Empty icon={MessageCircleQuestionMark} title="What would you like to know?">
          The suggestions below are answered at once.
        </Empty>
      )}
      <ol className="grid gap-4">
        {turns.map((turn, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added at the end
          <li key={index} className="grid gap-4">
            <p className={`${BUBBLE} justify-self-end rounded-br-sm bg-accent text-on-accent`}>
              <span className="sr-only">You: </span>
              {turn.question}
            </p>
            {turn.answer !== null && (
              <p className={`${BUBBLE} justify-self-start rounded-bl-sm bg-sunken`}>
                <span className="sr-only">Assistant: </span>
                <CodeText text={turn.answer} />
              </p>
            )}
          </li>
        ))}
      </ol>
      {turns.at(-1)?.answer === null && (
        <div className="mt-4">
          {problem ? (
            <ProblemBox problem={problem} what="The question was not answered." retry={retry} />
          ) : (
            <p className="text-sm text-fg-2">Answering…</p>
          )}
        </div>
      )}
    </div>
  )
}
