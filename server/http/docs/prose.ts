/** Renders descriptions with `code`, code blocks and JSON. */
import { type Html, html } from './html.ts'

/** Supports only backticks of Markdown. */
export const inline = (text: string): Html =>
  html`${text.split(/`([^`]+)`/).map((part, i) => (i % 2 === 1 ? html`<code>${part}</code>` : part))}`

export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')

export const prose = (text: string): Html => html`${paragraphsOf(text).map((part) => html`<p>${inline(part)}</p>`)}`

/** The text of `pre` is copied verbatim, so nothing may be added to it. */
export const codeBlock = (label: string, code: Html | string): Html => html`
<figure class="code">
<figcaption>${label}<button type="button" class="copy" data-copy hidden>Copy<span class="unseen">: ${label}</span></button></figcaption>
<pre><code>${code}</code></pre>
</figure>`

export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2) ?? ''

function entries(open: string, close: string, items: readonly Html[], indent: string): Html {
  if (items.length === 0) return html`${open}${close}`
  const inner = `\n${indent}  `
  return html`${open}${items.map((item, i) => [i === 0 ? inner : `,${inner}`, item])}${`\n${indent}`}${close}`
}

/** The text of `jsonText` with syntax highlighting. */
export function json(value: unknown, indent = ''): Html {
  const deeper = `${indent}  `
  if (Array.isArray(value)) {
    return entries(
      '[',
      ']',
      value.map((item) => json(item, deeper)),
      indent,
    )
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return entries(
      '{',
      '}',
      members.map(([name, member]) => html`<span class="j-name">${jsonText(name)}</span>: ${json(member, deeper)}`),
      indent,
    )
  }
  return html`<span class="${typeof value === 'string' ? 'j-text' : 'j-value'}">${jsonText(value)}</span>`
}
