/** Finds addresses in a text, and whatever could be taken for one. Only those of our own pages may leave. */

/** With a scheme, or as browsers complete it. Also the ways of writing one that is not to be clicked on. */
const WITH_SCHEME = /\b[a-z][a-z0-9+.-]{1,20}(?::|\[:\])\/\/[^\s<>"'`)\]]*/gi
/** Browsers read https:host and https:\host like the usual form. */
const SCRIPT_SCHEME = /\b(?:(?:javascript|vbscript|data|mailto|tel|file|blob):\S|h(?:tt|xx)ps?:)/i
const BARE = /(?:^|[\s("'=<[])(?:\/\/|www\.)[a-z0-9]/i
const TRAILING = /[.,;:!?]+$/

/** Dots in disguise. Prose has no dot between two spaces either. */
const DOTS = /[。．｡]|(?<=\w)[·•∙](?=\w)|&#0*46;|&period;|[([{]\s?(?:\.|dot)\s?[)\]}]|(?<=\w) (?:\.|dot) (?=\w)/gi
/** Nor a small letter after a full stop, least of all these. */
const APART = /(?<=\w) ?\. ?(?=(?:com|net|org|io|app|dev|info|xyz|ru|cn|uk)\b)/g
/** Labels of any script with dots between them. */
const DOTTED = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu
const NUMERIC = /^[\d.]+$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Ends like a file or a field of an answer, and like no domain. */
const NO_DOMAIN =
  /\.(?:pdf|docx?m?|xlsx?m?|pptx?m?|dotx?m?|rtf|txt|csv|html?|xml|svg|json|eml|msg|odt|ods|odp|exe|js|ts|conf|ctl|sqlite|yara?|log|env|gz|tar|png|jpe?g|rar|backup|cpp|status|threat|scanId|fileName|\p{L})$/iu
/** Files by their end, but there are domains that end alike: only those that somebody has spoken of. */
const MAYBE_DOMAIN = /\.(?:zip|md|sh|one|py|ps|pl|rs)$/i
const PLATFORM = /^(?:asp|ado|vb)\.net$/i
/** What makes an address of a name, right before and right after it. */
const [BEFORE, AFTER] = [/[\p{L}\p{N}:]@$|:\/\/?$/u, /^(?:[?#:\\@]\S|[/=(])/u]
/** A program that is fetched by its name needs no address. */
const FETCHES =
  /\b(?:npx|pipx?|docker (?:run|pull)|podman (?:run|pull)|npm (?:i|install|exec|create)|wget|git clone|(?:cargo|go|pip|brew|apt|apt-get) install)\s+[-@.\w/]+|\bgithub\b.{0,30}?\b[\w-]+\/[\w-]+/gi

export interface Known {
  publicUrl: string
  /** What the model was given for this question. */
  sources: string
  question: string
  /** Of all our articles: what has dots, and the paths of our pages. `Docvet.Zip` is a finding, docvet.zip a host. */
  names: ReadonlySet<string>
  paths: ReadonlySet<string>
}

export const dottedIn = (text: string): string[] =>
  Array.from(text.matchAll(DOTTED), ([name]) => name.replace(/[_-]+$/, ''))
const addressesIn = (text: string): string[] =>
  Array.from(text.matchAll(WITH_SCHEME), ([address]) => address.toLowerCase().replace(TRAILING, ''))

const PROBLEM_PAGE = /^\/problems\/[a-z_]{1,40}$/
/** Our own pages, and nothing behind them that would lead elsewhere. */
function isOurs(address: string, { publicUrl, paths }: Known): boolean {
  const [own, url] = [new URL(publicUrl), URL.parse(address)]
  if (url?.origin !== own.origin || url.username !== '' || url.password !== '') return false
  const path = address.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\/$/, '')
  return path === '' || paths.has(path) || PROBLEM_PAGE.test(path)
}

/** Whether a name with dots in it, at this place of the text, is one of ours, a file or a number. */
function mayStay(name: string, before: string, after: string, known: Known, spoken: ReadonlySet<string>): boolean {
  if (NUMERIC.test(name) && !IPV4.test(name)) return true
  const { host, hostname, protocol } = new URL(known.publicUrl)
  if (name.toLowerCase() === hostname) {
    const [rest = ''] = /^\S*/.exec(after) ?? []
    const tail = rest.replace(/[.,;:!?)"'`\]]+$/, '')
    return tail === '' || isOurs(`${protocol}//${name}${tail}`, known) || `${name}${tail}` === host
  }
  if (AFTER.test(after)) return false
  if (spoken.has(`${/[\w.]+@$/.exec(before)?.[0] ?? ''}${name}`)) return true
  if (BEFORE.test(before)) return false
  if (known.names.has(name) || PLATFORM.test(name) || NO_DOMAIN.test(name)) return true
  return MAYBE_DOMAIN.test(name) && dottedIn(known.question).includes(name)
}

/** Whether the text has an address that is neither a page of ours nor stands, whole, in the sources. */
export function hasForeignLink(text: string, known: Known): boolean {
  const told = text.replaceAll(DOTS, '.').replaceAll(APART, '.')
  const addresses = new Set(addressesIn(known.sources))
  if (addressesIn(told).some((address) => !isOurs(address, known) && !addresses.has(address))) return true
  const rest = told.replaceAll(WITH_SCHEME, ' ')
  if (SCRIPT_SCHEME.test(rest) || BARE.test(rest)) return true
  if (Array.from(rest.matchAll(FETCHES), ([found]) => found).some((found) => !known.sources.includes(found)))
    return true
  const spoken = new Set([...dottedIn(known.sources), ...(known.sources.match(/[\w.]+@[\w.-]*\w/g) ?? [])])
  return Array.from(rest.matchAll(DOTTED)).some(({ 0: found, index }) => {
    const name = found.replace(/[_-]+$/, '')
    const before = rest.slice(Math.max(0, index - 40), index)
    return !mayStay(name, before, rest.slice(index + found.length, index + found.length + 80), known, spoken)
  })
}
