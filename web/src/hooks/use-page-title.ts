import { useEffect } from 'react'

/** Names the page in the browser's title bar, in its history and for screen readers. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Docvet`
  }, [title])
}
