/** The colour scheme: the reader's choice, otherwise the system's. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'

const KEY = 'theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme
  if (chosen === 'dark' || chosen === 'light') return chosen
  return system.matches ? 'dark' : 'light'
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  system.addEventListener('change', listener)
  return () => {
    listeners.delete(listener)
    system.removeEventListener('change', listener)
  }
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme)

export function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  keepTheme()
  for (const listener of listeners) listener()
}

/** Signing out clears the storage of this site; the choice of colours has nothing to do with the account. */
export function keepTheme(): void {
  const { theme } = document.documentElement.dataset
  if (theme === undefined) return
  try {
    localStorage.setItem(KEY, theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
