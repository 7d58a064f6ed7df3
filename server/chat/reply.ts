/** What the model wrote, as what was asked for: a JSON object with `onTopic` and `reply`; and that reply as plain text. */
import { visible } from './conversation.ts'

/** As long as a message may be, so that a client can send it back with the next question. */
export const REPLY_LENGTH_MAX = 4_000
/** What a model may write in all, thinking and wrapping included. Nothing longer meets an expression. */
export const CONTENT_LENGTH_MAX = 16_384

export interface Structured {
  onTopic: boolean
  reply: string
}

const [THINKS, THOUGHT, FENCE] = ['<think>', '</think>', '```']

/** Models that think aloud, and those that wrap what they write, mean the object inside. */
function unwrap(content: string): string {
  let text = content.trim()
  if (text.startsWith(THINKS)) {
    const end = text.indexOf(THOUGHT)
    if (end > 0) text = text.slice(end + THOUGHT.length).trim()
  }
  if (!text.startsWith(FENCE) || !text.endsWith(FENCE) || text.length < 2 * FENCE.length) return text
  const inside = text.slice(FENCE.length, -FENCE.length)
  return inside.startsWith('json') ? inside.slice('json'.length) : inside
}

/** A string, also one without an end; or a brace outside of strings. */
const STRING_OR_BRACE = /"(?:[^"\\]|\\.)*(?:"|$)|[{}]/gs

/** Up to the end of the object that the text begins with. What a model adds is dropped, unless it is another object. */
function firstObject(text: string): string {
  let depth = 0
  for (const { 0: found, index } of text.matchAll(STRING_OR_BRACE)) {
    if (found === '{') depth++
    if (found !== '}' || --depth > 0) continue
    return text.includes('{', index) ? text : text.slice(0, index + 1)
  }
  return text
}

export function readStructured(content: string): Structured | null {
  try {
    const value: unknown = JSON.parse(firstObject(unwrap(content)))
    if (typeof value !== 'object' || value === null) return null
    const { onTopic, reply } = value as Record<string, unknown>
    return typeof onTopic === 'boolean' && typeof reply === 'string' ? { onTopic, reply } : null
  } catch {
    return null
  }
}

/** Elements that a careless page would bring to life. What is in angle brackets otherwise, such as `<host>`, stays. */
const ELEMENT =
  /<\/?(?:a|abbr|applet|area|audio|b|base|body|br|button|canvas|center|code|details|dialog|div|embed|em|font|form|frame|frameset|h[1-6]|head|hr|html|i|iframe|img|input|isindex|label|li|link|marquee|math|meta|noembed|noframes|noscript|object|ol|option|p|param|picture|plaintext|portal|pre|s|script|select|slot|source|span|strong|style|summary|svg|table|tbody|td|template|textarea|th|title|tr|track|u|ul|video|xmp|xss)\b[^>]*>?|<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>?/gi
/** Whatever it is called: with a space, a slash or an equals sign inside, it is no placeholder. */
const OTHER_ELEMENT = /<[a-z/!?][^<>\s/=]{0,100}[\s/=][^<>]{0,400}>|<[/!?][^<>]{0,400}>/gi
const DEFINITION = /^ {0,3}\[[^[\]\n]{1,200}\]:.*$/gm
/** Bounded, and with parts that cannot both take the same character: a reply of brackets costs no time. */
const IMAGE = /!\[([^[\]]{0,200})\]\([^()]{0,400}\)/g
const LINK = /\[([^[\]]{0,200})\]\(([^()\s]{0,400})(?:\s[^()]{0,200})?\)/g

/** Only what an article may show in place of a name: `<host>`. Any other bracket could open an element. */
const OPENS = /<(?![a-z-]{1,30}>)/gi

/** Plain text: no element, no image, and a link as its words and its address. */
export function plainText(reply: string): string {
  let text = visible(reply).replaceAll('**', '')
  text = text.replaceAll(DEFINITION, '').replaceAll(IMAGE, '$1').replaceAll(LINK, '$1 ($2)')
  // What is left after one removal may be a new element: <im<b>g>.
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replaceAll(ELEMENT, '').replaceAll(OTHER_ELEMENT, '')
  }
  text = text.replaceAll(' < ', ' less than ').replaceAll(OPENS, '')
  // What is left of a link or an image is text, whoever shows it.
  return text
    .replaceAll(/!+\[/g, '[')
    .replaceAll(/\](?=[([])/g, '] ')
    .trim()
}

/** Longer ones are no English, unless our own texts have them. */
export const WORD_LENGTH_MAX = 25
/** What people write English with. Anything else may carry a message that no check on words reads. */
const PLAIN = /^[\p{Script=Latin}\x20-\x7e\n\t\u2010-\u2015‘’“”•·×→←≤≥€£§°©®]*$/u
/** Longer than an ellipsis: Morse, and other writing with strokes. */
const STROKES = /(?:[./\\|_·•\u2010-\u2015-] ?){4}/
const LONG_WORD = new RegExp(String.raw`[\p{L}\p{N}]{${WORD_LENGTH_MAX + 1},}`, 'gu')

export function isPlainlyWritten(text: string, sources: string): boolean {
  if (!PLAIN.test(text) || STROKES.test(text)) return false
  const known = sources.toLowerCase()
  return Array.from(text.matchAll(LONG_WORD), ([word]) => word.toLowerCase()).every((word) => known.includes(word))
}

/** Programs are not for this desk, even if every word of one is ours. Commands for a shell, and JSON, are none of these. */
const CODE = [
  /\b(?:def|function|class|sub|fn|func)\s+\w+\s*\(/i,
  /^\s*(?:import|from|using|#include)\s+[\w.<>"'{} ,*]+(?:;|\bimport\b.*|\bfrom\b.*)?$/m,
  /\b(?:const|let|var)\s+\w+\s*=/,
  /=>|[;{]\s*$|^\s*\}/m,
  /^\s*(?:for|while|if|elif|else|try|with|except)\b[^.\n]*:\s*\n\s+\S/m,
  /^\s*\w+\s*[+-]?=\s*\w+[([.]/m,
  /^\s*(?:select|SELECT)\s.{1,200}?\s(?:from|FROM)\s/m,
  /\b(?:create|drop|alter) table\b/i,
]

export const hasCode = (text: string): boolean => CODE.some((pattern) => pattern.test(text))
