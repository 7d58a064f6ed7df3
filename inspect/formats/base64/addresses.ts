/** Data addresses that are not in Base64, but written with percents. */

export interface Address {
  start: number
  end: number
}

// Neither part goes past a sign that cannot stand in it; the first not past the next `data:`, so a million are read once.
const ADDRESS = /data:(?:(?!data:)[^,"'<>]){0,200},([^"'<>]*)/gi

/** Where the content of each begins and ends. */
export function* addressesOf(text: string): Generator<Address> {
  for (const { index, 0: whole, 1: content = '' } of text.matchAll(ADDRESS)) {
    if (!content.includes('%') || /base64\s*,/i.test(whole.slice(0, whole.length - content.length))) continue
    yield { start: index + whole.length - content.length, end: index + whole.length }
  }
}
