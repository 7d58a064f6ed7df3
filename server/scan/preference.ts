/** The header `Prefer` (RFC 7240) of a scan: whether the client wants its answer before the verdict. */

/** A longer wait is cut to this: proxies end connections on which nothing happens. */
export const WAIT_SECONDS_MAX = 60

export interface Preference {
  /** How long to wait for the verdict before. */
  waitMs: number
}

/** A comma between quotes does not end a preference, also where the second quote is missing. */
const PREFERENCES = /(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g
const PREFERENCE = /^([!#$%&'*+.^_`|~\w-]+)(?:\s*=\s*(?:"([^"]*)"|([^\s;"]+)))?\s*(?:;.*)?$/

/** Null if it does not ask for `respond-async`. Unknown and malformed preferences are ignored; of equal ones the first counts. */
export function preferenceOf(header: string | string[] | undefined): Preference | null {
  const given = new Map<string, string>()
  for (const text of [header ?? []].flat().join(',').match(PREFERENCES) ?? []) {
    const [, name = '', quoted, value = quoted ?? ''] = PREFERENCE.exec(text.trim()) ?? []
    if (name !== '' && !given.has(name.toLowerCase())) given.set(name.toLowerCase(), value)
  }
  if (!given.has('respond-async')) return null
  const wait = given.get('wait') ?? ''
  const seconds = /^\d{1,9}$/.test(wait) ? Math.min(Number(wait), WAIT_SECONDS_MAX) : 0
  return { waitMs: seconds * 1_000 }
}
