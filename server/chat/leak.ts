/** Whether a reply gives away what only the model was to see: our instructions, or the mark between them. */
import { wordsOf } from './words.ts'

/** So many words in the same order as in our instructions are no coincidence. */
export const SAME_WORDS_MAX = 5
/** So many characters of the mark in a row are enough to know it by. */
export const SAME_CHARACTERS_MAX = 7

/** So many letters of our instructions in a row, whatever stands between them. */
export const SAME_LETTERS_MAX = 29

const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** As `shareRun`, for what is long and has only letters. */
function shareLetters(one: string, other: string, length: number): boolean {
  const known = new Set<string>()
  for (let i = 0; i + length <= one.length; i++) known.add(one.slice(i, i + length))
  for (let i = 0; i + length <= other.length; i++) if (known.has(other.slice(i, i + length))) return true
  return false
}

function runs(items: readonly string[], length: number, glue: string): Set<string> {
  const found = new Set<string>()
  for (let i = 0; i + length <= items.length; i++) found.add(items.slice(i, i + length).join(glue))
  return found
}

function shareRun(one: readonly string[], other: readonly string[], length: number, glue: string): boolean {
  const known = runs(one, length, glue)
  return [...runs(other, length, glue)].some((run) => known.has(run))
}

/** Whoever speaks of his instructions tells them, in whatever words. */
const OF_ITSELF =
  /\bI(?: was| am| have been|'ve been|'m) (?:instructed|ordered|programmed|prompted|told (?:to|not|never|that))\b|\bmy (?:own )?(?:instructions?|(?:system )?prompt|configuration|rules)\b|\b(?:secret|confidential|internal|hidden) (?:mark|marker|prompt|instructions?)\b/i

export interface Secrets {
  instructions: string
  canary: string
}

export function givesAway(reply: string, { instructions, canary }: Secrets): boolean {
  if (OF_ITSELF.test(reply)) return true
  const characters = [...reply.toLowerCase().replaceAll(/[^a-z0-9]/g, '')]
  // "Document d, document 7": spelled, with words between.
  const spelled = [...(reply.toLowerCase().match(/\b[0-9a-f]{1,2}\b/g) ?? []).join('')]
  const mark = [...canary]
  const words = wordsOf(reply).map(({ text }) => text)
  const told = wordsOf(instructions).map(({ text }) => text)
  const [ours, theirs] = [lettersOf(instructions), lettersOf(reply)]
  if (shareLetters(ours, theirs, SAME_LETTERS_MAX + 1)) return true
  if (shareLetters(ours, [...theirs].toReversed().join(''), SAME_LETTERS_MAX + 1)) return true
  return [false, true].some((backwards) => {
    const turn = (items: string[]) => (backwards ? items.toReversed() : items)
    return (
      shareRun(mark, turn(characters), SAME_CHARACTERS_MAX + 1, '') ||
      shareRun(mark, turn(spelled), SAME_CHARACTERS_MAX + 1, '') ||
      shareRun(told, turn(words), SAME_WORDS_MAX + 1, ' ')
    )
  })
}
