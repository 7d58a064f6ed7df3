/** Stands where content is still loading, with the size of the content. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`animate-pulse rounded-sm bg-sunken ${className}`} />
}
