/** The ISTag: proxies drop what they cached when it changes. */
import { createHash } from 'node:crypto'
import type { EngineVersion } from '#listeners/clamd/version.ts'
import type { Listener } from '#listeners/specification.ts'

const DIGITS = 24

/** Follows engines, rules and signatures, and the options that decide replies. Quoted, with at most 32 characters. */
export function serviceTag(engines: readonly EngineVersion[], { unscannable, failure, other }: Listener): string {
  const known = engines.map(({ name, version, signatures }) => [name, version, signatures])
  const text = JSON.stringify([known, unscannable, failure, other])
  return `"${createHash('sha256').update(text).digest('hex').slice(0, DIGITS)}"`
}
