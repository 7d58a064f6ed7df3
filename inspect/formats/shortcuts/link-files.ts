/** Text files that open an address or run a command when they are opened. */

import { SHORTCUTS } from '#inspect/catalogue/shortcuts.ts'
import { unreferenced } from '#inspect/codecs/character-references.ts'
import { findCommand } from '#inspect/commands/find.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Context, Format, Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { domainOf } from '#inspect/judge/deception/domains.ts'
import { isShortLived } from '#inspect/judge/deception/hosts.ts'
import { brandsNamed, ownerOf } from '#inspect/judge/deception/signs.ts'
import { kindOfExtension } from '#inspect/judge/extensions.ts'
import { EVERYDAY } from '#inspect/judge/files.ts'
import { doesHarm } from '#inspect/judge/scripts/harm.ts'
import { classifyTarget, describeTarget, reachOf } from '#inspect/targets/targets.ts'
import { RUNNABLE } from '#inspect/windows/extensions.ts'
import { USER_APPLICATION, WRITABLE, WRITABLE_VARIABLE } from '#inspect/windows/folders.ts'
import { UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { RUN_KEYS } from '#inspect/windows/registry.ts'
import { type Entry, readSections, valuesOf } from './sections.ts'

interface Opening {
  /**
   * `data`: any address is fetched. `query`: the same, by files that companies distribute. `table`: the same, for a
   * sheet. `agent`: a command that a system starts by itself. `link`: a web page is only shown. `page`: it is shown by a program that gives it rights. `task`: a
   * command as administrators plan them. `command`: any value is a command. `icon`: read, but not started.
   * `management`: a server that controls the device.
   */
  opens: 'management' | 'icon' | 'data' | 'query' | 'table' | 'link' | 'page' | 'task' | 'command' | 'shell' | 'agent'
}

interface LinkFile extends Opening {
  /** At the start of the text. */
  start: RegExp
  /** Values that are opened or run. The first group is the value. */
  values: RegExp
}

/** A file of sections with keys, which may come in any order. */
interface SectionFile extends Opening {
  section: RegExp
  key: RegExp
}

const SECTION_FILES: readonly SectionFile[] = [
  { section: /^(?:internetshortcut(?:\.[aw])?|default)$/, key: /^(?:url|baseurl)$/, opens: 'link' },
  { section: /^internetshortcut(?:\.[aw])?$/, key: /^(?:iconfile|workingdirectory)$/, opens: 'icon' },
  { section: /^shell$/, key: /^iconfile$/, opens: 'icon' },
  { section: /^desktop (?:entry|action .*)$/, key: /^(?:exec|tryexec|url)$/, opens: 'shell' },
  { section: /^desktop entry$/, key: /^icon$/, opens: 'icon' },
  { section: /^service$/, key: /^exec(?:start(?:pre|post)?|reload)$/, opens: 'agent' },
  {
    section: /^(?:theme|boot|visualstyles|control panel\\desktop)$/,
    key: /^(?:wallpaper|brandimage|scrnsave\.exe|path)$/,
    opens: 'icon',
  },
  {
    section: /^(?:\.shellclassinfo|autorun(?:\..*)?)$/,
    key: /^(?:icon|iconfile|iconresource|open|shellexecute|logo)$/,
    opens: 'shell',
  },
]

const XML = String.raw`^\s*(?:<\?[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*)*`
const xml = (names: string): RegExp => new RegExp(`${XML}<(?:\\w{1,20}:)?(?:${names})[\\s>]`, 'i')

const JNLP_ADDRESS = /\s(?:codebase|href)\s*=\s*["']([^"']+)/gi

const PROPERTY_LIST = /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<plist[\s>]/i

const LINK_FILES: readonly LinkFile[] = [
  {
    start: xml('libraryDescription|searchConnectorDescription|persistedQuery'),
    values: /<(?:(?:\w{1,20}:)?url\s*>|include\s+path\s*=\s*["'])\s*([^<"']+)/gi,
    opens: 'data',
  },
  // The same in the properties of a place.
  {
    start: xml('libraryDescription|searchConnectorDescription'),
    values:
      /<(?:\w{1,20}:)?property\s[^<>]{0,200}\bname\s{0,4}=\s{0,4}["'](?:url|linktarget|linktargetpath|rootpath)["'][^<>]{0,200}>\s{0,20}(?:<!\[CDATA\[)?\s{0,20}([^<\]]{3,2000})/gi,
    opens: 'data',
  },
  { start: xml('PCSettings'), values: /<DeepLink>([^<]+)/gi, opens: 'command' },
  {
    start: xml('MMC_ConsoleFile'),
    values: /((?:javascript|vbscript):[^<"]+|apds\.dll[^<"]+)|<Task[^<>]*\sCommandLine?="([^"]+)/gi,
    opens: 'command',
  },
  // Markup with a script among the texts of a console is no text.
  {
    start: xml('MMC_ConsoleFile'),
    values: /<String\b[^<>]*>([^<]*?(?:&lt;|&#60;|&#x3c;)(?:[\w.-]{1,20}:)?script\b[^<]*)/gi,
    opens: 'command',
  },
  // The program of a task and its parameters, and pages that the console shows.
  {
    start: xml('MMC_ConsoleFile'),
    values:
      /<Task\b([^<>]*>(?:(?!<Task\b|<CommandLine\b)[\s\S])*<CommandLine\b[^<>]*)|<String\b[^<>]*>\s*(https?:[^<]+)/gi,
    opens: 'page',
  },
  // With all permissions, the program from the server is not confined.
  // Applications of companies ask for all permissions as well, but their servers have names and certificates.
  {
    start: new RegExp(
      `${XML}<jnlp[\\s>](?=[^>]*\\bcodebase\\s*=\\s*["'](?!https://(?!\\d+\\.\\d+\\.\\d+\\.\\d+[:/"'])))(?=[\\s\\S]*<all-permissions)`,
      'i',
    ),
    values: JNLP_ADDRESS,
    opens: 'data',
  },
  { start: xml('jnlp'), values: JNLP_ADDRESS, opens: 'query' },
  { start: xml('asx'), values: /<ref[^<>]*\shref\s*=\s*["']([^"']+)/gi, opens: 'link' },
  { start: xml('Configuration'), values: /<Command>([^<]+)/gi, opens: 'shell' },
  {
    start: xml('Task'),
    values: /<Command>([^<]+<\/Command>\s*<Arguments>[^<]*)/gi,
    opens: 'task',
  },
  {
    start: xml('AppInstaller'),
    values: /<(?:AppInstaller|MainPackage|MainBundle)\b[^<>]*\sUri="([^"]+)/gi,
    opens: 'query',
  },
  {
    start: xml('(?:\\w+:)?assembly'),
    values: /<(?:\w+:)?deploymentProvider\b[^<>]*\scodebase="([^"]+)/gi,
    opens: 'query',
  },
  {
    start: /^\s*BEGIN:VCARD/i,
    values: /^(?:PHOTO|LOGO|SOUND|URL|KEY)\b[^:\r\n]{0,200}:((?:file:|\\\\)[^\r\n]+)/gim,
    opens: 'link',
  },
  { start: /^#EXTM3U\r?\n/i, values: /^(\\\\[^\r\n]+|file:[^\r\n]+)/gim, opens: 'link' },
  {
    start: /^\s*<html\b[^>]*>[\s\S]{0,400}x-ms-odc/i,
    values: /\b(?:Data Source|Dbq|Source)\s*=\s*((?:https?:|\\\\|file:)[^;<"]+)/gi,
    opens: 'table',
  },
  // What a connection makes the database run.
  { start: /^\s*<html\b[^>]*>[\s\S]{0,400}x-ms-odc/i, values: /<odc:CommandText>([^<]+)/gi, opens: 'task' },
  { start: /^XLODBC\r?\n1\r?\n/i, values: /^([^\r\n]{8,2000})/gm, opens: 'task' },
  {
    start: /^(?:XLODBC\r?\n1\r?\n|QueryType=OLEDB\r?\n|\s*\[(?:oledb|odbc)\])/i,
    values: /\b(?:Data Source|Dbq|DefaultDir|SourceDB|Server|Location)\s*=\s*((?:https?:|\\\\|file:)[^;\r\n"]+)/gi,
    opens: 'table',
  },
  {
    start: /^\s*(?:;[^\r\n]*[\r\n]\s*)*\[version\]/i,
    values: /^[^\S\r\n]*(?:%11%\\)?scrobj\.dll\s*,\s*NI\s*,\s*([^\r\n]+)/gim,
    opens: 'data',
  },
  { start: /^WEB\r?\n1\r?\n/i, values: /^WEB\r?\n1\r?\n([^\r\n]+)/gi, opens: 'table' },
  { start: /^https?:\/\/[^\s]+\.application#/i, values: /^([^\r\n]+)/g, opens: 'data' },
  {
    start: /^\s*(?:<\?xml[^>]*>\s*)?(?:<!DOCTYPE[^>]*>\s*)?<plist[\s>](?=[\s\S]{0,400}<key>URL<)/i,
    values: /<string>([^<]+)/gi,
    opens: 'link',
  },
  // A signed profile is no text.
  {
    start: new RegExp(`${PROPERTY_LIST.source}(?=[\\s\\S]*<string>\\s*com\\.apple\\.mdm\\s*</string>)`, 'i'),
    values: /<key>\s*ServerURL\s*<\/key>\s*<string>([^<]+)/gi,
    opens: 'management',
  },
  // Settings of a terminal, steps of a workflow, and programs that a Mac starts.
  {
    start: PROPERTY_LIST,
    values: /<key>(?:CommandString|COMMAND_STRING|Program)<\/key>\s*<string>([^<]+)/gi,
    opens: 'agent',
  },
  {
    start: PROPERTY_LIST,
    values: /<key>ProgramArguments<\/key>\s*<array>((?:\s*<string>[^<]*<\/string>)+)/gi,
    opens: 'agent',
  },
]

const SIGNATURE = mark(
  [
    '[InternetShortcut',
    '[Shell]',
    '[Desktop Entry]',
    '[Service]',
    '[ApplicationServers]',
    '[Theme]',
    '[Control Panel',
    'libraryDescription',
    'searchConnectorDescription',
    'persistedQuery',
    '<PCSettings',
    '<MMC_ConsoleFile',
    '<jnlp',
    '<asx',
    '<Configuration>',
    'WEB\n1',
    'WEB\r\n1',
    '.application#',
    'full address:s:',
    '<plist',
    'REGEDIT4',
    'Windows Registry Editor',
    '<AppInstaller',
    'deploymentProvider',
    '[.ShellClassInfo',
    '[AutoRun]',
    '#EXTM3U',
    'BEGIN:VCARD',
    'x-ms-odc',
    'XLODBC',
    'QueryType=OLEDB',
    '[oledb]',
    '[odbc]',
    'scrobj.dll',
    'windows/2004/02/mit/task',
  ],
  { ignoresCase: true },
)

/** Values of a file that are judged, and work for each character. */
const VALUE_WORK = 5_000
const CHARACTER_WORK = 20

export const linkFiles: Format = {
  among: { marks: [SIGNATURE] },
  applies: (item) => item.sniffed.kind === 'text' && item.has(SIGNATURE),
  analyse(item, context) {
    const text = view(item.bytes)
      .toString('latin1')
      .replace(/^(?:\xef\xbb\xbf|\xff\xfe)/, '')
    for (const found of LINK_FILES.filter(({ start }) => start.test(text))) judgeLinkFile(item, found, text, context)
    if (/^[^\S\r\n]*\[/m.test(text)) judgeSections(item, readSections(item, text), context)
    if (/^\s*(?:Windows Registry Editor|REGEDIT4)/i.test(text)) judgeRegistry(item, text, context)
    if (REMOTE_DESKTOP.test(text)) judgeRemoteDesktop(item, text, context)
  },
}

function judgeLinkFile(item: Item, { values, opens }: LinkFile, text: string, context: Context): void {
  charge(text.length * CHARACTER_WORK)
  const found = [...text.matchAll(values)].map((match) => unreferenced(match[1] ?? match[2] ?? ''))
  judgeValues(item, found, opens, context)
}

function judgeSections(item: Item, entries: readonly Entry[], context: Context): void {
  for (const { section, key, opens } of SECTION_FILES)
    judgeValues(item, valuesOf(entries, section, key), opens, context)
  judgeCitrix(item, entries, context)
}

function judgeValues(item: Item, values: readonly string[], opens: LinkFile['opens'], context: Context): void {
  let isWeb = false
  for (const written of values) {
    charge(VALUE_WORK)
    const value = written.trim()
    const detail = describeTarget(value)
    const verdict = opens === 'management' ? 'managed' : judgeValue(value, opens)
    if (verdict === 'command') context.addFinding(item, { ...SHORTCUTS.command, detail })
    if (verdict === 'remote') context.addFinding(item, { ...SHORTCUTS.remote, detail })
    if (verdict === 'named') context.addFinding(item, { ...SHORTCUTS.file, detail })
    if (verdict === 'managed') context.addFinding(item, { ...SHORTCUTS.management, detail })
    isWeb ||= verdict === 'web'
  }
  if (isWeb) context.addFinding(item, { ...SHORTCUTS.web, detail: null })
}

/** Pages of the settings and of the control panel. */
const SETTINGS = /^(?:ms-settings:[\w-]+|%windir%\\system32\\control\.exe(?: \/name microsoft\.\w+)?)$/i

/** `named`: a server with a name, as companies give to their file servers and data. */
type Verdict = 'command' | 'remote' | 'named' | 'managed' | 'web' | null

const isTask = (value: string): boolean => /<CommandLine\b[^<>]*$/i.test(value)

/** The program of a task, and the parameters that an element within it has. */
function taskOf(value: string): string {
  const program = /\sCommand="([^"]*)/i.exec(value)?.[1] ?? ''
  return `${program} ${/\sParams="([^"]*)/i.exec(value)?.[1] ?? ''}`
}

function judgeValue(value: string, opens: LinkFile['opens']): Verdict {
  if (opens === 'command') return SETTINGS.test(value) ? null : 'command'
  if (opens === 'icon') return classifyTarget(value).isRemote ? judgeAddress(value, 'link') : null
  if (opens === 'agent') return startsForeign(value.replace(/<[^<>]*>/g, ' ')) ? 'command' : null
  const command = findCommand(isTask(value) ? taskOf(value) : value.replace(/<\/\w+>\s*<\w+>/, ' '))
  if (opens === 'task') return isUnsafe(command) ? 'command' : null
  if (opens === 'shell') return judgeEntry(value, command)
  return command === null ? judgeAddress(value, opens) : 'command'
}

const PIPED = anyCase`\|\s{0,9}(?:sudo )?${[...UNIX_SHELLS, 'python3', 'osascript', 'perl']}\b`

/** Code of a server, or a shell for another computer. Services ask servers whether they run. */
function startsForeign(line: string): boolean {
  const command = findCommand(line)
  if (command !== null && (command.isEncoded || (command.isRemote && command.kind !== 'download'))) return true
  return (command?.isRemote === true && PIPED.test(line)) || doesHarm(line)
}

/** Desktop entries start local programs by design. */
function judgeEntry(value: string, command: ReturnType<typeof findCommand>): Verdict {
  if (command !== null) return command.isRemote || command.isWindows ? 'command' : null
  return classifyTarget(value).kind === 'share' ? judgeAddress(value, 'link') : null
}

function isUnsafe(command: ReturnType<typeof findCommand>): boolean {
  return command !== null && (command.isRemote || command.isEncoded || command.isObfuscated)
}

function judgeAddress(value: string, opens: LinkFile['opens']): Verdict {
  const { kind, severity, isRemote, host } = classifyTarget(value)
  const isProgram = startsProgram(value)
  const isForeignShare = kind === 'share' && (isProgram || reachOf(host) === 'internet' || isForeignPort(value, host))
  if (isForeignShare || kind === 'script' || (kind === 'handler' && severity !== 'notice')) return 'remote'
  if (kind === 'share') return namedShare(host, opens)
  if (!isRemote) return kind === 'file' && isProgram ? 'remote' : null
  const table = opens === 'table' ? judgeTable(value, host) : null
  if (table !== null) return table
  if (isProgram || isStranger(value, host, opens)) return 'remote'
  return isOnlyShown(value, host, opens) ? 'web' : 'named'
}

/** A file server without a domain, which only the network of the company has. */
const OWN_SERVER = /^[a-z][a-z\d-]{0,30}$/i

const namedShare = (host: string, opens: LinkFile['opens']): Verdict =>
  (opens === 'link' || opens === 'data') && OWN_SERVER.test(host) ? 'web' : 'named'

/** Data of no program that shows tables. */
const CODED_TABLE = /^https?:[^?#]*\.(?:dat|bin|tmp|png|jpe?g|gif|bmp|ico|mp[34])$/i
/** A page whose table a reader chose. */
const SITE_PAGE = /^https:\/\/[^/?#]+\/(?:[^?#]*\/)?[\w.-]+\.html?$/i

/** What the address of a table tells by itself. */
function judgeTable(address: string, host: string): Verdict {
  if (SITE_PAGE.test(address) && !isShortLived(address) && !isNameless(host)) return 'web'
  return CODED_TABLE.test(address) ? 'remote' : null
}

/** A server that no company has for its data. */
function isStranger(address: string, host: string, opens: LinkFile['opens']): boolean {
  if (opens === 'table' && isShortLived(address)) return true
  return (opens === 'data' || isNameless(host)) && !isInside(host)
}

/** A page, or data of the company: no stranger can answer, or it is a list, whose cells are no formulas. */
function isOnlyShown(address: string, host: string, opens: LinkFile['opens']): boolean {
  if (opens !== 'table') return opens === 'link'
  return reachOf(host) === 'company' || (host.endsWith('.sharepoint.com') && SHAREPOINT_LIST.test(address))
}

/** Libraries of companies in the cloud need a sign-in. */
function isInside(host: string): boolean {
  return reachOf(host) === 'company' || host.endsWith('.sharepoint.com')
}

/** Lists of SharePoint, as its button for Excel exports them. The address names a library, but returns data. */
const SHAREPOINT_LIST = /^https:\/\/[^/]+\/(?:[^?]+\/)?_vti_bin\/owssv[cr]\.dll\?/i

function startsProgram(target: string): boolean {
  if (SHAREPOINT_LIST.test(target)) return false
  const plain = target.replace(/%([2-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  const extension = /\.([a-z0-9-]+)[.\s]*(?:[?#]|$)/i.exec(plain)?.[1]?.toLowerCase() ?? ''
  const isHost = /^[a-z]+:\/\/[^/]*$/i.test(plain)
  return !isHost && kindOfExtension(extension)?.severity === 'malicious'
}

/** The port of a web server that is opened as a file server. Companies and their cloud use encrypted ones. */
function isForeignPort(value: string, host: string): boolean {
  const port = /[\\/]{2}[^\\/]*@(ssl|\d+)(?:@\d+)?[\\/]/i.exec(value)?.[1]?.toLowerCase()
  return port !== undefined && !(port === 'ssl' && isInside(host))
}

const REMOTE_DESKTOP = /^\s*[\w ]{1,40}:[isb]:/
/** The host of a connection, the gateway to it, all drives for the server, and a program that looks like a local one. */
const ADDRESS = /^(?:alternate )?full address:s:([^\r\n]+)/gim
const GATEWAY = /^gatewayhostname:s:([^\r\n]+)/gim
const GIVES_DRIVES = /^drivestoredirect:s:[^\r\n]*(?:\*|[a-z]:\\)/im
const SHOWS_PROGRAM = /^remoteapplicationmode:i:1/im
/** The server is not checked, or the names of the reader and the computer are sent to the program. */
const TRUSTS_ANY = /^authentication level:i:0|^remoteapplicationcmdline:s:.*%(?:user|computer)/im

/** A server outside the company that receives the drives of the reader, or shows its program as a local window. */
function judgeRemoteDesktop(item: Item, text: string, context: Context): void {
  charge(text.length * CHARACTER_WORK)
  const hosts = [
    ...text.matchAll(ADDRESS).map(([, host = '']) => host.trim()),
    // Companies give names to their gateways.
    ...text.matchAll(GATEWAY).flatMap(([, host = '']) => (isStrangeHost(host.trim()) ? [host.trim()] : [])),
  ]
  const remote = hosts.find((host) => reachOf(classifyTarget(`http://${host}`).host) !== 'company')
  const gives = GIVES_DRIVES.test(text)
  if (hosts.length === 0) return
  const isKnown = remote !== undefined && ownerOf(hostOfConnection(remote)) !== undefined
  const shows = SHOWS_PROGRAM.test(text) && !isPublished(text, hosts)
  if (remote === undefined || isKnown || !(gives || shows)) context.addFinding(item, { ...SHORTCUTS.web, detail: null })
  else if (
    gives &&
    (isStrangeHost(remote) || posesAsKnown(remote) || (SHOWS_PROGRAM.test(text) && TRUSTS_ANY.test(text)))
  )
    context.addFinding(item, { ...SHORTCUTS.remote, detail: describeTarget(`rdp://${remote}`) })
  else context.addFinding(item, { ...SHORTCUTS.file, detail: describeTarget(`rdp://${remote}`) })
}

const hostOfConnection = (host: string): string => host.replace(/:\d{1,5}$/, '').toLowerCase()

/** The name of a company before the name of another: `aws.zero-trust.example`. */
const posesAsKnown = (host: string): boolean => brandsNamed(hostOfConnection(host)).length > 0

/** A program that a company publishes: behind its own gateway, from a server that is checked. */
function isPublished(text: string, hosts: readonly string[]): boolean {
  const [gateway] = Array.from(text.matchAll(GATEWAY), ([, host = '']) => host.trim())
  const registered = (host: string): string => domainOf(hostOfConnection(host)).registered
  const isOwn = (host: string): boolean => !isStrangeHost(host) && registered(host) === registered(gateway ?? '')
  return gateway !== undefined && [gateway, ...hosts].every(isOwn) && !TRUSTS_ANY.test(text)
}

function isStrangeHost(host: string): boolean {
  return isNameless(host) || isShortLived(`http://${host}`)
}

/** The same for Citrix, which gives all drives unless the file says otherwise. */
function judgeCitrix(item: Item, entries: readonly Entry[], context: Context): void {
  if (!entries.some(({ section }) => section === 'applicationservers')) return
  const givesDrives = !valuesOf(entries, /./, /^cdmallowed$/).some((value) => /^(?:off|false|no|0)$/i.test(value))
  const remote = valuesOf(entries, /./, /^(?:address|httpbrowseraddress)$/).find(
    (host) => isNameless(host) && reachOf(classifyTarget(`http://${host}`).host) !== 'company',
  )
  if (remote !== undefined && givesDrives)
    context.addFinding(item, { ...SHORTCUTS.remote, detail: describeTarget(`ica://${remote}`) })
  else context.addFinding(item, { ...SHORTCUTS.web, detail: null })
}

function isNameless(host: string): boolean {
  return classifyTarget(`http://${host}`).kind === 'webIp'
}

/** Keys whose values Windows runs. */
const RUN_KEY = anyCase`\\${RUN_KEYS}(?:(?<=options)\\[^\]]+)?\]`

/** A program where every user can write one. */
const LOOSE = anyCase`^"?(?:${WRITABLE_VARIABLE}|[a-z]:\\${WRITABLE}\\)[^"]{1,200}\.${RUNNABLE}\b`

/** A program that somebody installed without the rights of an administrator. Another computer has no such user. */
const INSTALLED_BY_USER = anyCase`^"?${USER_APPLICATION}(?:[\w .-]{1,60}\\){1,6}[\w .-]{1,60}\.exe\b`

/** Helpers that everybody can start before anybody has signed in. */
const BEFORE_SIGN_IN =
  /\\Image File Execution Options\\(?:sethc|utilman|osk|magnify|narrator|displayswitch|atbroker)\.exe\]/i

/** Long lists of bytes go on in the next line. */
const CONTINUED = /,\\\r?\n\s{0,8}(?=[\da-f]{2})/gi
/** Texts with variables, which Windows writes as bytes. */
const CODED_TEXT = /^(?:@|"[^"]*")=hex\([127]\):([\da-f, ]*)$/i

/** The value of a line, if it is a text. */
function registryText(line: string): string | null {
  const coded = CODED_TEXT.exec(line.trimEnd())?.[1]
  if (coded !== undefined) {
    const value = Buffer.from(coded.replace(/[, ]/g, ''), 'hex').toString('utf16le')
    return value.replaceAll('\0', ' ').trimEnd()
  }
  const value = /^(?:@|"[^"]*")="(.*)"\s*$/.exec(line)?.[1]
  return value === undefined ? null : value.replace(/\\(["\\])/g, '$1')
}

function judgeRegistry(item: Item, text: string, context: Context): void {
  charge(text.length * CHARACTER_WORK)
  let isRunKey = false
  let isDoor = false
  keep(text.length)
  for (const line of text.replace(CONTINUED, '').split(/\r?\n/)) {
    charge(VALUE_WORK)
    if (line.startsWith('[')) isRunKey = RUN_KEY.test(line)
    if (line.startsWith('[')) isDoor = BEFORE_SIGN_IN.test(line)
    const plain = registryText(line)
    if (plain === null) continue
    const command = findCommand(plain)
    if (
      (command !== null && (isRunKey || command.isRemote || command.isEncoded)) ||
      (isRunKey && LOOSE.test(plain) && !INSTALLED_BY_USER.test(plain)) ||
      (isDoor && /^"debugger"/i.test(line))
    ) {
      context.addFinding(item, { ...SHORTCUTS.registry, detail: describeTarget(plain) })
      return
    }
  }
  context.record(item, EVERYDAY, true)
}
