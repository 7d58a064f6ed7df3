interface FactsProps {
  /** Name and value; without a value a fact is left out. */
  facts: readonly (readonly [string, string | null])[]
}

/** A short list of names and values. */
export function Facts({ facts }: FactsProps) {
  return (
    <dl className="mt-5 divide-y divide-line rounded-md border border-line text-sm">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name} className="flex justify-between gap-4 px-4 py-2.5">
              <dt className="shrink-0 text-fg-2">{name}</dt>
              <dd className="min-w-0 text-right font-medium wrap-anywhere">{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
