import { Moon, Sun } from '../components/icons.tsx'
import { chooseTheme, useTheme } from '../theme.ts'

/** Switches between light and dark. */
export function ThemeButton() {
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  const Icon = theme === 'dark' ? Sun : Moon
  return (
    <button type="button" className="btn-icon" onClick={() => chooseTheme(other)}>
      <Icon size={16} aria-hidden />
      <span className="sr-only">Switch to {other} colours</span>
    </button>
  )
}
