/** Locates percent-encoded data URLs. */

// The head does not extend past the next `data:`, so a million of them are read only once.
// Inside quotes, only the same quote ends the URL.
const HEAD = (end: string): string => `data:(?:(?!data:)[^,${end}]){0,200},`
const DATA_URL = new RegExp(`"\\s*${HEAD('"')}([^"]*)|'\\s*${HEAD("'")}([^']*)|${HEAD(`"'<>`)}([^"'<>]*)`, 'gi')

export function* dataUrlsOf(text: string): Generator<{ start: number; end: number }> {
  for (const { index, 0: whole, 1: double, 2: single, 3: bare } of text.matchAll(DATA_URL)) {
    const content = double ?? single ?? bare ?? ''
    if (!/%|&#/.test(content) || /base64\s*,/i.test(whole.slice(0, whole.length - content.length))) continue
    yield { start: index + whole.length - content.length, end: index + whole.length }
  }
}
