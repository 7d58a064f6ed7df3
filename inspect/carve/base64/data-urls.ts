/** Data addresses that are not in Base64, but written with percents. */

export interface Address {
  start: number
  end: number
}

// Neither part goes past a sign that cannot stand in it; the first not past the next `data:`, so a million are read once.
// Between quotes, only the same quote ends it.
const HEAD = (end: string): string => `data:(?:(?!data:)[^,${end}]){0,200},`
const ADDRESS = new RegExp(`"\\s*${HEAD('"')}([^"]*)|'\\s*${HEAD("'")}([^']*)|${HEAD(`"'<>`)}([^"'<>]*)`, 'gi')

/** Where the content of each begins and ends. */
export function* addressesOf(text: string): Generator<Address> {
  for (const { index, 0: whole, 1: double, 2: single, 3: bare } of text.matchAll(ADDRESS)) {
    const content = double ?? single ?? bare ?? ''
    if (!/%|&#/.test(content) || /base64\s*,/i.test(whole.slice(0, whole.length - content.length))) continue
    yield { start: index + whole.length - content.length, end: index + whole.length }
  }
}
