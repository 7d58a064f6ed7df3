/** Parses a page of docs/connect/: a title, paragraphs, lists and code. */

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'code'; code: string }

export interface Recipe {
  title: string
  blocks: Block[]
}

/** In the code of a recipe, where the id of a key belongs. */
const KEY_ID = '<key id>'

const isItem = (line: string): boolean => line.startsWith('- ')

function blockOf(lines: readonly string[]): Block {
  const [first = ''] = lines
  if (first.startsWith('## ')) return { kind: 'heading', text: first.slice(3) }
  if (isItem(first)) return { kind: 'list', items: lines.filter(isItem).map((line) => line.slice(2)) }
  return { kind: 'paragraph', text: lines.join(' ') }
}

/** Code first, because it may contain empty lines. */
export function parseRecipe(markdown: string, keyId: string | null): Recipe {
  const [head = '', ...rest] = markdown.split(/^```\w*\n(.*?)^```$/ms)
  const title = /^# (.+)$/m.exec(head)?.[1] ?? ''
  const parts = [head.replace(/^# .+$/m, ''), ...rest]
  const blocks = parts.flatMap((part, index): Block[] => {
    if (index % 2 === 1) return [{ kind: 'code', code: part.trimEnd().replaceAll(KEY_ID, keyId ?? KEY_ID) }]
    const paragraphs = part.split(/\n{2,}/).map((text) => text.trim())
    return paragraphs.filter((text) => text !== '').map((text) => blockOf(text.split('\n')))
  })
  return { title, blocks }
}
