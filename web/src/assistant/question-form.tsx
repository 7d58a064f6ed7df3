import { type FormEvent, useId } from 'react'
import type { ChatHealth } from '../api/schema.ts'
import { ArrowUp } from '../components/icons.tsx'
import { textOf } from '../form-values.ts'

const QUESTION_LENGTH_MAX = 1_000

/** Null if a language model answers, as far as is known. */
function whyOff(health: ChatHealth | undefined): string | null {
  if (health === undefined || health.status === 'UP') return null
  return 'No language model is set up on this server: answers come from its articles, word for word.'
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
          className="field"
          placeholder="Ask about the API, verdicts or plans"
          autoComplete="off"
          required
          maxLength={QUESTION_LENGTH_MAX}
        />
        <button type="submit" className="btn btn-primary h-10 w-10 shrink-0 px-0" disabled={isPending}>
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
