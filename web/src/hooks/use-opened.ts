import { useEffect, useRef, useState } from 'react'

/** Whether a popover was ever opened: what is in it is loaded then. */
export function useOpened() {
  const panel = useRef<HTMLDivElement>(null)
  const [wasOpened, setOpened] = useState(false)
  useEffect(() => {
    const element = panel.current
    const onToggle = () => setOpened(true)
    element?.addEventListener('toggle', onToggle, { once: true })
    return () => element?.removeEventListener('toggle', onToggle)
  }, [])
  return { panel, wasOpened }
}
