/** Reads the model's output: the JSON object it was asked for, and its reply as plain text. */
import { visible } from './conversation.ts'

/** The same as the limit on a message, so that a client can send the reply back with the next question. */
export const REPLY_LENGTH_MAX = 4_000
/** Limit on everything the model writes, reasoning and wrapping included; longer text never reaches a regular expression. */
export const CONTENT_LENGTH_MAX = 16_384

interface Structured {
  onTopic: boolean
  reply: string
}

const [THINKS, THOUGHT, FENCE] = ['<think>', '</think>', '```']

/** Removes reasoning and a code fence around the object. */
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

/** A string, possibly unterminated, or a brace outside of strings. */
const STRING_OR_BRACE = /"(?:[^"\\]|\\(?:.|$))*(?:"|$)|[{}]/gs

/** The object that the text starts with. Text after it is dropped unless it contains another object. */
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

/** Elements that a page without escaping would render. Placeholders such as `<host>` stay. */
const ELEMENT =
  /<\/?(?:a|abbr|applet|area|audio|b|base|body|br|button|canvas|center|code|details|dialog|div|embed|em|font|form|frame|frameset|h[1-6]|head|hr|html|i|iframe|img|input|isindex|label|li|link|marquee|math|meta|noembed|noframes|noscript|object|ol|option|p|param|picture|plaintext|portal|pre|s|script|select|slot|source|span|strong|style|summary|svg|table|tbody|td|template|textarea|th|title|tr|track|u|ul|video|xmp|xss)\b[^>]*>?|<!--[\s\S]*?(?:-->|$)|<[!?][^>]*>?/gi
/** Any other name with a space, slash or equals sign inside is not a placeholder either. */
const OTHER_ELEMENT = /<[a-z/!?][^<>\s/=]{0,100}[\s/=][^<>]{0,400}>|<[/!?][^<>]{0,400}>/gi
const DEFINITION = /^ {0,3}\[[^[\]\n]{1,200}\]:.*$/gm
/** Bounded, and without ambiguous parts, so that a reply full of brackets cannot cause backtracking. */
const IMAGE = /!\[([^[\]]{0,200})\]\([^()]{0,400}\)/g
const LINK = /\[([^[\]]{0,200})\]\(([^()\s]{0,400})(?:\s[^()]{0,200})?\)/g

/** A bracket that does not start a placeholder such as `<host>` could open an element. */
const OPENS = /<(?![a-z-]{1,30}>)/gi

/** Plain text without elements or images; a link becomes its text and its URL. */
export function plainText(reply: string): string {
  let text = visible(reply).replaceAll('**', '')
  text = text.replaceAll(DEFINITION, '').replaceAll(IMAGE, '$1').replaceAll(LINK, '$1 ($2)')
  // One removal can leave a new element behind: <im<b>g>.
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replaceAll(ELEMENT, '').replaceAll(OTHER_ELEMENT, '')
  }
  text = text.replaceAll(' < ', ' less than ').replaceAll(OPENS, '')
  // Breaks up what is left of links and images, so that no renderer completes them.
  return text
    .replaceAll(/(?<!!)!+\[/g, '[')
    .replaceAll(/\](?=[([])/g, '] ')
    .trim()
}
