/** A list that is read page by page: its placeholder, its failure, its empty state, and the way to older entries. */
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { toProblem } from '../api/problem.ts'
import { capitalized } from '../format.ts'
import { ProblemBox } from './problem-box.tsx'
import { Skeleton } from './skeleton.tsx'

interface PagedListProps<Item> {
  query: UseInfiniteQueryResult<InfiniteData<{ items: readonly Item[] }>>
  /** The listed things, in the plural: "scans". */
  noun: string
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

export function PagedList<Item>({ query, noun, empty, children }: PagedListProps<Item>) {
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <section className="card overflow-hidden" aria-label={capitalized(noun)}>
        {query.isPending && <Skeleton className="m-5 h-64" />}
        {query.isError && (
          <div className="p-5">
            <ProblemBox
              problem={toProblem(query.error)}
              what={`The ${noun} could not be loaded.`}
              retry={() => query.refetch()}
            />
          </div>
        )}
        {query.isSuccess && items.length === 0 && empty}
        {items.length > 0 && children(items)}
      </section>
      {query.hasNextPage && (
        <div className="mt-4 text-center">
          <button
            type="button"
            className="btn btn-ghost"
            disabled={query.isFetchingNextPage}
            onClick={() => query.fetchNextPage()}
          >
            {query.isFetchingNextPage ? 'Loading…' : `Show older ${noun}`}
          </button>
        </div>
      )}
      <p role="status" className="sr-only">
        {query.isSuccess && `Number of ${noun} listed: ${items.length}`}
      </p>
    </>
  )
}
