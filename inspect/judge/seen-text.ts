/** A text of which readers may not see every part. */

import { charge, keep } from '#inspect/core/work.ts'

export interface SeenText {
  text: string
  /** The part between two places, without what is hidden from a reader who sees all of `places`. */
  between(from: number, to: number, places: readonly number[]): string
}

/** What hides a piece: names of reasons, or elements. */
type Hiders = readonly unknown[]

const NONE: Hiders = []
const PIECE_BYTES = 150
const HIDER_BYTES = 8
const PIECE_WORK = 4

export function createSeenText() {
  const pieces: { start: number; text: string; hiders: Hiders }[] = []
  let length = 0

  const hidersAt = (place: number): Hiders => pieces.findLast(({ start }) => start <= place)?.hiders ?? NONE

  /** What hides all places. A reader who sees these sees what is hidden by nothing else. */
  function commonHiders(places: readonly number[]): Hiders {
    let common: Hiders | undefined
    for (const place of places) {
      charge(pieces.length * PIECE_WORK)
      const hiders = hidersAt(place)
      charge(hiders.length * (common?.length ?? 0))
      common = common === undefined ? hiders : common.filter((each) => hiders.includes(each))
      if (common.length === 0) break
    }
    return common ?? NONE
  }

  return {
    /** The same hiders as before are the same array. */
    add(text: string, hiders: Hiders = NONE): void {
      const last = pieces.at(-1)
      keep(text.length * 2)
      length += text.length
      if (last !== undefined && (last.hiders === hiders || last.hiders.length + hiders.length === 0)) {
        last.text += text
        return
      }
      keep(PIECE_BYTES + hiders.length * HIDER_BYTES)
      pieces.push({ start: length - text.length, text, hiders })
    },
    length: (): number => length,
    hidden: (): string => pieces.flatMap(({ text, hiders }) => (hiders.length > 0 ? [text] : [])).join(' '),
    read(): SeenText {
      return {
        text: pieces.map(({ text }) => text).join(''),
        between(from, to, places) {
          const common = commonHiders(places)
          charge(pieces.length * PIECE_WORK)
          const near = pieces.filter(({ start, text }) => start < to && start + text.length > from)
          const parts = near.map(({ start, text, hiders }) => {
            charge(hiders.length * common.length)
            const isSeen = hiders.every((each) => common.includes(each))
            return isSeen ? text.slice(Math.max(0, from - start), to - start) : ' '
          })
          return parts.join('')
        },
      }
    },
  }
}
