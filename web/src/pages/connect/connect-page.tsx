/** How products scan with this service without code, with the id of the user's own key. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toProblem } from '../../api/problem.ts'
import { keysQuery } from '../../api/queries.ts'
import { Fold } from '../../components/fold.tsx'
import { PageHead } from '../../components/page-head.tsx'
import { ProblemBox } from '../../components/problem-box.tsx'
import { SelectField } from '../../components/select-field.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { parseRecipe } from './recipe.ts'
import { RecipeText } from './recipe-text.tsx'

/** The pages of the documentation themselves, so that there is one text. */
const PAGES: Record<string, string> = import.meta.glob('../../../../docs/connect/[a-z]*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
})

export default function ConnectPage() {
  const keys = useQuery(keysQuery)
  const usable = keys.data?.filter(
    ({ dashboard, status, rolledInto, scopes }) =>
      !dashboard && status === 'active' && rolledInto === undefined && (scopes?.includes('scan') ?? true),
  )
  const [chosen, setChosen] = useState<string | null>(null)
  const keyId = chosen ?? usable?.[0]?.id ?? null
  const recipes = Object.values(PAGES)
    .map((markdown) => parseRecipe(markdown, keyId))
    .sort((a, b) => a.title.localeCompare(b.title))
  return (
    <>
      <PageHead
        title="Connect"
        lead="These products scan with Docvet without code. The operator of this service sets what is under “Docvet”; the rest is set in the product."
      />
      <div className="mb-4">
        {keys.isPending && <Skeleton className="h-14" />}
        {keys.isError && (
          <ProblemBox
            problem={toProblem(keys.error)}
            what="The keys could not be loaded."
            retry={() => keys.refetch()}
          />
        )}
        {usable?.length === 0 && (
          <p className="text-sm text-fg-2">
            Create an API key first: its id replaces <code className="font-mono">{'<key id>'}</code> below.
          </p>
        )}
        {usable && usable.length > 0 && (
          <SelectField label="Key that scans belong to" value={keyId ?? ''} onChange={setChosen}>
            {usable.map(({ id, name }) => (
              <option key={id} value={id}>
                {name} ({id})
              </option>
            ))}
          </SelectField>
        )}
      </div>
      <div className="grid gap-3">
        {recipes.map((recipe) => (
          <Fold key={recipe.title} title={recipe.title}>
            <RecipeText recipe={recipe} />
          </Fold>
        ))}
      </div>
    </>
  )
}
