/** Makes the tables of the update channel ready, and refuses rows that would accuse everything or that are there already. */

import { BRANDS, type Brand, OWNER_OF } from './brands.ts'
import { isGenericName } from './host-words.ts'
import { BRAND_MIN } from './signs.ts'
import { isKnownLetter, skeletonOf } from './skeleton.ts'
import type { HostingKind, Wider } from './wider.ts'

/** As they come: their shape was checked, and how many rows they have. */
export interface AddedTables {
  /** Names that attackers pose as, with the domains of their owners. `isCommon`: also a word or the name of others. */
  brands?: readonly { name: string; domains: readonly string[]; isCommon?: boolean | undefined }[] | undefined
  /** Hosts behind which anybody can put anything. */
  hosts?: readonly { host: string; kind: HostingKind }[] | undefined
  /** Suffixes under which different owners have names: `pages.example`. */
  suffixes?: readonly string[] | undefined
  /** Letters that look like one to three of ASCII. */
  lookalikes?: readonly { letter: string; shape: string }[] | undefined
}

const BUILT_IN = new Set(BRANDS.map(({ name }) => name))
const LETTER = /^[\p{L}\p{N}\p{S}]$/u

/** Throws at a row that cannot be used. */
export function widerOf({ brands = [], hosts = [], suffixes = [], lookalikes = [] }: AddedTables): Wider {
  const added = brands.map(brandOf)
  for (const name of [...hosts.map(({ host }) => host), ...suffixes]) refuseKnown(name)
  for (const { letter } of lookalikes) refuseLetter(letter)
  const similar = added.filter(({ name }) => name.length >= BRAND_MIN)
  const contained = new Set(similar.filter(({ isCommon }) => !isCommon).map(({ name }) => name))
  return {
    owners: new Map(added.flatMap((brand) => [...brand.owned].map((domain) => [domain, brand] as const))),
    byName: new Map(added.map((brand) => [brand.name, brand])),
    bySkeleton: new Map(similar.map((brand) => [skeletonOf(brand.name), brand])),
    contained,
    lengths: [...new Set([...contained].map(({ length }) => length))],
    kinds: new Map(hosts.map(({ host, kind }) => [host, kind])),
    suffixes: new Set(suffixes),
    shapes: new Map(lookalikes.map(({ letter, shape }) => [letter, shape])),
  }
}

function brandOf({ name, domains, isCommon = false }: NonNullable<AddedTables['brands']>[number]): Brand {
  if (BUILT_IN.has(name)) throw new Error(`the brand ${name} is built in`)
  if (isGenericName(name)) throw new Error(`the brand ${name} is a word that many hosts have`)
  const [domain = ''] = domains
  const foreign = domains.find((each) => OWNER_OF.has(each))
  if (foreign !== undefined) throw new Error(`the domain ${foreign} of ${name} is that of another brand`)
  return { name, domain, owned: new Set(domains), isCommon }
}

/** A host or suffix around the domains of known owners. */
function refuseKnown(name: string): void {
  const known = OWNER_OF.keys().find((domain) => domain === name || domain.endsWith(`.${name}`))
  if (known !== undefined) throw new Error(`${name} is around ${known}, which has an owner`)
}

function refuseLetter(letter: string): void {
  if (!LETTER.test(letter)) throw new Error(`${JSON.stringify(letter)} is not one letter`)
  if (isKnownLetter(letter)) throw new Error(`the letter ${letter} is built in`)
  if (letter.normalize('NFD') !== letter)
    throw new Error(`the letter ${letter} has an accent, which is left out anyway`)
}
