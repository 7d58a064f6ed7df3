/** Takes addresses out of those that only lead to them. */

/** Addresses within each other. */
export const LEVELS_MAX = 5

type Reader = (url: URL) => string | null | undefined

const parameter =
  (...names: readonly string[]): Reader =>
  ({ searchParams }) =>
    names.map((name) => searchParams.get(name)).find((value) => value !== null)

/** `https://urldefense.com/v3/__https://example.com/a__;!!…`. */
const DEFENSE = /^\/v3\/__(.{1,8000}?)__;/
const AMP = /^\/amp\/(s\/)?(.{1,8000})$/
const ARCHIVED = /^\/web\/[^/]{1,40}\/(https?:.{1,8000})$/
const withoutQuery = ({ pathname, search }: URL): string => pathname + search

const google: Reader = (url) => {
  const [, isSecure, rest] = AMP.exec(withoutQuery(url)) ?? []
  if (rest !== undefined) return `${isSecure === undefined ? 'http' : 'https'}://${rest}`
  return /^\/(?:url|search|imgres|aclk)$/.test(url.pathname) ? parameter('q', 'url', 'imgrefurl', 'adurl')(url) : null
}

/** `a1` and the address in Base64. */
function bing(url: URL): string | null {
  const coded = url.pathname === '/ck/a' ? url.searchParams.get('u') : null
  return coded?.startsWith('a1') ? Buffer.from(coded.slice(2), 'base64url').toString() : null
}

/** Version 2 writes percent signs as dashes. */
function proofpoint(url: URL): string | null {
  const coded = url.searchParams.get('u')
  if (coded === null || !url.pathname.startsWith('/v2/')) return coded
  try {
    return decodeURIComponent(coded.replaceAll('-', '%').replaceAll('_', '/'))
  } catch {
    return null
  }
}

/** Only the server that the address leads to. */
const serverNamed = (domain: string | null): string | null => (domain === null ? null : `https://${domain}/`)

/** `isOpen`: leads everybody to any address, so that phishing uses it. Others protect or count. */
const WRAPPERS: readonly { host: RegExp; read: Reader; isOpen?: boolean }[] = [
  { host: /^(?:www\.)?google\.[a-z]{2,3}(?:\.[a-z]{2})?$/, read: google, isOpen: true },
  { host: /^(?:www\.)?bing\.com$/, read: bing, isOpen: true },
  { host: /^(?:www\.|m\.)?youtube\.com$/, read: parameter('q'), isOpen: true },
  { host: /\.doubleclick\.net$|^googleads\.g\.doubleclick\.net$/, read: parameter('adurl', 'url'), isOpen: true },
  { host: /^lm?\.(?:facebook|instagram|messenger)\.com$/, read: parameter('u') },
  { host: /\.safelinks\.protection\.outlook\.com$/, read: parameter('url') },
  { host: /^statics\.teams\.cdn\.office\.net$/, read: parameter('url') },
  { host: /^urldefense\.(?:com|us)$/, read: (url) => DEFENSE.exec(withoutQuery(url))?.[1] },
  { host: /^urldefense\.proofpoint\.com$/, read: proofpoint },
  { host: /^linkprotect\.cudasvc\.com$/, read: parameter('a') },
  { host: /\.mimecast(?:protect)?\.com$/, read: ({ searchParams }) => serverNamed(searchParams.get('domain')) },
  { host: /^t\.umblr\.com$/, read: parameter('z') },
  { host: /^slack-redir\.net$/, read: parameter('url') },
  { host: /^(?:www\.)?vk\.com$/, read: parameter('to') },
  { host: /^steamcommunity\.com$/, read: parameter('url') },
  { host: /^out\.reddit\.com$/, read: parameter('url') },
  { host: /^(?:translate\.google\.com|translate\.googleusercontent\.com)$/, read: parameter('u') },
  { host: /^web\.archive\.org$/, read: (url) => ARCHIVED.exec(withoutQuery(url))?.[1] },
]

const PARAMETERS =
  /^(?:url|uri|u|r|q|link|to|dest(?:ination)?|redir(?:ect)?(?:_?ur[il])?|target|goto|continue|next|return_?(?:to|url)|out)$/i

/** `https:` in Base64, also behind the letters that Bing writes before it. */
const CODED = /^(?:a1)?(aHR0c[\w+/-]{8,4000}={0,2})$/

/** Any server may lead on by a parameter. Whether it does is not known. */
function generic({ searchParams }: URL): string | undefined {
  for (const [name, value] of searchParams) {
    if (!PARAMETERS.test(name)) continue
    if (/^https?(?::\/\/|%(?:25)*3a)/i.test(value)) return value
    const coded = CODED.exec(value)?.[1]
    if (coded !== undefined) return Buffer.from(coded, 'base64').toString()
  }
  return undefined
}

interface Wrapped {
  /** From the outermost to the innermost. */
  urls: readonly URL[]
  /** Where a known service leads to; the address itself if none does. What a parameter only may lead to is not known. */
  known: URL
  isOpen: boolean
}

/** Google names its own editors in links of documents that it exports. */
const EXPORTED = /^(?:editors|docs)$/

export function unwrap(outer: URL): Wrapped {
  const urls = [outer]
  let [known, url, isKnown, isOpen] = [outer, outer, true, false]
  while (urls.length <= LEVELS_MAX) {
    const wrapper = WRAPPERS.find(({ host }) => host.test(url.hostname))
    const named = wrapper?.read(url)
    const inner = whole(named) ?? webAddress(decodedTwice(generic(url)))
    if (inner === null) break
    urls.push(inner)
    isKnown &&= wrapper !== undefined && named !== null && named !== undefined
    isOpen ||= isKnown && wrapper?.isOpen === true && !EXPORTED.test(url.searchParams.get('source') ?? '')
    if (isKnown) known = inner
    url = inner
  }
  return { urls, known, isOpen }
}

/** A service may have an address that was cut beside the one that it leads to. */
function whole(text: string | null | undefined): URL | null {
  const url = webAddress(decodedTwice(text ?? undefined))
  return url?.hostname.includes('.') || url?.hostname.startsWith('[') ? url : null
}

const CODED_TWICE = /^https?%(?:25)*3a/i
/** Percent signs that are coded themselves. */
const TIMES_MAX = 3

function decodedTwice(text: string | undefined): string | undefined {
  let [found, times] = [text, 0]
  while (found !== undefined && CODED_TWICE.test(found) && times++ < TIMES_MAX)
    try {
      found = decodeURIComponent(found)
    } catch {
      return undefined
    }
  return found
}

/** null: no address on the web. */
export function webAddress(text: string | undefined): URL | null {
  const url = text === undefined ? null : URL.parse(text.trim())
  return url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '' ? url : null
}
