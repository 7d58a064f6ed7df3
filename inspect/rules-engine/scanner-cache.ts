/** Keeps compiled sets of rules: a document often calls for the same rules as the one before. */

import { type Rules, Scanner } from '@virustotal/yara-x'

interface CompiledSet {
  rules: ReadonlySet<number>
  scanner: Scanner
  free(): void
}

const SETS_MAX = 16
/** A small set is compiled together with the last one, so that the cache soon holds the rules that often may match. */
const MERGED_RULES_MAX = 32

export function createScannerCache(build: (rules: readonly number[]) => Rules, matchesMax: number) {
  /** The most recently used last. */
  let sets: CompiledSet[] = []

  function compile(numbers: readonly number[]): CompiledSet {
    const merged = new Set([...(sets.at(-1)?.rules ?? []), ...numbers])
    const rules = merged.size <= MERGED_RULES_MAX ? merged : new Set(numbers)
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
    /**
     * Running more rules than asked for is never wrong. What is charged depends on the document alone, so a much larger
     * set, which another document called for, is not run.
     */
    scannerFor(numbers: readonly number[]): Scanner {
      const sizeMax = Math.max(MERGED_RULES_MAX, numbers.length * 2)
      const isEnough = ({ rules }: CompiledSet): boolean =>
        rules.size <= sizeMax && numbers.every((number) => rules.has(number))
      const used = sets.findLast(isEnough) ?? compile(numbers)
      sets = [...sets.filter((each) => each !== used), used]
      while (sets.length > SETS_MAX) sets.shift()?.free()
      return used.scanner
    },
    dispose(): void {
      for (const each of sets) each.free()
      sets = []
    },
  }
}
