/** Collects the text of an item with the reasons for which readers do not see it, and judges what is hidden. */

import { HIDDEN } from '#inspect/catalogue/hidden.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import type { Reason } from '#inspect/core/texts.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { describeTarget } from '#inspect/targets/targets.ts'
import { pastedCommand, warns } from '../pasting.ts'
import { createSeenText } from '../seen-text.ts'
import { addressesModel, MAY_ADDRESS, mayOrder, READ_MAX, wordsIn } from './instructions.ts'
import { type Concealed, concealedIn, mayConceal } from './unicode.ts'

/** Fewer words are labels and leftovers. */
export const WORDS_MIN = 8
/** More are another version of what is shown. */
const HINT_WORDS_MAX = 120
/** Letters in tags that are a text of their own. */
const TAG_LETTERS_MIN = 8
const CHARACTER_WORK = 6
const RUN_WORK = 100
/** Characters among which commands to paste are searched. */
const SEEN_MAX = 2_000_000

/** Reasons that no ordinary document has for whole sentences. The others are listed, and judged by what they say. */
const STRONG: ReadonlySet<Reason> = new Set([
  'render-mode',
  'colour',
  'size',
  'off-page',
  'transparent',
  'covered',
  'vanish',
  'unicode',
])

interface Located {
  reason: Reason
  place: string | null
}

const detailOf = ({ reason, place }: Located): string => (place === null ? reason : `${reason}, ${place}`)

interface Hidden extends Located {
  text: string
  isStrong: boolean
}

/** `isRated`: whether hidden text is reported by itself. Pages and mails have much of it. */
export function createTextJudge(item: Item, context: Context, { isRated = true } = {}) {
  const hidden: Hidden[] = []
  const concealed: Concealed[] = []
  const doubtful: (Located & { text: string; isPiece: boolean })[] = []
  const seen = createSeenText()
  /** Of what is hidden with effort, and of the rest. */
  const lengths = { strong: 0, weak: 0 }
  let doubted = 0

  function addHidden(text: string, reasons: readonly Reason[], place: string | null): void {
    const reason = reasons.find((each) => STRONG.has(each)) ?? reasons[0]
    const kind = reason !== undefined && STRONG.has(reason) ? 'strong' : 'weak'
    if (reason === undefined || lengths[kind] > READ_MAX) return
    lengths[kind] += text.length
    keep(text.length * 2)
    const last = hidden.at(-1)
    if (last?.reason === reason && last.place === place) last.text += text
    else hidden.push({ text, reason, place, isStrong: kind === 'strong' })
  }

  function addConcealed(text: string, place: string | null): void {
    for (const each of concealedIn(text)) {
      concealed.push(each)
      context.texts?.add(item, place, each.text, ['unicode'])
    }
  }

  const report = (found: Located): void => context.addFinding(item, { ...HIDDEN.instructions, detail: detailOf(found) })

  function judgeTexts(isStrong: boolean): void {
    const found = hidden.filter((each) => each.isStrong === isStrong)
    const [first] = found
    if (first === undefined) return
    const text = found.map((each) => each.text).join('\n')
    const detail = detailOf(first)
    const isAddressed = addressesModel(text, isStrong ? 'strong' : 'weak')
    if (isAddressed) report(first)
    const words = wordsIn(text)
    const isTold = (isStrong && isRated) || (!isAddressed && words <= HINT_WORDS_MAX && mayOrder(text))
    if (isTold && words >= WORDS_MIN) context.addFinding(item, { ...HIDDEN.text, detail: `${detail}, ${words} words` })
  }

  /** Formats search their texts for commands to paste. A warning that nobody sees does not count. */
  function judgePasted(): void {
    if (!warns(seen.hidden())) return
    const { text, between } = seen.read()
    const command = pastedCommand(text, between)
    if (command !== null) context.addFinding(item, { ...WEB.clickFix, detail: describeTarget(command.trim()) })
  }

  return {
    /** Text in the order in which it is read; without reasons, readers see it. */
    add(text: string, reasons: readonly Reason[] = [], place: string | null = null): void {
      if (text === '') return
      charge(RUN_WORK + text.length * CHARACTER_WORK)
      if (mayConceal(text)) addConcealed(text, place)
      if (reasons.length > 0) addHidden(text, reasons, place)
      if (isRated && seen.length() < SEEN_MAX) seen.add(text, reasons)
      context.texts?.add(item, place, text, reasons)
    },
    /** Text that readers may see: it counts only if it addresses a model clearly. A piece is read with those before it. */
    doubt(text: string, reason: Reason, place: string | null = null, isPiece = false): void {
      charge(RUN_WORK + text.length * CHARACTER_WORK)
      const last = doubtful.at(-1)
      const isNext = isPiece && last?.isPiece && last.reason === reason && last.place === place
      if (doubted > READ_MAX || (!isPiece && !MAY_ADDRESS.test(text))) return
      doubted += text.length
      keep(text.length * 2)
      if (isNext) last.text += text
      else doubtful.push({ text, reason, place, isPiece })
    },
    finish(): void {
      judgeTexts(true)
      judgeTexts(false)
      const found = doubtful.find(({ text }) => addressesModel(text, 'weak'))
      if (found !== undefined) report(found)
      reportConcealed(item, concealed, context)
      if (hidden.length > 0) judgePasted()
    },
  }
}

export function reportConcealed(item: Item, concealed: readonly Concealed[], context: Context): void {
  if (concealed.length === 0) return
  context.addFinding(item, { ...HIDDEN.unicode, detail: concealed[0]?.kind ?? null })
  const text = concealed.map((each) => each.text).join(' ')
  const isWritten = concealed.some(
    ({ kind, text: own }) => kind === 'tags' && (own.match(/[a-z]/gi)?.length ?? 0) >= TAG_LETTERS_MIN,
  )
  if (isWritten || addressesModel(text, 'strong'))
    context.addFinding(item, { ...HIDDEN.instructions, detail: 'unicode' })
}
