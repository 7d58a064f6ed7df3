/** The contract between the traversal and the analysers of single formats. */

import type { Facts, FactType } from './facts.ts'
import type { Finding, Obstacle } from './findings.ts'
import type { Keyword } from './keywords.ts'
import type { Sniffed } from './kind.ts'
import type { Limits } from './limits.ts'
import type { Mark } from './marks.ts'
import type { Texts } from './texts.ts'

/** The name of data that a text has in Base64. */
export const IN_BASE64 = '(in Base64)'

/** The document, or a member unpacked from it. */
export interface Item {
  bytes: Uint8Array
  /** Member names from the outermost to this one; empty for the document. */
  path: readonly string[]
  /** As its sender or packer named it; of another reading of a file, that of the file. null: unknown. */
  name: string | null
  sniffed: Sniffed
  parent: Item | null
  /** The only file in its archive, as is every archive around it. */
  alone: boolean
  /** Whether the bytes contain one of the keyword's words, ignoring ASCII case. */
  mentions(keyword: Keyword): boolean
  /** Whether the bytes contain the mark. */
  has(mark: Mark): boolean
}

/**
 * `file`: opens on its own. `internal`: a compound file or one of its streams, where other programs keep binary data of
 * their own. Rules name the scope in which they apply.
 */
export type DataScope = 'file' | 'internal'

export type NewFinding = Omit<Finding, 'path' | 'detail'> & Partial<Pick<Finding, 'path' | 'detail'>>

interface Budget {
  /** Bytes that the next member may unpack to. */
  remaining(): number
  has(bytes: number): boolean
  /** Only bytes from archives count towards the expansion ratio. */
  spend(bytes: number, source: 'archive' | 'stream'): void
}

export interface Context {
  limits: Limits
  /** Takes the text of the document. null: nobody has asked for it. */
  texts: Texts | null
  /** To be tried if the item is encrypted: those given by the owner of the document, then those offered for items around it. */
  passwordsFor(item: Item): readonly string[]
  /** Words that may open what the item contains, such as those in the text of a mail. At most `OFFERED_PASSWORDS_MAX` count. Called only if a member may be encrypted. */
  offerPasswords(item: Item, words: () => readonly string[]): void
  budget: Budget
  /** Without a path of its own, the finding is located at the item. */
  addFinding(item: Item, finding: NewFinding): void
  /** `locked`: encrypted, and the right password would open it. */
  addObstacle(item: Item, reason: Obstacle['reason'] | 'locked', detail: string, path?: readonly string[]): void
  /** The item was judged by what it does: findings of rules that know only its words do not count for it. */
  overrule(item: Item, ids: readonly string[]): void
  /** Records a fact about the item, which every item around it sees as well. */
  record<T>(item: Item, type: FactType<T>, value: T): void
  /** Counts one archive entry. false: the limit was exceeded and an obstacle added. */
  countEntry(item: Item): boolean
  /** Spends bytes. false: the budget does not have them, nothing was spent and an obstacle was added. */
  chargeBytes(item: Item, bytes: number, source: 'archive' | 'stream'): boolean
  /** Charges the bytes of the item itself that are read once more, in another way. They are no member. */
  chargeReading(item: Item, bytes: number): boolean
  /** Counts hash rounds. false: the limit was exceeded and an obstacle added. */
  chargeHashRounds(item: Item, rounds: number): boolean
  /** Scans a member with the rules and every format. */
  inspectMember(item: Item, name: string, bytes: Uint8Array, alone?: boolean): void
  /** The same for what is left of a file. That it is damaged is known, or it is inspected as a whole elsewhere. */
  inspectFragment(item: Item, name: string, bytes: Uint8Array): void
  /** Scans bytes with the rules only, such as decoded text that is not a file. */
  scan(item: Item, name: string, bytes: Uint8Array): void
}

/** Items to which a format may apply: those that meet one of the conditions. */
export interface Among {
  /** They contain one of them. */
  marks?: readonly Mark[]
  keywords?: readonly Keyword[]
  /** They were unpacked from another item. */
  members?: true
  /** They have such a name. */
  names?: RegExp
  /** Their type is another one than a text. */
  binary?: true
}

export interface Format {
  /** It is asked about no other items. By default it is asked about all. */
  among?: Among
  applies(item: Item): boolean
  analyse(item: Item, context: Context): void
  /** Called after every format has analysed the item and everything in it. */
  conclude?(item: Item, facts: Facts, context: Context): void
}
