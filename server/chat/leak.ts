/** Keeps the prompt private: finds questions that ask for it and replies that reveal it. */

/** Longest run of characters that a reply may share with the canary, and of letters with the instructions. */
export const CANARY_RUN_MAX = 7
export const LETTERS_RUN_MAX = 29

/** Longest word, unless the sources contain it. */
export const WORD_LENGTH_MAX = 25

const MENTIONS_PROMPT =
  /\bI(?: was| am| have been|'ve been|'m) (?:instructed|ordered|programmed|prompted|told (?:to|not|never|that))\b|\bmy (?:own )?(?:instructions?|(?:system )?prompt|configuration|rules)\b|\b(?:secret|confidential|internal|hidden) (?:mark|marker|prompt|instructions?)\b/i

const ASKS_FOR_PROMPT = [
  /\b(?:system|initial|hidden|secret|internal|original)\b.{0,20}\b(?:prompt|instructions?|mark|context)\b/i,
  /\byour (?:own |full |exact )?(?:prompt|instructions?|rules|context)\b/i,
  /\b(?:repeat|print|output|reveal|quote|spell|encode|append)\b.{0,60}\b(?:above|verbatim|prompt|text before)\b/i,
]

/** The name of a finding, such as `Docvet.Hidden.Instructions`, is no request. */
const FINDING = /\bDocvet\.[A-Z]\w{2,30}\.[A-Z]\w{2,40}/g

export function asksForPrompt(question: string): boolean {
  const asked = question.replaceAll(FINDING, '')
  return ASKS_FOR_PROMPT.some((pattern) => pattern.test(asked))
}

/** Whether the texts have more than `max` characters in a row in common, forwards or backwards. */
function sharesRun(text: string, secret: string, max: number): boolean {
  const runs = new Set<string>()
  for (let i = 0; i + max < secret.length; i++) runs.add(secret.slice(i, i + max + 1))
  return [text, [...text].toReversed().join('')].some((way) => {
    for (let i = 0; i + max < way.length; i++) if (runs.has(way.slice(i, i + max + 1))) return true
    return false
  })
}

/** Characters of English text. Others, such as Braille, can carry a message that no check on words reads. */
const PLAIN = /^[\p{Script=Latin}\x20-\x7e\n\t\u2010-\u2015‘’“”•·×→←≤≥€£§°©®]*$/u
/** Morse and similar codes; longer than an ellipsis. */
const STROKES = /(?:[./\\|_·•\u2010-\u2015-] ?){4}/
const LONG_WORD = new RegExp(String.raw`[\p{L}\p{N}]{${WORD_LENGTH_MAX + 1},}`, 'gu')

export function isEncoded(text: string, sources: string): boolean {
  if (!PLAIN.test(text) || STROKES.test(text)) return true
  const known = sources.toLowerCase()
  return Array.from(text.matchAll(LONG_WORD)).some(([word]) => !known.includes(word.toLowerCase()))
}

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '')

export function leaksPrompt(
  reply: string,
  { instructions, canary }: { instructions: string; canary: string },
): boolean {
  if (MENTIONS_PROMPT.test(reply)) return true
  const lower = reply.toLowerCase()
  // The second form finds a canary spelled out between words: "document d, document 7".
  const spellings = [lower.replaceAll(/[^a-z0-9]/g, ''), (lower.match(/\b[0-9a-f]{1,2}\b/g) ?? []).join('')]
  return (
    spellings.some((spelling) => sharesRun(spelling, canary, CANARY_RUN_MAX)) ||
    sharesRun(lettersOf(reply), lettersOf(instructions), LETTERS_RUN_MAX)
  )
}
