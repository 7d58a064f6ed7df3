/** The colour scheme: the reader's choice, otherwise the system's. `public/theme.js` applies it before the first paint. */
import { useSyncExternalStore } from 'react'

type Theme = 'light' | 'dark'
type ThemeChoice = Theme | 'system'

const KEY = 'theme'
const system = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function currentChoice(): ThemeChoice {
  const chosen = document.documentElement.dataset.theme
  return chosen === 'dark' || chosen === 'light' ? chosen : 'system'
}

function currentTheme(): Theme {
  const chosen = currentChoice()
  if (chosen !== 'system') return chosen
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

export const useThemeChoice = (): ThemeChoice => useSyncExternalStore(subscribe, currentChoice)

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === 'system') forgetTheme()
  else document.documentElement.dataset.theme = choice
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

function forgetTheme(): void {
  delete document.documentElement.dataset.theme
  try {
    localStorage.removeItem(KEY)
  } catch {
    // Nothing was stored.
  }
}
