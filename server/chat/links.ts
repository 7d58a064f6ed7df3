/** Finds addresses in a text. Only those of our own pages may leave. */

/** With a scheme, or as browsers complete it. Also the ways of writing one that is not to be clicked on. */
const WITH_SCHEME = /\b[a-z][a-z0-9+.-]{1,20}(?::|\[:\])\/\/[^\s<>"'`)\]]*/gi
/** Browsers read https:host and https:\host like the usual form. */
const SCRIPT_SCHEME = /\b(?:(?:javascript|vbscript|data|mailto|tel|file|blob):\S|h(?:tt|xx)ps?:)/i
const BARE = /(?:^|[\s("'=<[])(?:\/\/|www\.)[a-z0-9]/i
/** Labels of any script with dots between them, also dots in disguise, with what follows: a port or a path. */
const HOST =
  /(?<![\p{L}\p{N}._-])(?:[\p{L}\p{N}_-]{1,63}(?:\.|\[\.\]| dot )){1,8}\p{L}[\p{L}\p{N}-]{1,62}(?![\p{L}\p{N}_(])(?::\d{1,5}|\/)?/giu
const NUMBERS = /\b\d{1,3}(?:\.\d{1,3}){3}\b/g
const DOTS = /[。．｡]/g
/** What ends like this is a file, as long as no path follows. */
const FILE =
  /\.(?:pdf|docx?m?|xlsx?m?|pptx?m?|dotx?m?|zip|rtf|txt|csv|html?|xml|svg|json|md|eml|msg|odt|ods|odp|one|exe|js|ts|sh|conf|ctl|sqlite|yara?|log|env|gz|tar|png|jpe?g|rar|backup|cpp)$/i
const TRAILING = /[.,;:!?]+$/

const hostsIn = (text: string): string[] =>
  [...text.matchAll(HOST), ...text.matchAll(NUMBERS)].map(([host]) => host.toLowerCase())
const addressesIn = (text: string): string[] =>
  Array.from(text.matchAll(WITH_SCHEME), ([address]) => address.toLowerCase().replace(TRAILING, ''))

/** Whether the text has an address that neither lies below ours nor stands, whole, in the sources. */
export function hasForeignLink(text: string, publicUrl: string, sources: string): boolean {
  const own = new URL(publicUrl)
  const isOurs = (address: string): boolean => {
    const url = URL.parse(address)
    return url?.origin === own.origin && url.username === '' && url.password === ''
  }
  const told = text.replaceAll(DOTS, '.')
  const known = new Set([...addressesIn(sources), ...hostsIn(sources)])
  if (addressesIn(told).some((address) => !isOurs(address) && !known.has(address))) return true
  const rest = told.replaceAll(WITH_SCHEME, ' ')
  if (SCRIPT_SCHEME.test(rest) || BARE.test(rest)) return true
  return hostsIn(rest).some((host) => {
    const name = host.replace(/\/$/, '')
    return name !== own.hostname && name !== own.host && !known.has(host) && !FILE.test(host)
  })
}
