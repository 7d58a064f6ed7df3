/** Scripts of pages that make a wallet give its coins to others. */

import { charge } from '#inspect/core/work.ts'

const CHARACTER_WORK = 40

export const WALLET =
  /\bethereum\b|\beth_requestAccounts\b|\brequestAccounts\b|\brequestAddresses\b|\bWeb3Provider\b|\bBrowserProvider\b|\bcreateWalletClient\b|\bsolana\b|\btron(?:Web|Link)\b|\bweb3modal\b|\bWalletConnect/i

/** The most that a number of a contract can be. */
const ALL = String.raw`(?:f{60}|115792089237316195423570985008687907853269984665640564039457584007913129639935|MaxUint256|maxUint256|MAX_UINT\w{0,4}|2n?\s{0,4}\*\*\s{0,4}256n?)`

/** Each list is one way: all of its patterns occur. */
const DRAINS: readonly (readonly RegExp[])[] = [
  // Every token of a kind, for another account.
  [
    /\bsetApprovalForAll\b/,
    /\bsetApprovalForAll\s{0,4}\([^;)]{0,300}\btrue\b|\bsetApprovalForAll\b[\s\S]{0,600}?\[[^\]]{0,200},\s{0,4}true\s{0,4}\]|["']true["']/,
  ],
  [/a22cb465[0-9a-f]{120}/i],
  // All coins of a kind, also by a signature that is kept until it is used.
  [/\b(?:approve|increaseAllowance|permit|transferFrom)\b|095ea7b3|39509351/i, new RegExp(ALL, 'i')],
  [
    /["'\x60]Permit(?:Single|Batch|Transfer\w{0,12}|BatchTransfer\w{0,12})?["'\x60]/,
    /\bsignTypedData|\b_?signTypedData|eth_signTypedData/i,
  ],
  // All that an account has.
  [
    /\beth_getBalance\b|\bgetBalance\s{0,4}\(|\bgetTokenAccountsByOwner\b|\bgetParsedTokenAccountsByOwner\b/,
    /\beth_sendTransaction\b|\bsendTransaction\s{0,4}\(|\bsignTransaction\s{0,4}\(|\bsignAndSendTransaction\b|\bsignAllTransactions\b/,
    /\b(?:value|lamports|amount)\s{0,4}:\s{0,4}(?!["'\x60\d][^,}+(]{0,80}[,}])[^,}\n]{0,80}[-*(]|\b(?:value|lamports|amount)\s{0,4}:\s{0,4}(?:bal\w{0,12}|max\w{0,12}|all\w{0,12}|total\w{0,12})\b/i,
  ],
  [/\bpersonal_sign\b|\beth_sign\b(?!T)/, /\beth_sign["'\x60]/],
]

const PROMISES_IN_LATIN =
  /\b(?:claim|airdrop|reward|refund|rebate|giveaway|bonus|free|mint|eligib\w{1,6}|verif\w{1,8}|revoke|migrat\w{1,6}|rectif\w{1,8}|validat\w{1,6}|synchroni[sz]\w{1,6}|restore|unlock|secur\w{1,6}|whitelist|presale|compensation|redeem|energy|beanspruch\w{1,6}|pr(?:ä|\xc3\xa4|ae)mie|gutschrift|r(?:é|\xc3\xa9)clame\w{0,4}|r(?:é|\xc3\xa9)compense|reclam\w{1,4}|recompensa)\b/i
/** In other letters, also as pages are read: by bytes. */
const PROMISED = [
  ...[
    '领取',
    '空投',
    '奖励',
    '領取',
    '獎勵',
    '赎回',
    '迁移',
    'エアドロップ',
    '受け取',
    '報酬',
    '에어드랍',
    '에어드롭',
    '보상',
    '청구',
  ],
  ...['аирдроп', 'Аирдроп', 'эйрдроп', 'Эйрдроп', 'награда', 'награду', 'Награда', 'Получить'],
  ...['الجائزة', 'مكافأة', 'إيردروب', 'รับรางวัล', 'แอร์ดรอป', 'nhận thưởng', 'ödül', 'ödülü', 'nagrod'],
]
/** What is promised, or must be averted. Only its owner decides what a wallet gives. */
export const PROMISES = new RegExp(
  `${PROMISES_IN_LATIN.source}|${PROMISED.flatMap((word) => [word, Buffer.from(word).toString('latin1')]).join('|')}`,
  'i',
)
/** The same in the texts of a script without its page. */
const TELLS = /["'\x60][^"'\x60\n]{0,200}\b(?:claim\w{0,3}|airdrop|reward|giveaway|eligib\w{1,6}|free mint|refund)\b/i

export function emptiesWallet(code: string): boolean {
  charge(code.length * CHARACTER_WORK)
  return DRAINS.some((all) => all.every((each) => each.test(code)))
}

/** What no shop or exchange does, each by itself. */
const THEFTS: readonly (readonly RegExp[])[] = [
  // All that an account has, for one that the script names.
  [
    /\beth_getBalance\b|\bgetBalance\s{0,4}\(/,
    /\beth_sendTransaction\b|\bsendTransaction\s{0,4}\(|\bsignTransaction\s{0,4}\(|\bsignAndSendTransaction\b/,
    /\btoPubkey\s{0,4}:\s{0,4}new [\w.]{1,40}\(\s{0,4}["'\x60]|\bto\s{0,4}:\s{0,4}["'\x60]0x[\da-fA-F]{40}/,
    /\b(?:value|lamports)\s{0,4}:\s{0,4}(?:bal|max|all|total)\w{0,12}\b/i,
  ],
  // A right on many kinds of coins that never ends, for a server.
  [
    /["'\x60]Permit(?:Batch|BatchTransfer\w{0,12})["'\x60]/,
    /eth_signTypedData|\b_?signTypedData/i,
    new RegExp(String.raw`\b(?:sigDeadline|deadline|expiration)\s{0,4}:\s{0,4}["'\x60]?${ALL}`),
    /\bfetch\s{0,4}\(|\bsendBeacon\b|\.post\s{0,4}\(/,
  ],
  // The same for each kind of a list.
  [
    /\bfor\s{0,4}\([^)\n]{1,80}\bof\b[^{\n]{1,80}\{[^}]{0,600}\.(?:approve|increaseAllowance)\s{0,4}\(/,
    new RegExp(String.raw`\.(?:approve|increaseAllowance)\s{0,4}\([^;\n]{1,120}${ALL}`),
    /\bbalanceOf\b/,
  ],
]

/** Whether a script that came without its page does so, and tells a server. */
export function drainsByItself(code: string): boolean {
  charge(code.length * CHARACTER_WORK)
  if (WALLET.test(code) && THEFTS.some((all) => all.every((each) => each.test(code)))) return true
  return (
    WALLET.test(code) &&
    /\beth_requestAccounts\b|\brequestAccounts\b|\.connect\s{0,4}\(/.test(code) &&
    /\bdocument\.|\bquerySelector/.test(code) &&
    /\bfetch\s{0,4}\(|\bXMLHttpRequest\b|\bsendBeacon\b|\bWebSocket\b/.test(code) &&
    TELLS.test(code) &&
    emptiesWallet(code)
  )
}
