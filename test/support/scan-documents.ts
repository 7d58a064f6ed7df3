/** Documents for the fault suites, each with a salt so that no cache answers. */
import { docx, EICAR, nested, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { CLAMD_MARKER } from '#test/support/clamd.ts'

export interface FaultDocument {
  kind: string
  infected: boolean
  bytes: Buffer
}

/** Repeatable: the same seed gives the same numbers. */
export interface Dice {
  /** From 0 up to, not including, 1. */
  next(): number
  /** From `from` to `to`, both included. */
  whole(from: number, to: number): number
  pick<T>(items: readonly T[]): T
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return { next, whole, pick: (items) => items[whole(0, items.length - 1)]! }
}

/** The variable SEED, to repeat a run, or a random number. */
export function chooseSeed(): number {
  return process.env.SEED ? Number(process.env.SEED) : Math.floor(Math.random() * 2 ** 31)
}

/** Found by an operator rule, which only the embedded engine has. `CLAMD_MARKER` is the counterpart for clamd. */
const EMBEDDED_MARKER = 'docvet-fault-marker-91d2a7'

export const MARKER_RULE = `rule fault_marker {
  meta:
    id = "Docvet.Fault.Marker"
    severity = "malicious"
  strings:
    $marker = "${EMBEDDED_MARKER}"
  condition:
    $marker
}
`

/** Harmless text of at least `bytes`. */
export function lines(bytes: number, salt: string): Buffer {
  const line = `salt ${salt} The quick brown fox jumps over the lazy dog, again and again.\n`
  return Buffer.from(line.repeat(Math.ceil(bytes / line.length)))
}

/** Matches the first bytes of each of these documents as sent to clamd, and of no canary. */
export const DOCUMENT = /salt |letter\.txt|inner\.zip|file\.txt|Content_Types|%PDF/

type Maker = (salt: string) => Buffer

const text = (content: string, salt: string) => `salt ${salt}\n${content}\n${salt}\n`

const BENIGN: Record<string, Maker> = {
  text: (salt) => lines(1_000, salt),
  pdf: (salt) => pdf(['<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [] /Count 0 /Salt (${salt}) >>`]),
  docx: (salt) => docx({ 'word/salt.xml': `<?xml version="1.0"?><salt>${salt}</salt>` }),
  zip: (salt) => writeZip([{ name: 'letter.txt', data: lines(500, salt) }]),
}

/** Threats by the engine that finds them. If only one does, no other engine can hide its faults. */
const THREATS = { both: EICAR, clamd: CLAMD_MARKER, embedded: EMBEDDED_MARKER }

const HIDINGS: Record<string, (threat: string, salt: string) => Buffer> = {
  plain: (threat, salt) => Buffer.from(text(threat, salt)),
  zip: (threat, salt) => writeZip([{ name: 'letter.txt', data: text(threat, salt) }]),
  nested: (threat, salt) => nested(text(threat, salt), 4),
  docx: (threat, salt) => docx({ 'word/embeddings/note.txt': text(threat, salt) }),
}

const INFECTED: Record<string, Maker> = Object.fromEntries(
  Object.entries(HIDINGS).flatMap(([hiding, hide]) =>
    Object.entries(THREATS).map(([finder, threat]): [string, Maker] => [
      `${hiding} for ${finder}`,
      (salt) => hide(threat, salt),
    ]),
  ),
)

const MEGABYTE = 1_000_000
const atEnd = (threat: string, salt: string) => Buffer.concat([lines(2 * MEGABYTE, salt), Buffer.from(threat)])
const LARGE: Record<string, Maker> = { 'large text': (salt) => lines(MEGABYTE, salt) }
const LARGE_INFECTED: Record<string, Maker> = Object.fromEntries(
  Object.entries(THREATS).map(([finder, threat]) => [`end for ${finder}`, (salt: string) => atEnd(threat, salt)]),
)
/** Nested deeper than any engine scans: never clean, however clamd is configured. */
const DEEP: Maker = (salt) => nested(text(EICAR, salt), 24)

const LARGE_SHARE = 0.03
const DEEP_SHARE = 0.03

function one(makers: Record<string, Maker>, infected: boolean, dice: Dice, salt: string): FaultDocument {
  const kind = dice.pick(Object.keys(makers))
  return { kind, infected, bytes: makers[kind]!(salt) }
}

/** Mostly small, half of them infected. */
export function nextDocument(dice: Dice, salt: string): FaultDocument {
  const share = dice.next()
  const infected = dice.next() < 0.5
  if (share < LARGE_SHARE) return one(infected ? LARGE_INFECTED : LARGE, infected, dice, salt)
  if (share < LARGE_SHARE + DEEP_SHARE) return { kind: 'deep', infected: true, bytes: DEEP(salt) }
  return one(infected ? INFECTED : BENIGN, infected, dice, salt)
}

/** One of every kind. */
export function everyDocument(salt: string): FaultDocument[] {
  const all = (makers: Record<string, Maker>, infected: boolean) =>
    Object.entries(makers).map(([kind, make]) => ({ kind, infected, bytes: make(`${salt} ${kind}`) }))
  return [
    ...all({ ...BENIGN, ...LARGE }, false),
    ...all({ ...INFECTED, ...LARGE_INFECTED }, true),
    { kind: 'deep', infected: true, bytes: DEEP(salt) },
  ]
}

const BOUNDARY = 'docvet-fault-boundary'

/** The multipart framing around the document. */
export function formHead(type = 'application/octet-stream'): Buffer {
  const disposition = 'Content-Disposition: form-data; name="file"; filename="document"'
  return Buffer.from(`--${BOUNDARY}\r\n${disposition}\r\nContent-Type: ${type}\r\n\r\n`)
}
export const FORM_END = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`
