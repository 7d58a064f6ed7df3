import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'

/** Moves the focus to the content after a navigation, as a full page load would. */
export function useFocusAfterNavigation(): void {
  const [location] = useLocation()
  const known = useRef(location)
  useEffect(() => {
    if (known.current === location) return
    known.current = location
    document.querySelector('main')?.focus()
    window.scrollTo(0, 0)
  }, [location])
}
