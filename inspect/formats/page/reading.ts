/** Which part of a text a browser would show as a page, if the text may be something else. */

import type { Item } from '#inspect/core/format.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { actingPython } from '#inspect/judge/scripts/python.ts'
import { SOURCE_FILES } from '#inspect/windows/extensions.ts'

/** Texts that no browser shows as pages, and those that viewers turn into pages without their code. */
const OTHER = anyCase`\.(?:${SOURCE_FILES}|txt|text|log|csv|tsv|json|jsonl|ndjson|map)$`
const NOTE = /\.(?:md|markdown|mdown|mkdn?|mdx|rst|adoc|asciidoc|org|textile|ipynb)$/i
/** Between fences or backticks, and indented after an empty line. */
const CODE =
  /^[ \t>]{0,20}(```|~~~)[\s\S]*?^[ \t>]{0,20}\1|(?<!`)(`{1,3})(?!`)[^`\r\n]{1,500}\2|(?<=^[ \t]*\r?\n)(?:(?: {4}|\t)[^\n]*\n)+/gm
const PYTHON = /\.pyw?$/i
/** A tag in the place where pages have theirs. The bracket comes first, because most texts have none. */
const TAG_LINE = /<[a-z!](?<=^[ \t]*<.)/im

/**
 * '' if it only quotes pages. The name decides the language of a text, so the text must be in that language too: what begins
 * with a tag is a page under every name.
 */
export function pageIn(item: Item, text: string): string {
  const { type } = item.sniffed
  const name = nameOf(item)
  if ((type !== 'text/plain' && type !== 'application/json') || /^(?:\xef\xbb\xbf)?\s*</.test(text)) return text
  if (NOTE.test(name)) return text.replace(CODE, '\n')
  if (!OTHER.test(name)) return text
  // The pages that a test is about are texts in it.
  const read = PYTHON.test(name) ? actingPython(text) : text
  return TAG_LINE.test(read) ? read : ''
}

function nameOf({ path, ...item }: Item): string {
  return item.name ?? path.findLast((name) => !name.startsWith('(')) ?? ''
}
