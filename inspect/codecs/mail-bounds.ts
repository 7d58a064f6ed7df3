/** Where the mails of a mailbox begin, and where a mail within a mail ends, as far as every program agrees. */

import { charge, keep } from '#inspect/core/work.ts'

/** Work for each character searched, and for each line that may be a bound; memory for each of those. */
const SEARCH_WORK = 4
const LINE_WORK = 300
/** For each character of the headers of a part. */
const PART_WORK = 2
const LINE_BYTES = 60
const DECLARATION_BYTES = 300
/** Boundaries within each other. With more of them, nothing is certain. */
export const OPEN_MAX = 16

const DECLARATION = /boundary[ \t]*=[ \t]*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi
/** Notations that the pattern above does not read as all programs do: with comments, in pieces, on the next line, too long. */
const UNCERTAIN =
  /boundary\s*(?:\*|=\s*(?:[^\s\w"'+,./:=?-]|[\w'+,./:=?-]{1,200}[("]|[\w'+,./:=?-]{201}|"[^"\r\n]{201})|=[ \t]*[\r\n])/i
/** Boundary lines, the first line of a mail in a mailbox, and types of mails within a mail. */
const BOUND = /^(?:--([^\r\n]+)|(?<=\n\r?\n)From |content-type[ \t]*:\s*(?:message\/|multipart\/digest))/gim

const MAIL_TYPE = /^content-type/i
const MAIL_LINE = 'From '
const GAP = /\n\r?\n/g

interface Bound {
  at: number
  /** The name of a boundary line; null for the first line of a mail. */
  boundary: string | null
  /** The boundary does not occur again. */
  isEnd: boolean
}

export interface Bounds {
  /** The names of the boundaries within which the position is; null if that is uncertain. Positions only grow. */
  openAt(position: number): readonly string[] | null
  /** The first mail at or after the position; null: none. Positions only grow. */
  nextMail(position: number): number | null
  /** Whether no other mail begins before the position. */
  isInFirst(position: number): boolean
}

export function readBounds(text: string, isMailbox: boolean): Bounds {
  charge(text.length * SEARCH_WORK)
  const bounds = UNCERTAIN.test(text) ? [] : [...boundsIn(text, isMailbox)]
  const mails = bounds.filter(({ boundary }) => boundary === null)
  const open = new Set<string>()
  let [next, mail] = [0, 0]
  return {
    openAt(position) {
      for (; (bounds[next]?.at ?? position) < position; next++) follow(bounds[next] as Bound, open)
      return open.size > OPEN_MAX ? null : [...open]
    },
    nextMail(position) {
      while ((mails[mail]?.at ?? position) < position) mail += 1
      return mails[mail]?.at ?? null
    },
    isInFirst: (position) => (mails[0]?.at ?? position) >= position,
  }
}

function follow({ boundary, isEnd }: Bound, open: Set<string>): void {
  if (boundary === null) open.clear()
  else if (isEnd) open.delete(boundary)
  else open.add(boundary)
}

/**
 * In a mail within a mail, a line `From ` begins no new one. So it counts if the mail before has none, or if those are within
 * parts that all ended. A mail that consists of another ends nowhere, and nothing after it is certain.
 */
function* boundsIn(text: string, isMailbox: boolean): Generator<Bound> {
  const declared = declaredIn(text)
  const open = new Set<string>()
  let hasMail = false
  let headersEnd = Number.POSITIVE_INFINITY
  const isCounted = ({ boundary }: Bound, line: string): boolean =>
    line === MAIL_LINE ? isMailbox && !(hasMail && open.size > 0) : boundary !== null
  for (const { 0: line, 1: dashed, index } of text.matchAll(BOUND)) {
    charge(LINE_WORK)
    const bound = boundOf(dashed, index, declared)
    if (MAIL_TYPE.test(line)) {
      if (open.size === 0 && index < headersEnd) return
      hasMail ||= open.size > 0
    } else if (isCounted(bound, line)) {
      keep(LINE_BYTES)
      follow(bound, open)
      yield bound
    } else continue
    if (bound.boundary !== null || line !== MAIL_LINE) continue
    hasMail = false
    headersEnd = gapAfter(text, index)
  }
}

function gapAfter(text: string, from: number): number {
  GAP.lastIndex = from
  return GAP.exec(text)?.index ?? text.length
}

/** Of a line that is no declared boundary, the name is null. */
function boundOf(dashed: string | undefined, at: number, declared: ReadonlySet<string>): Bound {
  const name = dashed?.trimEnd() ?? ''
  if (declared.has(name)) return { at, boundary: name, isEnd: false }
  const ended = name.endsWith('--') ? name.slice(0, -2) : ''
  return declared.has(ended) ? { at, boundary: ended, isEnd: true } : { at, boundary: null, isEnd: false }
}

function declaredIn(text: string): Set<string> {
  const declared = new Set<string>()
  for (const [, quoted, bare = ''] of text.matchAll(DECLARATION)) {
    keep(DECLARATION_BYTES)
    declared.add((quoted ?? bare).trimEnd())
  }
  return declared
}

interface Part {
  headers: string
  /** Start and end of the body. */
  start: number
  end: number
}

const END_OF_HEADERS = /\r?\n[ \t]*\r?\n/g

/** The part that has a header at the position, from the boundary line before it to the next one; null: it has no body. */
export function partAround(text: string, at: number): Part | null {
  END_OF_HEADERS.lastIndex = at
  const gap = END_OF_HEADERS.exec(text)
  const first = text.lastIndexOf('\n--', at) + 1
  charge(((gap?.index ?? text.length) - first) * PART_WORK)
  if (gap === null) return null
  const start = gap.index + gap[0].length
  const boundary = text.indexOf('\n--', start)
  return { headers: text.slice(first, gap.index), start, end: boundary === -1 ? text.length : boundary }
}
