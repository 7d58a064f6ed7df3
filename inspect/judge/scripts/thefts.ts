/** What programs keep for their owner alone, and the ways by which scripts send it away, in any language. */

import { charge } from '#inspect/core/work.ts'

const CHARACTER_WORK = 15

/** Passwords and cookies of browsers, keys of the system, coins, and keys that the cloud gives a computer. */
const STORES =
  /\bLogin Data\b|logins\.json\b|\bkey[34]\.db\b|\bcookies\.sqlite\b|\b(?:Default|Network)[\\/"', ]{1,8}Cookies\b|Local Extension Settings|Local Storage[\\/]{1,4}leveldb|\blogin\.keychain|\bdump-keychain\b|Library[\\/ ]{1,3}Keychains\b|\bwallet\.dat\b|exodus\.wallet|nkbihfbeogaeaoehlefnkodbefgpgknn|bfnaelmomeimhlpmgjnjophhpkkoljpa|Telegram Desktop[\\/"', ]{1,8}tdata\b|Electrum[\\/"', ]{1,8}wallets\b|Ethereum[\\/"', ]{1,8}keystore\b|\bnetsh\s{1,4}wlan\b[^\r\n]{0,200}\bkey\s{0,4}=\s{0,4}clear|\b(?:curl|wget|iwr|irm|invoke-\w{1,20})\b[^\r\n]{0,200}meta-data\/iam\/security-credentials/i

/** Keys of accounts, two of them side by side. */
const KEY = String.raw`(?:\.ssh\b|\bid_(?:rsa|ed25519)\b|\.aws\b|\bgcloud\b|\.kube\b|\.gnupg\b|\.git-credentials\b|\.netrc\b|\.cache\/huggingface\b|\.kaggle\b|\.pypirc\b|\.bash_history\b|\.zsh_history\b|\.kdbx\b|\*wallet|\*seed|\bwallet\.dat\b|\.electrum\b|\*?\.pem\b|["']\.env["'])`
const KEYS = new RegExp(`${KEY}[^\\r\\n]{0,120}?${KEY}`, 'i')

/** Data of the script for a server. */
const SENDS = [
  /\brequests\.(?:post|put)\s{0,4}\(|\burlopen\s{0,4}\(|\bftplib\b|\bsmtplib\b|\bsend_?document\b/i,
  /\bcurl\b[^\r\n]{0,400}?\s["']?(?:-F|-T|-d|--data[\w-]{0,12}|--form|--upload-file|-X\s{0,4}["']?(?:POST|PUT))\b/,
  /\b(?:nc|ncat|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.-]{1,100}\s{1,4}\d{2,5}\b/,
  /\b(?:irm|iwr|invoke-(?:restmethod|webrequest))\b[^\r\n]{0,400}?-(?:method\s{1,4}["']?(?:post|put)|infile|body)\b|\bupload(?:file|data|string)\s{0,4}\(/i,
  /\baxios\.post\s{0,4}\(|\bmethod\s{0,4}:\s{0,4}["'\x60](?:POST|PUT)|\bhttps?\.request\s{0,4}\(/,
]
/** Whole files. */
const SENDS_FILES = [
  // As a list of arguments.
  /["']curl["'][^\n]{0,200}?["'](?:-d|-F|-T|--data[\w-]{0,12}|--form|--upload-file)["']\s{0,4},(?!\s{0,4}["'])/,
  /\bcurl\b[^\r\n]{0,400}?\s["']?(?:-F|-T|--data-binary|--form|--upload-file)\b/,
  /\brequests\.(?:post|put)\s{0,4}\([^\n]{0,200}\bfiles\s{0,4}=|\bstorbinary\b|\bsend_?document\b/i,
  /\b(?:nc|ncat|netcat)\s{1,4}(?:-\w{1,6}\s{1,4}){0,4}[\w.-]{1,100}\s{1,4}\d{2,5}\b/,
  /\b(?:irm|iwr|invoke-(?:restmethod|webrequest))\b[^\r\n]{0,400}?-(?:infile|body)\b|\bupload(?:file|data)\s{0,4}\(/i,
]

/** Each list is one theft: all of its patterns occur. */
const THEFTS: readonly (readonly RegExp[])[] = [
  // Variables of the computer, straight to a server.
  [
    /(?:^|[;&|(\s])(?:env|printenv)\s{0,4}(?:\|[^\r\n|]{0,80}){0,3}\|\s{0,4}curl\b[^\r\n]{0,200}\s(?:-d|--data[\w-]{0,12})\s{0,4}["']?@-/,
  ],
  // Exchanges accounts of coins in what is copied.
  [/\bget-clipboard\b/i, /\bset-clipboard\s{1,4}(?:-value\s{1,4})?["'](?:bc1|0x|[13T])[a-z0-9]{25,60}["']/i],
  // Asks for the password of the account, and sends it.
  [
    /\bpromptforcredential\b/i,
    /\$env:user(?:name|domain)\b/i,
    /\b(?:irm|iwr|invoke-(?:restmethod|webrequest))\b[^\r\n]{0,400}-body\b[^\r\n]{0,300}\.password\b/i,
  ],
  // Runs what a chat says.
  [
    /\bgetUpdates\b|discord(?:app)?\.com\/api\/v\d{1,2}\/channels/,
    /\b(?:cmd(?:\.exe)?\s{1,4}\/c|iex|invoke-expression)\s{1,4}["']?\$\w/i,
  ],
  // Coins for an account, by a program that stays.
  [/\s-u\s{1,4}["']?[48][0-9AB][1-9A-HJ-NP-Za-km-z]{93}\b/, /\bcrontab\b|\bnohup\b|\bsystemctl\b/],
  // Mail about payments, out of sight of its reader, and copies of all mail for somebody else.
  [
    /\bNew-InboxRule\b[^\r\n]{0,400}-(?:MoveToFolder\s{1,4}["']?(?:[^"'\r\n]{0,60}\\)?(?:RSS|Conversation History)|DeleteMessage\b)/i,
    /-Name\s{1,4}["'][^\w"']{1,4}["']|-ForwardingSmtpAddress\s{1,4}["']?smtp:|-ForwardTo\s{1,4}["']?[\w.+-]{1,60}@/i,
  ],
  // Variables of the computer, from the installation of a package.
  [
    /\bcmdclass\s{0,4}=|\bimport\s{1,4}install\b/,
    /\bdict\s{0,4}\(\s{0,4}os\.environ\b|\bin\s{1,4}os\.environ\.items\s{0,4}\(|\bos\.environ\.copy\s{0,4}\(|\b(?:dumps|urlencode|str)\s{0,4}\(\s{0,4}os\.environ\b(?![.[])/,
    /\burlopen\s{0,4}\(|\b(?:requests|httpx)\.(?:post|get|put)\s{0,4}\(|\bHTTPS?Connection\s{0,4}\(/,
  ],
  // Decrypted passwords of browsers, in a chat.
  [/\bCryptUnprotectData\b/, /\btelebot\b|\bsend_?document\b/i],
]

/** Whether a script sends secrets of its reader away. */
export function steals(text: string): boolean {
  charge(text.length * CHARACTER_WORK)
  const occurs = (any: readonly RegExp[]): boolean => any.some((each) => each.test(text))
  if (STORES.test(text) && occurs(SENDS)) return true
  if (KEYS.test(text) && occurs(SENDS_FILES)) return true
  return THEFTS.some((all) => all.every((each) => each.test(text)))
}
