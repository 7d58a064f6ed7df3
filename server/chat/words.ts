/** Splits text into words and stems, for search, scope and grounding. */
import { readFileSync } from 'node:fs'

/** Letters and numbers; everything else separates. A number keeps its thousands separators: 26,214,400. */
const WORD = /[\p{L}\p{M}]+|\d+(?:,\d{3})+|\d+/gu

/** A light stemmer: scan, scans, scanned and scanning have one stem, unrelated words mostly do not. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  let root = word
  if (root.endsWith('ies')) root = `${root.slice(0, -3)}y`
  else if (/[^sui]s$/.test(root)) root = root.slice(0, -1)
  const shorter = /^(.{3,})(?:ing|edly|ed|ly|ion)$/.exec(root)?.[1]
  if (shorter && /[aeiouy]/.test(shorter)) root = shorter.replace(/([^aeiouls])\1$/, '$1')
  return root.length > 3 ? root.replace(/e$/, '') : root
}

interface Word {
  text: string
  stem: string
}

export function wordsOf(text: string): Word[] {
  return Array.from(text.normalize('NFKC').matchAll(WORD), ([found]) => {
    const lower = found.toLowerCase().replaceAll(',', '')
    return { text: lower, stem: stem(lower) }
  })
}

/** The words of a list, and their stems. */
function readWords(file: string): ReadonlySet<string> {
  const words = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split(/\s+/)
  return new Set(words.flatMap((word) => [word, stem(word)]))
}

/** They occur on any topic. */
const STOP_WORDS = readWords('./stop-words.txt')
/** Support answers of any service use them, whatever they are about. */
const GENERIC_WORDS = readWords('./generic-words.txt')

/** All words except stop words. */
export const contentWords = (text: string): Word[] => wordsOf(text).filter(({ text: word }) => !STOP_WORDS.has(word))

export const vocabularyOf = (text: string): Set<string> => new Set(wordsOf(text).map((word) => word.stem))

export const isGenericWord = (text: string, stem: string): boolean => GENERIC_WORDS.has(text) || GENERIC_WORDS.has(stem)
