/** Languages of scripts that are not evaluated, and what attacks in them have in common. */

import { anyCase, pattern } from '#inspect/core/pattern.ts'
import { SHELLS, TASKS, UNIX_SHELLS } from '#inspect/windows/programs.ts'

export interface ScriptingLanguage {
  /** How a script in it begins, apart from comments. */
  starts: RegExp
  /** Those that run code which a command line gives them. */
  programs?: RegExp
  /** Bundles of libraries are longer than this, and have the words of all attacks. */
  bytesMax?: number
  /** Runs its argument as a command, so that a literal may be one. */
  executes: RegExp
  /** Commands without quotes. */
  lines?: RegExp
  /** Runs what a server answers, which no command line does. */
  received?: RegExp
  /** Each list is one attack: all of its patterns occur. */
  harms: readonly (readonly RegExp[])[]
}

export const NODE_BYTES_MAX = 64_000
const SHELL = pattern`["'\x60](?:/bin/)?${UNIX_SHELLS}\b|["'\x60]${SHELLS}(?:\.exe)?\b`.source

/** Runs a text that it has collected from a server, or waited for. */
const RUNS_RECEIVED =
  /\b([\w$]{1,40})\s{0,4}\+=\s{0,4}[\w$.()]{1,40}[\s\S]{0,600}?(?:\beval|\bFunction|\brunIn(?:This|New)Context|\bScript)\s{0,4}\(\s{0,4}(?:["'][\w,\s]{0,40}["']\s{0,4},\s{0,4})?\1\s{0,4}[,)]|\.then\s{0,4}\(\s{0,4}(?:eval\s{0,4}\)|\(?([\w$]{1,40})\)?\s{0,4}=>\s{0,4}\{?\s{0,4}(?:eval|(?:new )?Function|vm\.\w{1,30})\s{0,4}\(\s{0,4}\2(?:\.data)?\s{0,4}[,)])|\b(?:eval|Function)\s{0,4}\(\s{0,4}(?:await\s{0,4})?\(?\s{0,4}await\s{1,4}\(?\s{0,4}(?:await\s{1,4})?(?:fetch|axios)/
/** A server whose address is coded, that has no name, or that anybody can answer for. */
const UNSEEN_SERVER =
  /\bBuffer\.from\s{0,4}\(\s{0,4}["'\x60][\w+/=]{12,2000}["'\x60]\s{0,4},\s{0,4}["'](?:hex|base64)["']|\batob\s{0,4}\(|http:\/\/(?!localhost|127\.)|:\/\/\d{1,3}(?:\.\d{1,3}){3}/
/** Services to which anybody can send what only he reads. */
const DEAD_DROP =
  /discord(?:app)?\.com\/api\/webhooks|api\.telegram\.org\/bot|webhook\.site|pipedream\.net|requestbin|\boast(?:ify)?\.|interact\.sh|burpcollaborator|ngrok|https?:\/\/(?:[^\s/?#@]{0,200}@)?(?!10\.|127\.|192\.168\.)\d{1,3}(?:\.\d{1,3}){3}/i
/** Where programs keep passwords, cookies and coins. */
const STORES =
  /Login Data|logins\.json|key4\.db|\bLocal State\b|wallet\.dat|exodus\.wallet|Local Storage[\\/]{1,4}leveldb|cookies\.sqlite|nkbihfbeogaeaoehlefnkodbefgpgknn/i
const SENDS_BY_NODE =
  /\b(?:https?|axios)\.(?:request|post|get)\s{0,4}\(|\bfetch\s{0,4}\(|\b([\w$]{1,40})\s{0,4}=\s{0,4}require\s{0,4}\(\s{0,4}["'](?:node:)?(?:https?|axios)["']\s{0,4}\)[\s\S]{0,4000}?(?<![\w$.])\1\.(?:request|post|get)\s{0,4}\(|\brequire\s{0,4}\(\s{0,4}["'](?:node:)?(?:https?|axios)["']\s{0,4}\)\.(?:request|post|get)\s{0,4}\(/
/** The name of a module that is decoded when it is loaded. */
const DECODED_MODULE = String.raw`(?:\brequire|\bimport)\s{0,4}\(\s{0,4}(?:Buffer\.from\s{0,4}\(|atob\s{0,4}\(|[\w$]{1,40}\s{0,4}\(\s{0,4}(?:[\w$]{1,40}\s{0,4}[[(]|\d|0x|["'\x60][^"'\x60./\s-]{6,200}["'\x60]))`

const MAC_RUNS = /\bdo shell script\b|\bdoShellScript\s{0,4}\(|\bNSTask\b|\$\.system\s{0,4}\(/
/** What a server answers, given to a shell. Not what makers of tools tell everyone to run. */
const LOADS =
  /\b(?:curl|wget)\b(?![^\r\n]{0,200}(?:githubusercontent\.com\/Homebrew\/|\/\/sh\.rustup\.rs|\/\/get\.docker\.com|\/\/deno\.land\/|\/\/bun\.sh\/))[^\r\n]{0,400}\|\s{0,4}(?:sudo )?(?:\/bin\/)?(?:ba|z|da)?sh\b/

const LOADS_TEXT = /\b(?:loadstring|load)\s{0,4}\(\s{0,4}[a-z_]/i
const STAYS_BY_LUA = anyCase`\b(?:os\.execute|io\.popen)\s{0,4}\([^\n]{0,40}\b(?:${TASKS}\b[^\n]{0,20}/create|crontab)\b`

export const SCRIPTING_LANGUAGES: readonly ScriptingLanguage[] = [
  // PHP
  {
    programs: /^php$/,
    starts: /^(?:\xef\xbb\xbf)?\s{0,200}<\?(?:php\b|=|\s)/i,
    executes: /\b(?:system|exec|shell_exec|passthru|popen|proc_open)\s{0,4}\(|`/i,
    harms: [
      [
        /\b(?:system|exec|shell_exec|passthru|popen|proc_open|assert|eval)\s{0,4}\(\s{0,4}(?:(?:base64_decode|stripslashes|urldecode|gzinflate|str_rot13)\s{0,4}\(\s{0,4}){0,3}@?\$_(?:GET|POST|REQUEST|COOKIE|SERVER\s{0,4}\[\s{0,4}["']HTTP_X)\b/i,
      ],
      [
        /\bfsockopen\s{0,4}\(/i,
        new RegExp(String.raw`\b(?:proc_open|exec|shell_exec|system|popen)\s{0,4}\(\s{0,4}(?:${SHELL})`, 'i'),
      ],
      // A function of the visitor's choice, and code that a server answers.
      [
        /\$_(?:GET|POST|REQUEST|COOKIE)\s{0,4}\[[^\]\r\n]{1,40}\]\s{0,4}\(\s{0,4}@?\$_(?:GET|POST|REQUEST|COOKIE)\b|`\s{0,4}\{?\$_(?:GET|POST|REQUEST|COOKIE)\b/,
      ],
      [
        /(\$\w{1,40})\s{0,4}=\s{0,4}@?(?:\$_(?:GET|POST|REQUEST|COOKIE)\s{0,4}\[[^\]\r\n]{1,40}\]|(?:base64_decode|str_rot13|strrev|hex2bin)\s{0,4}\([^()]{1,200}\))\s{0,4};[\s\S]{0,400}?\1\s{0,4}\(\s{0,4}@?\$_(?:GET|POST|REQUEST|COOKIE)\b/,
      ],
      [/\bcreate_function\s{0,4}\([^;]{0,200}\$_(?:GET|POST|REQUEST|COOKIE)\b/],
      // A program of a server.
      [
        /\bfile_put_contents\s{0,4}\([^;]{1,200}\bfile_get_contents\s{0,4}\(\s{0,4}["']https?:/,
        /\bchmod\s{0,4}\(|["']\/(?:tmp|var\/tmp|dev\/shm)\//,
        /\b(?:exec|system|shell_exec|passthru|popen)\s{0,4}\(/,
      ],
      // What a forged page sends.
      [
        /\$_(?:POST|REQUEST)\s{0,4}\[\s{0,4}["'][\w-]{0,20}(?:pass|passwd|pwd|pin|cvv|seed|otp)/i,
        /\bREMOTE_ADDR\b/,
        /\bapi\.telegram\.org\/bot|discord(?:app)?\.com\/api\/webhooks|\bmail\s{0,4}\([\s\S]{0,800}?\bheader\s{0,4}\(\s{0,4}["']Location:\s{0,4}https?:/i,
      ],
      // The number and code of a card, coded for a server.
      [
        /\$_(?:POST|REQUEST)\s{0,4}\[\s{0,4}["'][\w-]{0,20}(?:cvv|cvc|cc_?num|card_?num|cardnum)/i,
        /\bbase64_encode\s{0,4}\(\s{0,4}(?:json_encode|serialize|implode|http_build_query)\b/i,
        /\b(?:file_get_contents|curl_init|curl_setopt|fsockopen|wp_remote_(?:get|post))\s{0,4}\(/i,
      ],
      [
        /\b(?:eval|assert)\s{0,4}\(\s{0,4}(?:["']\?>["']\s{0,4}\.\s{0,4})?(?:base64_decode\s{0,4}\(\s{0,4})?@?(?:file_get_contents|curl_exec)\s{0,4}\((?!\s{0,4}["']php:)/i,
      ],
    ],
  },
  // ASP.NET
  {
    starts: /^(?:\xef\xbb\xbf)?\s{0,200}<%@/,
    executes: /$^/,
    // The keys by which a server trusts what it is sent.
    harms: [[/\bMachineKey(?:Section)?\b/i, /\bValidationKey\b/, /\bDecryptionKey\b/, /\bResponse\.Write\b/i]],
  },
  // Perl
  {
    programs: /^perl$/,
    starts: /^(?:#[^\n]{0,500}\n|\s){0,40}(?:use |require |my |\$|print)|^#!\s{0,4}\S{0,60}perl\b/,
    executes: /\b(?:system|exec|qx)\b|`/,
    harms: [
      [
        /\bsocket\s{0,4}\(|\bIO::Socket::INET\b/,
        /\bconnect\s{0,4}\(|PeerAddr/,
        /\bopen\s{0,4}\(\s{0,4}STDIN\b|STDIN->fdopen/,
        /\bexec\b|\bsystem\b/,
      ],
      [
        /\bIO::Socket::INET\b/,
        /PeerAddr|PeerHost/,
        /while\s{0,4}\([^\n]{0,40}<\$?\w{1,40}>/,
        /`\s{0,4}\$_?\w{0,40}\s{0,4}`|\bqx\b/,
      ],
      [
        /\beval\s{0,4}\(?\s{0,4}(?:LWP::Simple::)?get\s{0,4}\(\s{0,4}["']https?:|\beval\s{0,4}\(?\s{0,4}decode_base64\b/,
      ],
    ],
  },
  // Ruby
  {
    programs: /^ruby$/,
    starts:
      /^(?:#[^\n]{0,500}\n|\s){0,40}(?:require\s{1,4}["']|source\s{1,4}["']https:\/\/rubygems|Gem::Specification\.new|eval\s{0,4}\()|^#!\s{0,4}\S{0,60}ruby\b/,
    executes: /\b(?:system|exec|spawn|popen|popen3|Kernel)\b|`|%x/,
    harms: [
      [
        /\bTCPSocket\.(?:new|open)\b/,
        /\.gets\b|\.recv\b/,
        /\bIO\.popen\s{0,4}\(?\s{0,4}[a-z_]\w{0,40}\s{0,4}[,)]|\bexec\b[^\n]{0,80}\/bin\/sh|`#\{\w{1,40}\}[^`\n]{0,20}`/,
      ],
      [/\bTCPSocket\.(?:new|open)\b/, /\bexec\b[^\n]{0,80}\/bin\/(?:ba|z|da)?sh\b/],
      [
        /\b(?:instance_)?eval\s{0,4}\(?\s{0,4}(?:Net::HTTP\.get|URI\.open|URI\.parse|URI\(|open\s{0,4}\(\s{0,4}["']https?:|Base64\.(?:strict_)?decode64|Zlib::Inflate)/,
      ],
    ],
  },
  // Lua
  {
    programs: /^lua$/,
    starts: /^(?:--[^\n]{0,500}\n|\s){0,40}(?:local\b|os\.execute|io\.popen|require\b)/,
    executes: /\bos\.execute\b|\bio\.popen\b/,
    harms: [
      [
        /\brequire\s{0,4}\(?\s{0,4}["']socket["']/,
        /:connect\s{0,4}\(|\bsocket\.connect\s{0,4}\(/,
        /:receive\s{0,4}\(/,
        /\bio\.popen\s{0,4}\(\s{0,4}[a-z_]\w{0,40}\s{0,4}[,)]|\bos\.execute\s{0,4}\(\s{0,4}[a-z_]/,
      ],
      // Runs what a server answers, and text that is known only when it runs in a program that stays.
      [LOADS_TEXT, /\bio\.popen\s{0,4}\(\s{0,4}["'[][^\n]{0,40}\b(?:curl|wget)\b[^\n]{0,300}https?:/],
      [LOADS_TEXT, STAYS_BY_LUA],
    ],
  },
  // Go
  {
    starts: /^(?:\/\/[^\n]{0,500}\n|\/\*(?:(?!\*\/)[\s\S]){0,4000}\*\/|\s){0,40}package\s{1,4}\w{1,40}/,
    executes: /\bexec\.Command\s{0,4}\(|\/\/go:generate\s/,
    harms: [
      [
        /\bnet\.Dial\s{0,4}\(/,
        new RegExp(String.raw`\bexec\.Command\s{0,4}\(\s{0,4}(?:${SHELL})`),
        /\.(?:Stdin|Stdout)\s{0,4}[,=][^\n]{0,60}\bconn?\b/,
      ],
    ],
  },
  // Rust
  {
    starts:
      /^(?:\/\/[^\n]{0,500}\n|#!?\[[^\n]{0,200}\n|\s){0,40}(?:use\s{1,4}std::|fn\s{1,4}main\b|extern\s{1,4}crate)/,
    executes: /\bCommand::new\s{0,4}\(/,
    harms: [
      [
        /\bTcpStream::connect\s{0,4}\(/,
        new RegExp(String.raw`\bCommand::new\s{0,4}\(\s{0,4}(?:${SHELL})`),
        /\bfrom_raw_fd\b|\.stdin\b|\.arg\s{0,4}\(/,
      ],
    ],
  },
  // Tcl
  {
    programs: /^tclsh$/,
    starts:
      /^(?:#[^\n]{0,500}\n|\s){0,40}(?:package require|set \w{1,40} |proc |exec )|^#!\s{0,4}\S{0,60}(?:tclsh|wish|expect)\b/,
    executes: /\bexec\b/,
    harms: [
      [
        /\[\s{0,4}socket\s{1,4}[^\]\n]{4,80}\]/,
        /\bexec\b[^\n]{0,80}\$\w{1,40}|\|\s{0,4}\/bin\/sh/,
        /\bgets\b|\bfileevent\b/,
      ],
    ],
  },
  // R
  {
    programs: /^Rscript$/,
    starts:
      /^(?:#[^\n]{0,500}\n|\s){0,40}(?:library\s{0,4}\(|[\w.]{1,40}\s{0,4}<-|system2?\s{0,4}\(|options\s{0,4}\(|source\s{0,4}\()/,
    executes: /\bsystem2?\s{0,4}\(|\bshell(?:\.exec)?\s{0,4}\(/,
    harms: [
      [/\bsocketConnection\s{0,4}\(/, /\breadLines\s{0,4}\(/, /\bsystem\s{0,4}\(\s{0,4}[a-z]\w{0,40}\s{0,4}[,)]/],
    ],
  },
  // AppleScript
  {
    programs: /^osascript$/,
    starts:
      /^(?:--[^\n]{0,500}\n|#[^\n]{0,500}\n|\s){0,40}(?:on \w{1,40}\b|tell application\b|do shell script\b|set \w{1,40} to\b|display dialog\b|use scripting additions\b|property \w|try\b)/,
    executes: /\bdo shell script\b/,
    harms: [
      [
        /\bdo shell script\b[^\r\n]{0,600}\bcurl\b[^\r\n]{0,600}\|\s{0,4}(?:ba|z)?sh\b[^\r\n]{0,200}\bwith administrator privileges\b/,
      ],
      [
        /\bdisplay dialog\b[^\r\n]{0,600}\bhidden answer\b/,
        /\bdo shell script\b/,
        /\bcurl\b|\bdscl\b|\bsecurity\s|sudo -S/,
      ],
      [MAC_RUNS, LOADS],
      [MAC_RUNS, /\bcurl\b[^\r\n]{0,300}\s-o\s/, /\bchmod\b|\bnohup\b|>\s{0,4}\/dev\/null/],
      // Runs what a server answers.
      [
        /\bset (\w{1,40}) to \(?do shell script\b[^\r\n]{0,600}\bcurl\b[\s\S]{0,4000}?\b(?:do shell|run) script \(?\1\b/,
      ],
      [
        /\bdo (?:shell )?script\b[^\r\n]{0,600}\bcurl\b[^\r\n]{0,600}\|\s{0,4}(?:ba|z)?sh\b/,
        /\btell application "Terminal"/,
      ],
    ],
  },
  // Java
  {
    starts:
      /^(?:\/\/[^\n]{0,500}\n|\/\*(?:(?!\*\/)[\s\S]){0,4000}\*\/|\s){0,40}(?:import\s{1,4}java|package\s{1,4}[\w.]{1,80};|public\s{1,4}class)\b/,
    executes: /\bgetRuntime\s{0,4}\(\s{0,4}\)\s{0,4}\.exec\s{0,4}\(|\bProcessBuilder\s{0,4}\(/,
    harms: [
      [
        /\bnew\s{1,4}Socket\s{0,4}\(/,
        new RegExp(
          String.raw`(?:\.exec|ProcessBuilder)\s{0,4}\((?:\s{0,4}new String\[\]\s{0,4}\{)?\s{0,4}(?:${SHELL})`,
        ),
        /\bgetInputStream\b/,
      ],
    ],
  },
  // C#
  {
    starts:
      /^(?:\ufeff|\xef\xbb\xbf)?(?:\/\/[^\n]{0,500}\n|\/\*(?:(?!\*\/)[\s\S]){0,4000}\*\/|\s){0,40}using\s{1,4}(?:static\s{1,4})?System\b/,
    executes: /\bProcess\.Start\s{0,4}\(|\bProcessStartInfo\b/,
    harms: [
      [/\bTcpClient\s{0,4}\(/, /\bProcess\b/, /\bRedirectStandardInput\b/, new RegExp(`(?:${SHELL})`, 'i')],
      [
        /\bVirtualAlloc(?:Ex)?\b/,
        /\bCreate(?:Remote)?Thread\b/,
        /(?:0x[\da-f]{1,2}\s{0,4},\s{0,4}){16}|\bDownloadData\b|FromBase64String/i,
      ],
    ],
  },
  // JavaScript of Node
  {
    programs: /^(?:node|nodejs|bun|deno)$/,
    bytesMax: NODE_BYTES_MAX,
    starts:
      /^(?:\/\/[^\n]{0,500}\n|\/\*(?:(?!\*\/)[\s\S]){0,4000}\*\/|#![^\n]{0,200}\n|["']use strict["'];?|\s|;){0,40}(?:(?:const|let|var|import|require|module\.exports|async|\(|eval|global|function|export|try|process|window|ObjC|Application|document|chrome|browser|setInterval|jQuery|new [A-Z]\w{1,40}|if\s?(?=\()|!function)\b|\$\()/,
    executes:
      /\b(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|doShellScript)\s{0,4}\(|\bNSTask\b|\$\.system\b|["'`](?:exec|execSync|spawn|spawnSync)["'`]/,
    received: RUNS_RECEIVED,
    harms: [
      [
        /\bnet\b/,
        /\.connect\s{0,4}\(|\bcreateConnection\s{0,4}\(/,
        new RegExp(String.raw`\b(?:spawn|exec|execFile)\s{0,4}\(\s{0,4}(?:${SHELL})`),
        /\.pipe\s{0,4}\(\s{0,4}\w{1,40}\.stdin\s{0,4}\)/,
      ],
      [
        /\bchild_process\b/,
        /\bnet\.(?:connect|createConnection)\s{0,4}\(/,
        /\.on\s{0,4}\(\s{0,4}["']data["']\s{0,4},[^;\n]{0,60}\bexec(?:Sync)?\s{0,4}\(\s{0,4}\w{1,40}(?:\.toString\s{0,4}\(\s{0,4}\))?\s{0,4}[,)]/,
      ],
      [
        /\bJSON\.stringify\s{0,4}\([^;\n]{0,80}\bprocess\.env\b(?![.[\w])/,
        /\b(?:https?|axios)\.(?:request|post)\s{0,4}\(|\bfetch\s{0,4}\(/,
        /\bos\.(?:hostname|userInfo|networkInterfaces)\s{0,4}\(/,
      ],
      [/\bprocess\.env\b(?![.[\w])/, SENDS_BY_NODE, DEAD_DROP],
      [/[:,{]\s{0,4}(?:\.{3}\s{0,4})?process\.env\b(?![.[\w])/, SENDS_BY_NODE, /\bos\.(?:hostname|userInfo)\s{0,4}\(/],
      // Commands that a server answers, or sends.
      [
        /\b([\w$]{1,40})\s{0,4}\+=\s{0,4}[\w$.()]{1,40}[\s\S]{0,600}?(?:(?<![.\w])(?:exec|execSync)|["'\x60]child_process["'\x60]\s{0,4}\)\.exec(?:Sync)?)\s{0,4}\(\s{0,4}\1\s{0,4}[,)]/,
      ],
      [
        /\bsocket\.io-client\b|\bnew WebSocket\s{0,4}\(|\brequire\s{0,4}\(\s{0,4}["']ws["']/,
        /\.on\s{0,4}\(\s{0,4}["'][\w-]{1,40}["']\s{0,4},[^;\n]{0,80}\bexec(?:Sync)?\s{0,4}\(\s{0,4}\w{1,40}(?:\.\w{1,40}){0,3}\s{0,4}[,)]/,
      ],
      // Code or a program of a server, started out of sight on a Mac.
      [MAC_RUNS, LOADS],
      [MAC_RUNS, /\bcurl\b[^\r\n]{0,300}\s-o\s/, /\bchmod\b|\bnohup\b|>\s{0,4}\/dev\/null/],
      [
        /\bNSTask\b|\bNSURLConnection\b|\bNSURLSession\b|WithContentsOfURL/,
        /\bLaunchAgents\b|\bchmod \+x\b|\bxattr -c/,
      ],
      // The password of the account, and code of a server, on a Mac.
      [/\bhiddenAnswer\s{0,4}:\s{0,4}true\b/, /\bdoShellScript\s{0,4}\(/, /\bcurl\b|\bdscl\b|sudo -S/],
      [/\b(?:string|data)WithContentsOfURL|\bdataTaskWith/, /\beval\b/],
      // Keys of more than one service, for a server.
      [
        /\.npmrc\b|\.git-credentials\b|\bgh\/hosts\.yml/,
        /\.aws\b|\bgcloud\b|\.ssh\b|\.kube\b|\.docker\b|Login Data|\.electrum\b|\bExodus\b/,
        /\b(?:https?|axios)\.(?:request|post)\s{0,4}\(|\bfetch\s{0,4}\(/,
        /\bos\.(?:hostname|userInfo)\s{0,4}\(/,
      ],
      [STORES, /\breadFile(?:Sync)?\b|\bcreateReadStream\b|\bcopyFileSync\b|\breaddirSync\b/, SENDS_BY_NODE],
      [/\btrufflehog\b|\bgitleaks\b/, /\bchild_process\b/, SENDS_BY_NODE],
      // What the computer is called, as the name of a server.
      [
        /\bos\.(?:hostname|userInfo|networkInterfaces)\s{0,4}\(/,
        /\bdns(?:['\x22]\s{0,4}\))?\.(?:promises\.)?(?:lookup|resolve\w{0,5})\s{0,4}\(/,
        /\.toString\s{0,4}\(\s{0,4}["'](?:hex|base64)/,
      ],
      // A program of a server, which starts where nobody sees it.
      [
        /\bos\.tmpdir\s{0,4}\(|\bprocess\.env\.(?:TEMP|TMP|APPDATA|LOCALAPPDATA|USERPROFILE)\b|["'`]\/(?:tmp|var\/tmp|dev\/shm)\//,
        /\bcreateWriteStream\b|\bwriteFile(?:Sync)?\b/,
        SENDS_BY_NODE,
        /\b(?:spawn|exec|execFile)\s{0,4}\(/,
        /\bdetached\s{0,4}:\s{0,4}(?:true|!0)/,
        /\bwindowsHide\s{0,4}:\s{0,4}(?:true|!0)|\.unref\s{0,4}\(/,
      ],
      [
        /\brequire\s{0,4}\(\s{0,4}["'](?:node:)?(?:https?|axios|node-fetch|request|got|child_process|vm)["']/,
        RUNS_RECEIVED,
        UNSEEN_SERVER,
      ],
      // Starts programs of which neither the module nor the command can be read, out of sight, or removes itself.
      [
        new RegExp(
          String.raw`\{\s{0,4}(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork)\b[^{}]{0,80}\}\s{0,4}=\s{0,4}(?:await\s{1,4})?${DECODED_MODULE}|${DECODED_MODULE}[^;\n]{0,80}\)\s{0,4}(?:\.\s{0,4}|\[\s{0,4}["'\x60])(?:exec|execSync|spawn|spawnSync|execFile|execFileSync|fork)\b`,
        ),
        /\bwindowsHide\s{0,4}:\s{0,4}(?:true|!0)|\bdetached\s{0,4}:\s{0,4}(?:true|!0)|\b(?:unlink|rm)(?:Sync)?\s{0,4}\(\s{0,4}__filename\b|\bstdio\s{0,4}:\s{0,4}["'\x60]ignore/,
      ],
      // Code of a server that may load modules.
      [
        /\bFunction(?:\.constructor)?\s{0,4}\)?\s{0,4}\(\s{0,4}["']require["']\s{0,4},\s{0,4}[\w.]{1,80}\s{0,4}\)/,
        /\baxios\.(?:get|post)\s{0,4}\(|\bhttps?\.get\s{0,4}\(|\bfetch\s{0,4}\(/,
      ],
      // Code in a literal that only running it shows, which starts programs or asks a server.
      [
        /\b(?:eval|Function|_compile|runInThisContext)\s{0,4}\(\s{0,4}(?:Buffer\.from|atob)\s{0,4}\(\s{0,4}["'`]/,
        /\brequire\s{0,4}\(\s{0,4}["'](?:node:)?(?:child_process|https?|net|dns)["']/,
      ],
      // All cookies of a browser, or what is entered on all its pages.
      [
        /\bcookies\.getAll\s{0,4}\(\s{0,4}\{\s{0,4}\}/,
        /\bfetch\s{0,4}\(\s{0,4}["'\x60]https?:|\bsendBeacon\s{0,4}\(|\.open\s{0,4}\(\s{0,4}["']POST/,
        /\bJSON\.stringify\s{0,4}\(\s{0,4}\w{1,40}\s{0,4}[,)]/,
      ],
      // Those of each site of a list, with their values.
      [
        /\bcookies\.getAll\s{0,4}\(\s{0,4}\{\s{0,4}(?:domain|url)\s{0,4}:\s{0,4}(?!["'\x60])[\w$.]{1,40}\s{0,4}\}/,
        /\bfor\s{0,4}\([^)\n]{1,80}\bof\b|\.(?:forEach|map)\s{0,4}\(/,
        /\bJSON\.stringify\s{0,4}\(|(\b\w{1,20})\.name\s{0,4}\+\s{0,4}["']=["']\s{0,4}\+\s{0,4}\1\.value\b/,
        /\bfetch\s{0,4}\([^;\n]{1,80}\{\s{0,4}method\s{0,4}:\s{0,4}["'\x60]POST|\bsendBeacon\s{0,4}\(/,
      ],
      // Exchanges the account of a payment.
      [
        /\bethereum\.(?:request|send)\s{0,4}=[^=]/,
        /\bparams\s{0,4}\[\s{0,4}0\s{0,4}\]\s{0,4}\.(?:to|data)\s{0,4}=[^=]|\b0x[\da-fA-F]{40}\b/,
      ],
    ],
  },
  // AutoIt and AutoHotkey
  {
    starts:
      /^(?:;[^\n]{0,500}\n|\s){0,40}(?:#(?:NoTrayIcon|Region|include|NoEnv|SingleInstance|Persistent|Requires|NoTrayIcon)\b|(?:UrlDownloadToFile|SetWorkingDir|Global|Local|InetGet|Run|FileInstall)\b)/i,
    executes: /\b(?:Run|RunWait|ShellExecute)\b/i,
    lines: /^\s{0,40}(?:Run|RunWait)\b[ ,]{1,4}([^\r\n]{8,2000})/gim,
    harms: [
      [
        /\bInetGet\s{0,4}\(|\bUrlDownloadToFile\b|\bDownload\s{0,4}[("']/i,
        /\b(?:Run|RunWait|ShellExecute)\b[^\r\n]{0,40}(?:@TempDir|%?A_Temp%?|@AppDataDir|%?A_AppData%?)/i,
      ],
      [
        /\bDllCall\s{0,4}\([^\r\n]{0,200}\bVirtualAlloc/i,
        /\bCreate(?:Remote)?Thread\b|\bCallWindowProc\b|\bEnumWindows\b/i,
      ],
    ],
  },
]
