/** Common questions. Their answers are part of the list, so they work without a language model. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../api/problem.ts'
import { suggestionsQuery } from '../api/queries.ts'
import type { ChatSuggestion } from '../api/schema.ts'
import { ProblemBox } from '../components/problem-box.tsx'
import { Skeleton } from '../components/skeleton.tsx'

const FIRST = 4
const CHIP =
  'min-h-8 rounded-full border border-field px-3 py-1 text-left text-sm text-fg-2 transition-colors hover:bg-sunken hover:text-fg disabled:pointer-events-none disabled:opacity-50'

interface SuggestionsProps {
  isDisabled: boolean
  onChoose: (suggestion: ChatSuggestion) => void
}

export function Suggestions({ isDisabled, onChoose }: SuggestionsProps) {
  const suggestions = useQuery(suggestionsQuery)
  const [isExpanded, setExpanded] = useState(false)
  const all = suggestions.data ?? []
  return (
    <div className="max-h-[45%] shrink-0 overflow-y-auto px-4 py-2 sm:px-5 sm:py-3">
      {suggestions.isPending && <Skeleton className="h-18" />}
      {suggestions.isError && (
        <ProblemBox
          problem={toProblem(suggestions.error)}
          what="The suggested questions could not be loaded."
          retry={() => suggestions.refetch()}
        />
      )}
      <ul aria-label="Suggested questions" className="-mx-1 flex flex-wrap gap-2 p-1">
        {all.slice(0, isExpanded ? undefined : FIRST).map((suggestion) => (
          <li key={suggestion.id}>
            <button type="button" className={CHIP} disabled={isDisabled} onClick={() => onChoose(suggestion)}>
              {suggestion.question}
            </button>
          </li>
        ))}
        {all.length > FIRST && (
          <li>
            <button
              type="button"
              className="btn btn-bare h-8 px-2.5"
              aria-expanded={isExpanded}
              onClick={() => setExpanded(!isExpanded)}
            >
              {isExpanded ? 'Fewer questions' : 'More questions'}
            </button>
          </li>
        )}
      </ul>
    </div>
  )
}
