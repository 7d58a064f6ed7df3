/** Link allow-list: finds URLs and host names in a text that are neither our own pages nor in the sources. */

/** A URL with a scheme, also in the defanged form https[:]//. */
const WITH_SCHEME = /\b[a-z][a-z0-9+.-]{1,20}(?::|\[:\])\/\/[^\s<>"'`)\]]*/gi
/** Browsers accept https:host and https:\host too. */
const SCRIPT_SCHEME = /\b(?:(?:javascript|vbscript|data|mailto|tel|file|blob):\S|h(?:tt|xx)ps?:)/i
const BARE = /(?:^|[\s("'=<[])(?:\/\/|www\.)[a-z0-9]/i
const TRAILING = /(?<![.,;:!?])[.,;:!?]+$/

/** Disguised dots, including one between two spaces, which prose does not have. */
const DOTS = /[。．｡]|(?<=\w)[·•∙](?=\w)|&#0*46;|&period;|[([{]\s?(?:\.|dot)\s?[)\]}]|(?<=\w) (?:\.|dot) (?=\w)/gi
/** A top-level domain after a full stop, with or without spaces. */
const APART = /(?<=\w) ?\. ?(?=(?:com|net|org|io|app|dev|info|xyz|ru|cn|uk)\b)/g
/** Labels of any script separated by dots. */
const DOTTED = /(?<![\p{L}\p{N}_-])[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)+/gu
const NUMERIC = /^[\d.]+$/
const IPV4 = /^\d{1,3}(?:\.\d{1,3}){3}$/
/** Endings of files or response fields that are no top-level domains. */
const NO_DOMAIN =
  /\.(?:pdf|docx?m?|xlsx?m?|pptx?m?|dotx?m?|rtf|txt|csv|html?|xml|svg|json|eml|msg|odt|ods|odp|exe|js|ts|conf|ctl|sqlite|yara?|log|env|gz|tar|png|jpe?g|rar|backup|cpp|status|threat|scanId|fileName|\p{L})$/iu
/** File extensions that are top-level domains too: allowed only if the question names the file. */
const MAYBE_DOMAIN = /\.(?:zip|md|sh|one|py|ps|pl|rs)$/i
const PLATFORM = /^(?:asp|ado|vb)\.net$/i
/** Characters right before and right after a name that make it part of a URL. */
const [BEFORE, AFTER] = [/[\p{L}\p{N}:]@$|:\/\/?$/u, /^(?:[?#:\\@]\S|[/=(])/u]
/** Commands that download a package by name, without a URL. */
const FETCHES =
  /\b(?:npx|pipx?|docker (?:run|pull)|podman (?:run|pull)|npm (?:i|install|exec|create)|wget|git clone|(?:cargo|go|pip|brew|apt|apt-get) install)\s+[-@.\w/]+|\bgithub\b.{0,30}?\b[\w-]+\/[\w-]+/gi

interface Known {
  publicUrl: string
  /** Articles and facts in the prompt. */
  sources: string
  question: string
  /** Dotted names and page paths in all articles. Case matters: `Docvet.Zip` is a finding, docvet.zip a host. */
  names: ReadonlySet<string>
  paths: ReadonlySet<string>
}

export const dottedIn = (text: string): string[] =>
  Array.from(text.matchAll(DOTTED), ([name]) => name.replace(/(?<![_-])[_-]+$/, ''))
const urlsIn = (text: string): string[] =>
  Array.from(text.matchAll(WITH_SCHEME), ([url]) => url.toLowerCase().replace(TRAILING, ''))

const EXPLAINING_PAGE = /^\/(?:problems\/[a-z_]{1,40}|findings\/docvet\.[a-z0-9]{1,40}\.[a-z0-9]{1,40})$/
function isOurs(link: string, { publicUrl, paths }: Known): boolean {
  const [own, url] = [new URL(publicUrl), URL.parse(link)]
  if (url?.origin !== own.origin || url.username !== '' || url.password !== '') return false
  const path = link.replace(/^[a-z]+:\/\/[^/]*/, '').replace(/\/$/, '')
  return path === '' || paths.has(path) || EXPLAINING_PAGE.test(path)
}

/** Whether a dotted name is one of ours, a file name or a number. */
function isAllowedName(name: string, before: string, after: string, known: Known, given: ReadonlySet<string>): boolean {
  if (NUMERIC.test(name) && !IPV4.test(name)) return true
  const { host, hostname, protocol } = new URL(known.publicUrl)
  if (name.toLowerCase() === hostname) {
    const [rest = ''] = /^\S*/.exec(after) ?? []
    const tail = rest.replace(/(?<![.,;:!?)"'`\]])[.,;:!?)"'`\]]+$/, '')
    return tail === '' || isOurs(`${protocol}//${name}${tail}`, known) || `${name}${tail}` === host
  }
  if (AFTER.test(after)) return false
  if (given.has(`${/(?<![\w.])[\w.]+@$/.exec(before)?.[0] ?? ''}${name}`)) return true
  if (BEFORE.test(before)) return false
  if (known.names.has(name) || PLATFORM.test(name) || NO_DOMAIN.test(name)) return true
  return MAYBE_DOMAIN.test(name) && dottedIn(known.question).includes(name)
}

export function hasForeignLink(text: string, known: Known): boolean {
  const plain = text.replaceAll(DOTS, '.').replaceAll(APART, '.')
  const given = new Set(urlsIn(known.sources))
  if (urlsIn(plain).some((url) => !isOurs(url, known) && !given.has(url))) return true
  const rest = plain.replaceAll(WITH_SCHEME, ' ')
  if (SCRIPT_SCHEME.test(rest) || BARE.test(rest)) return true
  if (Array.from(rest.matchAll(FETCHES), ([found]) => found).some((found) => !known.sources.includes(found)))
    return true
  const givenNames = new Set([
    ...dottedIn(known.sources),
    ...(known.sources.match(/(?<![\w.])[\w.]+@[\w.-]*\w/g) ?? []),
  ])
  return Array.from(rest.matchAll(DOTTED)).some(({ 0: found, index }) => {
    const name = found.replace(/(?<![_-])[_-]+$/, '')
    const before = rest.slice(Math.max(0, index - 40), index)
    return !isAllowedName(name, before, rest.slice(index + found.length, index + found.length + 80), known, givenNames)
  })
}
