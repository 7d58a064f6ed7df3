import Conversation from '../../assistant/conversation.tsx'
import { PageHead } from '../../components/page-head.tsx'

export default function AssistantPage() {
  return (
    <div className="max-w-[720px]">
      <PageHead title="Assistant" lead="Answers about Docvet and its API. It never sees your documents." />
      <Conversation className="card h-[calc(100dvh-16.5rem)] min-h-[30rem] lg:h-[calc(100dvh-12rem)]" />
    </div>
  )
}
