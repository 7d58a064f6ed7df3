/** Regular expressions made of facts: a list of names becomes their alternatives, a text is inserted as it is. */

type Part = string | readonly string[]

const withFlags =
  (flags: string) =>
  ({ raw }: TemplateStringsArray, ...parts: readonly Part[]): RegExp =>
    new RegExp(raw.map((text, at) => text + sourceOf(parts[at] ?? '')).join(''), flags)

const sourceOf = (part: Part): string =>
  typeof part === 'string' ? part : `(?:${part.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')})`

export const pattern = withFlags('')
export const anyCase = withFlags('i')
