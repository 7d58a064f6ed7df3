/** Keys and windows in which the reader of a text is asked to run something, in every language. */

import { createStarts } from '#inspect/core/matcher/starts.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { COMMAND_WINDOWS } from '#inspect/windows/programs.ts'

/** Where the reader is asked to paste it. Installers name a terminal as well. */
const OPENS = [
  ...['open', 'launch', 'start', 'type', 'choose', 'select', 'search for'],
  // Without letters that have accents, because pages are also read as bytes.
  ...['ffnen sie', 'tippen sie', 'starten sie', 'geben sie', 'ouvrez', 'tapez', 'lancez', 'abra', 'abre', 'abrir'],
  ...['escriba', 'escribe', 'digite', 'apri', 'aprite', 'digita', 'digitare', 'typ', 'uruchom', 'wpisz', 'apra'],
  ...['choisissez', 'elija', 'scelga', 'selecione', 'hlen sie', 'wybierz', 'avaa', 'buka', 'otvorte', 'nyissa meg'],
]
/** Names of the window, where the verb comes behind it, or is written otherwise. As text, and as bytes. */
const WINDOWS = [
  ...['ターミナル', '打开终端', '打开“终端', '終端機', '터미널', 'терминал', 'Терминал', 'термінал', 'Термінал'],
  ...[
    'τερματικό',
    'टर्मिनल',
    '「端末」',
    '端末を開',
    'コマンドプロンプト',
    '命令提示符',
    '명령 프롬프트',
    '终端”',
    '终端」',
    '终端**',
    '终端窗',
  ],
  ...['омандную строку', 'омандний рядок', 'омандного рядка', 'омандной строк'],
]
export const WINDOW_BYTES = WINDOWS.map((name) => Buffer.from(name).toString('latin1'))
/** In other languages the name may stand beside a word with other letters, or in their quotation marks. */
const TERMINAL = createStarts(
  anyCase`${OPENS}\s{1,4}(?:(?:an?|the|your|das|den|die|le|la|el|il|o|de|het|az) )?["'*_\x60]{0,3}(?:${COMMAND_WINDOWS}|file explorer)|(?<=[^\0-\x7f][a-z]{0,12}["' \xa0]{0,2}(?:windows )?)${COMMAND_WINDOWS}(?!\.exe|\s{1,4}[-/\\])|${COMMAND_WINDOWS}(?=['\u2019][a-z]| ?[^\0-\x7f])|${WINDOWS}|${WINDOW_BYTES}`,
  [...OPENS, ...COMMAND_WINDOWS, ...WINDOWS, ...WINDOW_BYTES],
)
/** A window that the reader has, for a command that he is given. Manuals say so as well. */
const ENTERS = ['run', 'paste', 'enter', 'execute']
const ENTERED = createStarts(
  anyCase`\b${ENTERS}\s{1,4}(?:(?:it|this|them|that|(?:the|this)(?: following)? (?:command|line|code))\s{1,4})?(?:in|into|inside)\s{1,4}(?:(?:an?|the|your)\s{1,4})?["'*_\x60]{0,3}${COMMAND_WINDOWS}`,
  ENTERS,
)
/** Between the key of Windows and the other, in languages that use it so. */
const AND = String.raw`(?:\+|\uff0b|\xef\xbc\x8b|and(?: press)?|plus|&|-|und|et|y|e|en|i|oraz)`
/** The key that opens the search of a Mac. */
const SPACE = '(?:space|leertaste|(?:barre d.{1,6})?espace|barra|espacio|spazio|spatie|spacja)'
const KEY_PATTERN = new RegExp(
  [
    String.raw`win(?:dows)?(?:[ -]?[a-z\xc3-\xc5\u0080-\u024f]{3,14})? ?${AND} ?["'(]?[erx]\b`,
    // "Windowsキーを押しながらR"
    String.raw`windows ?[^\0-\x7f]{1,40} ?\+? ?[rx](?![a-z])`,
    String.raw`\brun (?:dialog|box|window)|type (?:["']?run\b|["']?cmd\b)`,
    String.raw`(?:ctrl|control|strg|cmd|command|befehl|\u2318|\xe2\x8c\x98) ?\+ ?(?:v|alt ?\+ ?t|${SPACE})\b`,
    String.raw`address bar|barre d.{1,6}adresse|adressleiste|barra (?:de |degli |dei )?(?:direcciones|indirizz|endere)|adresbalk|pas(?:ek|ku) adresu|(?:ctrl|strg) ?\+ ?l\b`,
  ].join('|'),
  'i',
)
/** Every match of the keys begins with one of these. */
const KEY_WORDS = [
  ...['win', 'run ', 'type ', 'ctrl', 'control', 'strg', 'cmd', 'command', 'befehl', 'address bar', '\xe2\x8c\x98'],
  ...['barre d', 'adressleiste', 'barra d', 'adresbalk', 'pasek a', 'pasku a'],
  ...[' +', '+ ', '+v', '+s', '+l', '+b', '+e'].map((next) => `\u2318${next}`),
]
export const KEYS = createStarts(KEY_PATTERN, KEY_WORDS)

/** `isNamedOnly`: the window is named, without the way to open it. */
export const NAMED: readonly { named: typeof KEYS; isNamedOnly: boolean }[] = [
  { named: KEYS, isNamedOnly: false },
  { named: TERMINAL, isNamedOnly: false },
  { named: ENTERED, isNamedOnly: true },
]

export const opensWindow = (text: string): boolean => NAMED.some(({ named }) => named.test(text))

export const placesIn = (text: string): number[] =>
  NAMED.flatMap(({ named }) => [...named.matches(text)].map(({ index }) => index))
