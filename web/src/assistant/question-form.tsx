import { ArrowUp } from 'lucide-react'
import { type FormEvent, useId } from 'react'
import type { ChatHealth } from '../api/schema.ts'
import { textOf } from '../form-values.ts'

const QUESTION_LENGTH_MAX = 1_000

/** Null if questions can be asked, as far as is known. */
function whyOff(health: ChatHealth | undefined): string | null {
  if (health === undefined || health.status === 'UP') return null
  const reason = health.enabled
    ? 'Your own questions need a language model, which is not set up on this server.'
    : 'Your own questions are switched off on this server.'
  return `${reason} The suggested questions work without it.`
}

interface QuestionFormProps {
  health: ChatHealth | undefined
  isPending: boolean
  onAsk: (question: string) => void
}

export function QuestionForm({ health, isPending, onAsk }: QuestionFormProps) {
  const id = useId()
  const reason = whyOff(health)

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const question = textOf(form, 'question').trim()
    if (question === '' || isPending) return
    onAsk(question)
    form.reset()
  }

  return (
    <form onSubmit={submit} className="shrink-0 border-t border-line p-3">
      <div className="flex gap-2">
        <input
          name="question"
          aria-label="Your question"
          aria-describedby={reason ? `${id}-reason` : undefined}
          className="field disabled:bg-sunken"
          placeholder={reason ? 'Not available' : 'Ask about the API, verdicts or plans'}
          autoComplete="off"
          required
          maxLength={QUESTION_LENGTH_MAX}
          disabled={reason !== null}
        />
        <button
          type="submit"
          className="btn btn-primary h-10 w-10 shrink-0 px-0"
          disabled={reason !== null || isPending}
        >
          <ArrowUp size={18} aria-hidden />
          <span className="sr-only">Send</span>
        </button>
      </div>
      {reason && (
        <p id={`${id}-reason`} className="mt-2 px-0.5 text-sm text-fg-2">
          {reason}
        </p>
      )}
    </form>
  )
}
