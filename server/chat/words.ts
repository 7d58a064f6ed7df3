/** Splits text into words and stems, for search, scope and grounding. */

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

/** Stop words: they occur on any topic. */
const STOP_WORDS_TEXT = `
a about above across actually after again against all almost alone along already also although always am among an and
another any article articles anybody anyone anything anyway apart are around as aside ask asked asking asks at available away back be
became because become becomes been before begin behind being below beside besides best better between beyond both brief
briefly but by came can cannot case cases certain certainly clear clearly come comes common correct could cover covers currently
dear depend depends did different directly do does doing done down due during each earlier easily easy either else
enough especially etc even ever every everybody everyone everything exact exactly example explain explained explains
fact few find fine first follow followed following follows for forward found from full fully further gave general
generally get gets getting give given gives giving glad go goes going gone good got great had happen happened happens
happy has have having he hello help helpful helps hence her here hey hi him his hope how however i idea if immediately
important in include included includes including indeed instead into is it its itself just kind kindly knew know
known knows last later least less let lets like likely little ll long look looks lot made mainly make makes making many
matter may maybe me mean means meant mention mentioned mentions might mind more moreover most mostly much must my myself naturally near nearly
necessarily necessary need needed needs neither never new next nice no nobody none nor normal normally not note nothing
now obviously of off often ok okay old on once one ones only onto or order other others otherwise our ours out over own
particular particularly per perhaps please point possible possibly provide provided provides put question questions
quick quickly quite rather re really reason refer regard regarding related rest right s said same saw say saying says
second see seem seems seen set several shall she short should show shown shows similar simple simply since single so
some somebody someone something sometimes somewhere soon sorry specific specifically still such sure t take taken takes
taking tell tells than thank thanks that the their them themselves then there therefore these they thing things think
this those though through thus time times to together told too took toward true try trying turn two three under
understand unfortunately unless until up upon us use used useful uses using usual usually ve various very via want
wanted wants was way ways we welcome well went were what whatever when whenever where whether which while who whole whom
whose why will wish with within without won word words work working works would wrong yes yet you your yours yourself
don doesn didn isn aren wasn weren couldn shouldn wouldn hasn haven hadn d m cant wont dont im ive id lets thats whats
`
const STOP_WORDS = new Set(
  STOP_WORDS_TEXT.trim()
    .split(/\s+/)
    .flatMap((word) => [word, stem(word)]),
)

/** All words except stop words. */
export const contentWords = (text: string): Word[] => wordsOf(text).filter(({ text: word }) => !STOP_WORDS.has(word))

export const vocabularyOf = (text: string): Set<string> => new Set(wordsOf(text).map((word) => word.stem))
