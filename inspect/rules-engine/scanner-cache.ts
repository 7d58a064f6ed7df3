/** Keeps compiled sets of rules: a document often calls for the same rules as the one before. */

import { type Rules, Scanner } from '@virustotal/yara-x'
import { charge } from '#inspect/core/work.ts'

interface CompiledSet {
  rules: ReadonlySet<number>
  scanner: Scanner
  free(): void
}

export interface CachedScanner {
  scanner: Scanner
  /** Number of rules asked for or compiled with them. */
  size: number
  /** Whether it had to be compiled. */
  isNew: boolean
}

/** Work to compile a rule: up to four milliseconds. */
export const COMPILE_WORK = 4_000_000

const SETS_MAX = 16
/** A small set is compiled together with the last one, so that the cache soon holds the rules that often may match. */
const MERGED_RULES_MAX = 32

export function createScannerCache(build: (rules: readonly number[]) => Rules, matchesMax: number) {
  /** The most recently used last. */
  let sets: CompiledSet[] = []

  function compile(numbers: readonly number[]): CompiledSet {
    const merged = new Set([...(sets.at(-1)?.rules ?? []), ...numbers])
    const rules = merged.size <= MERGED_RULES_MAX ? merged : new Set(numbers)
    charge(rules.size * COMPILE_WORK)
    const compiled = build([...rules])
    const scanner = new Scanner(compiled)
    scanner.setMaxMatchesPerPattern(matchesMax)
    return {
      rules,
      scanner,
      free() {
        scanner.free()
        compiled.free()
      },
    }
  }

  return {
    /** Running more rules than asked for is never wrong. */
    scannerFor(numbers: readonly number[]): CachedScanner {
      const known = sets.findLast(({ rules }) => numbers.every((number) => rules.has(number)))
      const used = known ?? compile(numbers)
      sets = [...sets.filter((each) => each !== used), used]
      while (sets.length > SETS_MAX) sets.shift()?.free()
      return { scanner: used.scanner, size: used.rules.size, isNew: known === undefined }
    },
    dispose(): void {
      for (const each of sets) each.free()
      sets = []
    },
  }
}
