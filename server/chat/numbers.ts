/** Numbers in a reply: a wrong limit, price or code is worse than none, so only those that we gave may come back. */

/** 500, 26,214,400, 0.5; also inside a word, as in SHA-256. */
const NUMBER = /\d+(?:[.,]\d+)*/g
/** What is measured or sold, by every way of writing it. */
const UNITS: Readonly<Record<string, RegExp>> = {
  percent: /^\s?(?:%|percent\b)/i,
  byte: /^\s?(?:bytes?|B)\b/,
  kilobyte: /^[\s-]?(?:kilobytes?|ki?B)\b/i,
  megabyte: /^[\s-]?(?:megabytes?|Mi?B)\b/i,
  gigabyte: /^[\s-]?(?:gigabytes?|Gi?B)\b/i,
  terabyte: /^[\s-]?(?:terabytes?|Ti?B)\b/i,
  millisecond: /^[\s-]?(?:milliseconds?|ms)\b/i,
  second: /^[\s-]?(?:seconds?|secs?|s)\b/i,
  minute: /^[\s-]?(?:minutes?|mins?)\b/i,
  hour: /^[\s-]?(?:hours?|hrs?|h)\b/i,
  day: /^[\s-]?days?\b/i,
  week: /^[\s-]?weeks?\b/i,
  month: /^[\s-]?months?\b/i,
  year: /^[\s-]?years?\b/i,
  scan: /^\s?scans?\b/i,
  key: /^\s?(?:API )?keys?\b/i,
  money: /^\s?(?:dollars?|euros?|pounds?|cents?|USD|EUR|GBP|[$€£])/i,
}
const MONEY_BEFORE = /(?:[$€£]|\b(?:USD|EUR|GBP))\s?$/i
const LIST_NUMBER = /^\s*\d{1,2}[.)](?=\s)/gm

interface Figure {
  value: string
  unit: string | null
}

function figuresIn(text: string): Figure[] {
  return Array.from(text.matchAll(NUMBER), ({ 0: written, index }) => {
    const after = text.slice(index + written.length, index + written.length + 16)
    const unit = Object.keys(UNITS).find((name) => UNITS[name]?.test(after)) ?? null
    const isMoney = MONEY_BEFORE.test(text.slice(Math.max(0, index - 5), index))
    return { value: written.replaceAll(/,(?=\d{3}(?!\d))/g, ''), unit: isMoney ? 'money' : unit }
  })
}

/** One digit alone says nothing: "step 2", "UTF-8". */
const counts = ({ value, unit }: Figure): boolean => unit !== null || value.length > 1

const keyOf = ({ value, unit }: Figure): string => `${value} ${unit ?? ''}`

/** Whether a number of the reply, together with its unit if it has one, is in none of the texts. */
export function hasForeignNumber(reply: string, ...texts: readonly string[]): boolean {
  const given = texts.flatMap(figuresIn)
  const known = new Set(given.flatMap((figure) => [keyOf(figure), figure.value]))
  return figuresIn(reply.replaceAll(LIST_NUMBER, ' '))
    .filter(counts)
    .some((figure) => !known.has(figure.unit === null ? figure.value : keyOf(figure)))
}
