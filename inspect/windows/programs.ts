/** Programs that command lines name, and how their arguments are read. Names are without `.exe`. */

import { DISGUISES, HOST_SCRIPTS, LIBRARIES, RUNNABLE } from './extensions.ts'

const list = (names: string): readonly string[] => names.split(/\s+/)

export const POWERSHELLS = list('powershell pwsh')
export const SHELLS = ['cmd', 'command', ...POWERSHELLS]
export const SCRIPT_HOSTS = list('wscript cscript')
/** They run a command, a script or a library that their arguments name. */
export const RUNNERS = [...SHELLS, ...SCRIPT_HOSTS, ...list('mshta rundll32 regsvr32')]
/** They install a package. */
export const INSTALLERS = list('msiexec wusa dism winget choco')
/** They load a library and call it. */
export const LIBRARY_RUNNERS = list('rundll32 regsvr32')
/** They start the file that they are given. */
export const STARTERS = [...RUNNERS, 'msiexec', 'explorer']
export const DOWNLOADERS = list('certutil bitsadmin curl wget')
/** They read the address that they are given, also without its scheme. */
export const ADDRESS_READERS = [...DOWNLOADERS, 'mshta']
/** Makers of tools tell everyone to use them for an installation. */
export const INSTALLATION_COMMANDS = ['powershell', 'sh', 'curl', 'wget']
/** As texts for users name the place where commands are entered. */
export const COMMAND_WINDOWS = ['terminal', 'powershell', 'command prompt']
export const UNIX_SHELLS = list('sh bash zsh dash ksh')
/** Programs of Windows that run others, change the system or fetch files, anywhere in a command. */
export const PROXIES = list(
  'mshta regsvr32 certutil bitsadmin wmic msiexec schtasks vssadmin wbadmin bcdedit forfiles cmstp installutil msbuild',
)
/** Programs that a conversation by DDE may start. A data feed has a name of its own. */
export const DDE_PROGRAMS = [
  ...RUNNERS,
  ...list(`certutil msiexec bitsadmin curl wmic explorer conhost forfiles hh msbuild installutil cmstp bash sh wsl scrcons
  schtasks reg control pcalua odbcconf ftp finger calc notepad msdt`),
]
/** Programs of Windows that no macro needs, and that tests of exploits start. */
export const STARTED_BY_EXPLOITS = [
  ...RUNNERS,
  ...list(`calc notepad mspaint winver msiexec certutil bitsadmin wmic hh explorer forfiles ftp reg schtasks msbuild
  installutil`),
]
/** Demonstrations of attacks start them. */
export const CALCULATORS = list('calc xcalc')
/** Processes of Windows that are nowhere else. */
export const SYSTEM_PROCESSES = list(
  `cmd rundll32 svchost explorer conhost lsass winlogon csrss services taskhost taskhostw dllhost spoolsv werfault hh control
  cscript wscript powershell`,
)
/** They run a file of any name, and their input. */
export const INTERPRETERS = [
  ...SHELLS,
  ...SCRIPT_HOSTS,
  ...UNIX_SHELLS,
  ...list('python python2 python3 pythonw py node perl php ruby wsl rscript r rterm java javaw mysql psql sqlplus ftp'),
]
/** Installed programs that run what they are given, or open any address. */
export const OPENERS = [
  ...INTERPRETERS,
  ...list(`git-bash git-cmd autohotkey autohotkeyu64 autohotkey64 autoit autoit3 tclsh wish ssh curl mshta wab hh msbuild
  electron msdeploy vncviewer`),
]
export const EDITORS = list('notepad wordpad write mspaint winword excel powerpnt acrord32 acrobat explorer')
export const BROWSERS = list('iexplore chrome msedge firefox brave opera')
/** Programs and consoles of Windows that only show something. */
export const SYSTEM_VIEWERS = list(
  `mspaint notepad write taskmgr snippingtool charmap osk magnify cleanmgr dfrgui eventvwr perfmon regedit msinfo32 winver
  stikynot calc resmon dxdiag optionalfeatures`,
)
export const CONSOLES = list(
  `devmgmt services compmgmt diskmgmt eventvwr gpedit secpol lusrmgr taskschd printmanagement dsa gpmc dhcpmgmt dnsmgmt`,
)
/** Commands of the shell itself. */
export const BUILT_IN = list('copy move ren rename md mkdir dir type del erase call if start cls ver')
/** Commands of the shell that start and change nothing. */
export const NEUTRAL = list('echo cd chdir pushd popd title exit rem timeout')
/** Tools that do what their arguments say, and run no code of others. */
export const TOOLS = list(
  `robocopy xcopy copy move del erase ren rename md mkdir rd rmdir dir type echo cd pushd popd attrib icacls cacls takeown subst
  compact fc find findstr sort more tree vol label date time ver cls pause exit title timeout sleep choice where whoami hostname
  7z 7za 7zr 7zg winrar rar unrar zip unzip tar gzip compress expand makecab extrac32 git svn hg npm npx yarn pnpm node tsc mvn
  mvnw gradle gradlew ant make nmake cmake ninja cl link devenv dotnet nuget vstest makensis iscc candle light wix signtool
  javac doxygen pandoc pdflatex latexmk notepad notepad++ wordpad write mspaint winword excel powerpnt outlook acrord32 acrobat
  ping ipconfig tracert pathping nslookup netstat arp route gpupdate gpresult tasklist systeminfo driverquery getmac chkdsk
  defrag cleanmgr sqlcmd osql bcp mysqldump pg_dump mysql psql sqlite3 mstsc print rundesk wmplayer vlc iisreset w32tm tzutil
  powercfg slmgr tf p4 cvs bzr fossil`,
)
/** Start programs at times. */
export const TASKS = list('schtasks at')
/** Processes of scanners. */
export const SCANNERS = list('msmpeng defender mcafee sophos symantec kaspersky ekrn sentinel crowdstrike csfalcon')

/** `shell`: runs any command. `script`: runs a script. `download`: saves a file. `proxy`: a program of the system that runs others. */
export type CommandKind = 'shell' | 'script' | 'download' | 'proxy'

/** Arguments with which a program is started: the syntax of a command line, not prose. */
export interface CommandShape {
  kind: CommandKind
  /** The first name, unless the names are commands of an interpreter. */
  program: string
  names: readonly string[]
  /** Source of a pattern in lower case, directly after the name, its extension and a closing quote. */
  rest: string
  /** Pages explain commands of other systems more often than they attack with them. */
  isWindows: boolean
}

const shape = (kind: CommandKind, names: string, rest: string, program = list(names)[0] ?? ''): CommandShape => ({
  kind,
  program,
  names: list(names),
  rest,
  isWindows: true,
})

const unixShape = (...row: Parameters<typeof shape>): CommandShape => ({ ...shape(...row), isWindows: false })

const SCRIPT_FILE = String.raw`\.(?:${[...HOST_SCRIPTS, 'ws', ...DISGUISES].join('|')})\b`

/** A folder of a file server that only computers of the company find by its name. The text is in lower case. */
const COMPANY_FOLDER = String.raw`[a-z][\w-]*(?:\\[\w $()-]+)*\\?`

export const COMMAND_SHAPES: readonly CommandShape[] = [
  shape(
    'shell',
    'powershell pwsh',
    String.raw` ?(?:[-/](?:e(?:nc?|ncodedcommand|p|x[a-z]*|c)?|w(?:in?[a-z]*)?|nop[a-z]*|noni[a-z]*|noe[a-z]*|nol[a-z]*|co?m?m?|command|f(?:ile)?|sta|mta|v(?:ersion)?)\b|["'({& ]{0,8}(?:(?:iex|iwr|irm|saps|sal|curl|cmd)\b|(?:invoke|start|set|add|new)-\w|\$\w|\[[a-z][\w.]+\]|\. ?\())`,
  ),
  shape('shell', 'iex invoke-expression', ` ?[("'$[&]`, 'powershell'),
  shape(
    'shell',
    '|iex |invoke-expression downloadstring downloadfile downloaddata frombase64string',
    String.raw` ?(?:\(|$|["';)|])`,
    'powershell',
  ),
  shape(
    'shell',
    'iwr irm invoke-webrequest invoke-restmethod start-bitstransfer',
    String.raw`(?: -\w+)* ["'(]?(?:https?:|\$\w)`,
    'powershell',
  ),
  shape('shell', 'cmd', String.raw`(?: ?/(?:[adefqsuv]|[efv]:\w+|t:\w+))* ?/[ckr](?=[ "'(&|@]|\w+\.exe) ?\S`),
  shape('proxy', 'mshta', String.raw` ["']?(?:https?:|javascript:|vbscript:|about:|\\\\|[^ "']+\.\w{2,4})`),
  shape('proxy', 'rundll32', String.raw` ["']?(?:javascript:|vbscript:|[^ ,"']+["']? ?, ?["']?#?\w)`),
  shape(
    'proxy',
    'regsvr32',
    String.raw`(?: /[a-z][^ ]*)* (?:/i:|["']?[^ ]+\.(?:${[...LIBRARIES, 'sct', 'txt', 'dat', 'tmp'].join('|')})\b|scrobj)`,
  ),
  shape('download', 'certutil', String.raw`(?: [-/]\w+)* [-/](?:urlcache|verifyctl|decode|decodehex|ping)\b`),
  shape('download', 'bitsadmin', String.raw` .{0,40}/(?:transfer|addfile|create)\b`),
  shape('script', 'wscript cscript', String.raw`(?: //?[^ /][^ ]*)* ["']?(?:[^ ]+${SCRIPT_FILE}|\\\\)`),
  shape('proxy', 'msiexec', String.raw`(?: [-/][^ ]+)* [-/](?:i|package|y|z|q)\w* ?["']?\S`),
  shape('download', 'curl', String.raw`(?: -[^ ]+)* (?:["']?https?://|[^|&]{0,200} -(?:o|-output)\b)`),
  shape('proxy', 'wmic', ' .{0,80}(?:process call create|/format:)'),
  shape('proxy', 'forfiles', String.raw` .{0,120}/c\b`),
  shape('proxy', 'pcalua', String.raw` -a\b`),
  shape('proxy', 'conhost', ' (?:--headless|cmd|powershell)'),
  shape('proxy', 'cmstp', String.raw` /\w+ `),
  shape('proxy', 'installutil', ' /'),
  shape('proxy', 'msbuild', String.raw` ["']?(?:\\\\|https?:|[^ ]+\.xml\b)`),
  shape('proxy', 'schtasks', String.raw` /(?:create|run|change)\b`),
  shape('proxy', 'hh', ` ["']?(?:https?:|ms-its:|mk:)`),
  shape('proxy', 'msdt', String.raw` /(?:id|path)\b`),
  shape('proxy', 'odbcconf', ' [-/{]'),
  shape('proxy', 'control', String.raw` ["']?[^ ]+\.cpl\b`),
  shape(
    'proxy',
    'explorer',
    String.raw` ["']?(?:\\\\(?!${COMPANY_FOLDER}["']?(?:$|[&|;,)\n]))|https?:|shell:|[^ ]+\.(?:${RUNNABLE.filter((name) => name !== 'com').join('|')})\b)`,
  ),
  shape('proxy', 'search-ms', String.raw`:.{0,200}location:["']?\\\\`),
  shape('proxy', 'ms-appinstaller', String.raw`:\?source=["']?https?:`),
  shape('proxy', 'ssh', ' .{0,80}(?:proxycommand|localcommand|stricthostkeychecking=no)'),
  shape('download', 'finger', String.raw` [^ ]*@[\w.-]+ ?(?:\||['"]\) ?do\b)`),
  shape('download', 'nslookup', String.raw` .{0,80}-(?:q|query|querytype|ty|type)=txt\b.{0,200}(?:\||\) ?do\b)`),
  shape('download', 'tftp', String.raw` -i [\w.-]+ get\b`),
  shape('download', 'ftp', ' .{0,40}-s:'),
  shape('download', 'desktopimgdownldr', ' .{0,80}/lockscreenurl:'),
  shape('download', 'esentutl', String.raw` .{0,20}/y ["']?\\\\`),
  shape(
    'proxy',
    'winget',
    String.raw` (?:install|configure)\b.{0,80} (?:-m|--manifest|-f|--file) ["']?(?:\\\\|https?:)`,
  ),
  shape('proxy', 'syncappvpublishingserver', String.raw`(?:\.vbs)? ["']`),
  shape('shell', 'wsl', String.raw` .{0,40}(?:curl|wget|(?:ba)?sh -c)\b`),
  shape('shell', 'net', String.raw` use (?:\w:|\*)? ?["']?(?:\\\\|https?:)`),
  shape('shell', 'reg', ` add ["']?hk`),
  shape('shell', 'vssadmin', String.raw` delete\b`),
  shape('script', 'java javaw', ' -jar [^ ]'),
  unixShape('shell', 'sh bash zsh dash ksh', String.raw` -\w*c ["'$]\S`),
  unixShape('shell', '|sh |bash |zsh', String.raw`(?: -\w+)*(?:$|[ ;"'&|)])`, 'sh'),
  unixShape(
    'shell',
    'sh bash zsh source eval',
    String.raw` (?:<\( ?|<<< ?["']?\$\( ?|["']?\$\( ?|["']?\x60 ?)(?:curl|wget|echo|base64)\b`,
    'sh',
  ),
  unixShape('shell', 'osascript', String.raw` -[el]\b`),
  unixShape('script', 'python python2 python3 pythonw', ` -c ["']`),
  unixShape('script', 'node', ` (?:-e|--eval) ["']`),
  unixShape('download', 'wget', `(?: -[^ ]+)* ["']?https?://`),
]

/** Programs of all shapes. */
export const COMMAND_NAMES = [...new Set(COMMAND_SHAPES.map(({ program }) => program))]

/** Commands of tools that can do harm as well, which only ask or show. */
export const QUESTIONS = String.raw`^(?:msbuild(?:\.exe)?"?(?: \/\S+)* "?[\w .\\-]+\.(?:sln|csproj|vbproj|vcxproj)\b|reg(?:\.exe)?"? (?:query|export|compare)\b|schtasks(?:\.exe)?"? \/query\b|sc(?:\.exe)?"? (?:\\\\\S+ )?(?:query|qc|queryex)\b|net(?:\.exe)?"? (?:use|time|view|user|start|stop|statistics|session|share|send)\b(?!.*\/add)|msiexec(?:\.exe)?"?(?: \/(?!i:|z)\S+)* \/(?:i|x|p|package|uninstall)\b|netsh(?:\.exe)?"? .*\bshow\b|wevtutil(?:\.exe)?"? (?:qe|gl|epl)\b|explorer(?:\.exe)?"?(?:$| "?[a-z]:\\))`
/** Removes or moves files that are old. */
export const HOUSEKEEPING = String.raw`^forfiles(?:\.exe)?"? (?=.{0,300}/d -\d)[^|<>]{0,300}/c "?(?:cmd(?:\.exe)? /c )?(?:if @isdir==(?:true|false) )?(?:del|erase|rd|rmdir|echo|move|copy)\b[^&|<>]{0,200}$`
/** The program of Windows that calls a function of a library, from its own folder. */
const LIBRARY_CALL = String.raw`^"?(?:(?:%systemroot%|%windir%|c:\\windows)\\sys(?:tem32|wow64)\\)?rundll32(?:\.exe)?"? `
/** Calls of functions of Windows that only show a dialog, lock the screen or reload settings. */
export const HARMLESS_CALL = String.raw`${LIBRARY_CALL}"?(?:user32(?:\.dll)? ?, ?(?:UpdatePerUserSystemParameters|LockWorkStation)|powrprof(?:\.dll)? ?, ?SetSuspendState|keymgr(?:\.dll)? ?, ?KRShowKeyMgr|sysdm\.cpl ?, ?EditEnvironmentVariables|inetcpl\.cpl ?, ?ClearMyTracksByProcess|shell32(?:\.dll)? ?, ?Control_RunDLL (?:appwiz|desk|firewall|inetcpl|intl|main|mmsys|ncpa|powercfg|sysdm|timedate)\.cpl)"?[ ,\d]{0,20}(?:true|false)?$`
/** Connects a printer, or chooses the one for new documents. */
export const PRINTER_CONNECTION = String.raw`${LIBRARY_CALL}printui(?:\.dll)? ?, ?PrintUIEntry(?: \/(?:in|dn|y|q|ga|gd|n ?"?\\\\[\w.$ -]+\\[\w.$ -]+"?))+$`
/** Shows the dialog of a printer, or locks the screen. */
export const PRINTER_COMMAND = String.raw`^rundll32(?:\.exe)? +(?:printui(?:\.dll)? ?, ?printuientry (?!.*\/(?:i[adf]|m|f)\b)|user32\.dll ?, ?\w+$)`
/** Programs of Windows that only show something, with the arguments that they then have. */
export const SHOWING_ARGUMENTS: readonly (readonly [program: string, given: string])[] = [
  ['mstsc', String.raw`^(?:\/(?:v:[\w.-]+(?::\d+)?|f|admin|w:\d+|h:\d+|span|multimon)\s*)*$`],
  ['mmc', String.raw`^"?(?:(?:%windir%|%systemroot%|c:\\windows)\\system32\\)?\w+\.msc"?(?: \/[\w=.:-]+)*$`],
  ['control', String.raw`^(?:\/name microsoft\.\w+|printers|userpasswords2?)?$`],
  [
    'explorer',
    String.raw`^(?:/(?:[en]|root|separate) ?, ?){0,3}"?(?:[a-z]:\\[\w .()\\-]*|\\\\${COMPANY_FOLDER}|shell:(?:downloads|personal|desktop|recyclebinfolder|startup))"?$`,
  ],
  ['shutdown', String.raw`^[/-][srlh](?: [/-][tf](?: \d+)?)*$`],
  ['rundll32', '^user32.dll,LockWorkStation$'],
  // Helps a colleague who asks for it.
  ['msra', '^(?:/(?:offerra|novice|expert))?$'],
  ['quickassist', '^$'],
]
/** Ransomware runs them before it encrypts. An administrator runs one of them. */
export const RECOVERY_REMOVAL: readonly string[] = [
  String.raw`\bvssadmin(?:\.exe)?\s+delete\s+shadows\b|\bshadowcopy\s+delete\b|win32_shadowcopy[^\r\n]{0,80}delete`,
  String.raw`\bbcdedit(?:\.exe)?\s[^\r\n]{0,80}\b(?:recoveryenabled\s+no|ignoreallfailures)\b`,
  String.raw`\bwbadmin(?:\.exe)?\s+delete\s`,
  String.raw`\bwevtutil(?:\.exe)?\s+cl\b`,
]
/** Saves a file from a server. Each search ends at the next such word, so that very many take linear time. */
export const DOWNLOADING = String.raw`bitsadmin|certutil(?:(?!certutil)[^\r\n])*urlcache|\bcurl\b(?:(?!\bcurl\b)[^\r\n])*https?:|\bwget\b(?:(?!\bwget\b)[^\r\n])*https?:`
/** Changes text to a file, or back. */
export const ENCODING = String.raw`\bcertutil\b[^\r\n]{0,200}[-/](?:decode|encode|urlcache|verifyctl)`
/** Up to the name of the file that it writes. */
export const DECODING = String.raw`certutil(?:\.exe)?["\s][^\r\n]{0,200}-decode(?:hex)?\s+\S+\s+"?`
/** Before the name of a package. */
export const SILENT_INSTALLATION = 'msiexec /q /i'
