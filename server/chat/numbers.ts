/** Numbers in a reply: a wrong limit, price or code is worse than none, so only those that we gave may come back. */

/** 500, 26,214,400, 0.5; also inside a word, as in SHA-256. */
const NUMBER = /\d+(?:[.,]\d+)*/g
/** Small ones are words like any, unless they tell a price. */
const LARGE = /\b(?:hundreds?|thousands?|millions?|billions?|dozens?)\b/gi
const PRICE =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)\b(?=[\s-](?:dollars?|euros?|pounds?|cents?|bucks)\b)/gi
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
  const found = [NUMBER, LARGE, PRICE].flatMap((pattern) => Array.from(text.matchAll(pattern)))
  return found.map(({ 0: written, index }) => {
    const after = text.slice(index + written.length, index + written.length + 16)
    const unit = Object.keys(UNITS).find((name) => UNITS[name]?.test(after)) ?? null
    const isMoney = MONEY_BEFORE.test(text.slice(Math.max(0, index - 5), index))
    return { value: written.toLowerCase().replaceAll(/,(?=\d{3}(?!\d))/g, ''), unit: isMoney ? 'money' : unit }
  })
}

/** One digit alone says nothing: "step 2", "UTF-8". */
const counts = ({ value, unit }: Figure): boolean => unit !== null || value.length > 1

const keyOf = ({ value, unit }: Figure): string => `${value} ${unit ?? ''}`

const SENTENCE_END = /(?<=[.!?;])\s+|\n+/
/** How the facts tell what a plan has. */
const PLAN_FACT = /^`([\w-]+)` has /
const OF_PLANS = ['scan', 'key']

/** Whether a sentence gives one plan the number of another. */
function mixesPlans(reply: string, sources: string): boolean {
  const facts = sources.split(SENTENCE_END).flatMap((sentence) => {
    const [, name] = PLAN_FACT.exec(sentence.replace(/^.*?:\s(?=`)/, '')) ?? []
    return name ? [{ name: name.toLowerCase(), figures: new Set(figuresIn(sentence).map(keyOf)) }] : []
  })
  return reply.split(SENTENCE_END).some((sentence) => {
    const words = new Set(sentence.toLowerCase().match(/[\w-]+/g))
    const named = facts.filter(({ name }) => words.has(name) && words.has('plan'))
    const told = figuresIn(sentence).filter(({ unit }) => unit !== null && OF_PLANS.includes(unit))
    return named.length > 0 && told.some((figure) => !named.some(({ figures }) => figures.has(keyOf(figure))))
  })
}

export interface Numbers {
  sources: string
  question?: string
  /** Of our problems: true of them, whichever articles the model was given. */
  statuses?: readonly number[]
}

/** Whether a number of the reply, together with its unit if it has one, is in none of the texts. */
export function hasForeignNumber(reply: string, { sources, question = '', statuses = [] }: Numbers): boolean {
  if (mixesPlans(reply, sources)) return true
  const isStatus = ({ value, unit }: Figure) => unit === null && statuses.includes(Number(value))
  const given = [sources, question].flatMap(figuresIn)
  const known = new Set(given.flatMap((figure) => [keyOf(figure), figure.value]))
  return figuresIn(reply.replaceAll(LIST_NUMBER, ' '))
    .filter(counts)
    .some((figure) => !isStatus(figure) && !known.has(figure.unit === null ? figure.value : keyOf(figure)))
}
