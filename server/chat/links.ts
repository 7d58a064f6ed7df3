/** Finds addresses in a text. Only those of our own pages may leave. */

/** With a scheme, or as browsers complete it. Also the ways of writing one that is not to be clicked on. */
const WITH_SCHEME = /\b(?:[a-z][a-z0-9+.-]{1,20}|h(?:tt|xx)ps?)(?::|\[:\])\/\/[^\s<>"'`)\]]*/gi
const SCRIPT_SCHEME = /\b(?:javascript|vbscript|data|mailto|tel|file|blob):\S/i
const BARE = /(?:^|[\s("'=<[])(?:\/\/|www\.)[a-z0-9]/i
/** A host without a scheme, by the endings that are seen most. A file like invoice.pdf has none of them. */
const HOST =
  /(?<![a-z0-9.-])(?:[a-z0-9-]{1,63}(?:\.|\[\.\]| dot )){1,8}(?:com|net|org|io|ai|dev|app|co|info|biz|xyz|online|site|shop|club|top|link|cloud|tech|me|tv|us|uk|de|eu|fr|es|it|nl|pl|ru|cn|jp|in|br|ch|at|to|ly|gg|gle|be|example|test|onion)\b(?!\.?[\w(])/gi
const NUMBERS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g

/** Whether the text has an address that neither lies below ours nor stands in the sources. */
export function hasForeignLink(text: string, publicUrl: string, sources: string): boolean {
  const own = new URL(publicUrl)
  const isOurs = (address: string): boolean => {
    const url = URL.parse(address)
    return url?.origin === own.origin && url.username === '' && url.password === ''
  }
  const found = [...text.matchAll(WITH_SCHEME)].map(([address]) => address)
  if (found.some((address) => !isOurs(address) && !stands(address, sources))) return true
  const rest = text.replaceAll(WITH_SCHEME, ' ')
  if (SCRIPT_SCHEME.test(rest) || BARE.test(rest)) return true
  const hosts = [...rest.matchAll(HOST), ...rest.matchAll(NUMBERS)].map(([host]) => host.toLowerCase())
  return hosts.some((host) => host !== own.hostname && !stands(host, sources))
}

/** As a whole, not as the beginning of a longer one. */
function stands(address: string, sources: string): boolean {
  const at = sources.toLowerCase().indexOf(address.toLowerCase().replace(/[.,;:!?]+$/, ''))
  return at >= 0 && !/[a-z0-9.-]/i.test(sources[at - 1] ?? ' ')
}
