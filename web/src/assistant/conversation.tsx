/** Questions, suggested ones among them, and their answers. */
import { useQuery } from '@tanstack/react-query'
import { chatHealthQuery } from '../api/queries.ts'
import { ConversationLog } from './conversation-log.tsx'
import { QuestionForm } from './question-form.tsx'
import { Suggestions } from './suggestions.tsx'
import { useConversation } from './use-conversation.ts'

/** As high as `className` says; the log scrolls. */
export default function Conversation({ className }: { className: string }) {
  const { data: health } = useQuery(chatHealthQuery)
  const { turns, isPending, problem, ask, askAgain, show } = useConversation(health?.status !== 'DOWN')
  return (
    <section aria-label="Conversation" className={`flex flex-col ${className}`}>
      <ConversationLog turns={turns} problem={problem} retry={askAgain} />
      <Suggestions isDisabled={isPending} onChoose={show} />
      <QuestionForm health={health} isPending={isPending} onAsk={ask} />
    </section>
  )
}
