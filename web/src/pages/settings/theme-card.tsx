import { Card } from '../../components/card.tsx'
import { Monitor, Moon, Sun } from '../../components/icons.tsx'
import { chooseTheme, useThemeChoice } from '../../theme.ts'

const CHOICES = [
  { value: 'system', label: 'System', icon: Monitor },
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
] as const

export function ThemeCard() {
  const choice = useThemeChoice()
  return (
    <Card title="Colours" lead="Kept in this browser.">
      <fieldset className="grid gap-2 px-5 pt-4 pb-5 sm:grid-cols-3">
        <legend className="sr-only">Colours</legend>
        {CHOICES.map(({ value, label, icon: Icon }) => (
          <label
            key={value}
            className="flex h-10 cursor-pointer items-center gap-2.5 rounded-md border border-field px-3 text-sm font-medium has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="theme"
              className="size-4.5 accent-accent"
              checked={choice === value}
              onChange={() => chooseTheme(value)}
            />
            <Icon size={16} className="text-fg-2" aria-hidden />
            {label}
          </label>
        ))}
      </fieldset>
    </Card>
  )
}
