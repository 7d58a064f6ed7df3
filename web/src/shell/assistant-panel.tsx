/** The assistant beside any page. The conversation stays while the panel is closed. */

import { lazy, Suspense } from 'react'
import { useLocation } from 'wouter'
import { MessageCircleQuestionMark, X } from '../components/icons.tsx'
import { Skeleton } from '../components/skeleton.tsx'
import { useOpened } from '../hooks/use-opened.ts'

const Conversation = lazy(() => import('../assistant/conversation.tsx'))

const PANEL = 'assistant-panel'
const PLACE =
  'fixed inset-x-2 top-auto bottom-16 m-0 h-[min(70dvh,36rem)] w-auto lg:inset-x-auto lg:right-4 lg:bottom-4 lg:w-[400px]'

/** Not beside the assistant's own page. */
export function AssistantPanel() {
  const [location] = useLocation()
  return location === '/assistant' ? null : <Panel />
}

function Panel() {
  const { panel, wasOpened } = useOpened()
  return (
    <>
      <button type="button" popoverTarget={PANEL} className="btn-icon">
        <MessageCircleQuestionMark size={16} aria-hidden />
        <span className="sr-only">Ask the assistant</span>
      </button>
      <div
        id={PANEL}
        ref={panel}
        popover="auto"
        role="dialog"
        aria-label="Assistant"
        className={`${PLACE} flex-col overflow-hidden rounded-lg border border-line bg-raised text-fg shadow-pop open:flex`}
      >
        <div className="flex h-12 shrink-0 items-center justify-between border-b border-line pr-2 pl-5">
          <p className="font-semibold">Assistant</p>
          <button type="button" className="btn-icon" popoverTarget={PANEL} popoverTargetAction="hide">
            <X size={16} aria-hidden />
            <span className="sr-only">Close the assistant</span>
          </button>
        </div>
        {wasOpened && (
          <Suspense fallback={<Skeleton className="m-5 h-40" />}>
            <Conversation className="min-h-0 grow" />
          </Suspense>
        )}
      </div>
    </>
  )
}
