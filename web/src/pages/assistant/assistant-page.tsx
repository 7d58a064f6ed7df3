import { useQuery } from '@tanstack/react-query'
import { chatHealthQuery } from '../../api/queries.ts'
import { PageHead } from '../../components/page-head.tsx'
import { ConversationLog } from './conversation-log.tsx'
import { QuestionForm } from './question-form.tsx'
import { Suggestions } from './suggestions.tsx'
import { useConversation } from './use-conversation.ts'

export default function AssistantPage() {
  const { turns, isPending, problem, ask, askAgain, show } = useConversation()
  const { data: health } = useQuery(chatHealthQuery)
  return (
    <div className="mx-auto max-w-[720px]">
      <PageHead title="Assistant" lead="Answers about Docvet and its API. It never sees your documents." />
      <section
        aria-label="Conversation"
        className="card flex h-[calc(100dvh-16.5rem)] min-h-[30rem] flex-col lg:h-[calc(100dvh-12rem)]"
      >
        <ConversationLog turns={turns} problem={problem} retry={askAgain} />
        <Suggestions isDisabled={isPending} onChoose={show} />
        <QuestionForm health={health} isPending={isPending} onAsk={ask} />
      </section>
    </div>
  )
}
