/** Effects of a script, whatever its language. */

import type { Download } from './downloads.ts'

export interface Effects {
  /** The commands that it starts; empty texts where they are unknown. Not those that administrators and builds use. */
  starts: readonly string[]
  /** Programs of the computer that it starts, as far as can be told. */
  localStarts: readonly string[]
  /** Fetches data from a server. */
  fetches: boolean
  saves: boolean
  /** Runs text that it builds or fetches. */
  runsText: boolean
  /** Runs text that could not be determined, as that of a server. */
  runsUnknown: boolean
  /** How a shell script runs what it fetches; null: it does not, or not that way. */
  loads: Loading | null
  /** Hides what it does. */
  isHidden: boolean
  /** Does what only attackers do, whatever it starts. */
  doesHarm: boolean
  /** A limit of the evaluation was reached, and the script uses objects of the system. */
  isCut: boolean
  /** Hides something, or could not be followed to its end. */
  isUnclear: boolean
  /** Classes of the objects that it creates, in lower case. */
  objects: readonly string[]
  /** A file that a shell downloads and runs. */
  download: Download | null
}

/**
 * `step`: one of many statements, from a named server over an encrypted connection. `loader`: the script does little else.
 * `hostile`: the same, over a connection on which everybody can answer.
 */
export type Loading = 'step' | 'loader' | 'hostile'

export const NO_EFFECTS: Effects = {
  starts: [],
  localStarts: [],
  fetches: false,
  saves: false,
  runsText: false,
  runsUnknown: false,
  loads: null,
  isHidden: false,
  doesHarm: false,
  isCut: false,
  isUnclear: true,
  objects: [],
  download: null,
}

/** The worst first. */
const LOADINGS: readonly Loading[] = ['hostile', 'loader', 'step']

/** Scripts of one file share their variables: one fetches what the other starts. */
export function mergeEffects(all: readonly Effects[]): Effects {
  const downloads = all.flatMap(({ download }) => (download === null ? [] : [download]))
  return {
    starts: all.flatMap(({ starts }) => starts),
    localStarts: all.flatMap(({ localStarts }) => localStarts),
    fetches: all.some(({ fetches }) => fetches),
    saves: all.some(({ saves }) => saves),
    runsText: all.some(({ runsText }) => runsText),
    runsUnknown: all.some(({ runsUnknown }) => runsUnknown),
    loads: LOADINGS.find((each) => all.some(({ loads }) => loads === each)) ?? null,
    isHidden: all.some(({ isHidden }) => isHidden),
    doesHarm: all.some(({ doesHarm }) => doesHarm),
    isUnclear: all.some(({ isUnclear }) => isUnclear),
    isCut: all.some(({ isCut }) => isCut),
    objects: all.flatMap(({ objects }) => objects),
    download: downloads.find(({ isTelling }) => isTelling) ?? downloads[0] ?? null,
  }
}
