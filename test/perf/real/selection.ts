/** Which files are measured: the same in every run on the same files. */

import { createHash } from 'node:crypto'
import type { Kind, SizeClass } from './kinds.ts'

export interface Candidate {
  file: string
  /** The same on every machine: the source, and the path in it. */
  label: string
  bytes: number
}

export interface Document {
  label: string
  /** As it would be uploaded: its language may be told by it. */
  fileName: string
  content: Buffer
}

export interface Row {
  kind: Kind
  size: SizeClass
  how: 'single' | 'joined' | 'cut'
  documents: readonly Document[]
  bytes: number
  /** Differs if the files differ. */
  fingerprint: string
}

const hashOf = (value: string | Uint8Array): string => createHash('sha256').update(value).digest('hex')
const FINGERPRINT_LENGTH = 8
/** Of a joined text, so that a few large files do not make all of it. */
const PIECE_SHARE = 0.1

const baseName = (label: string): string => label.slice(label.lastIndexOf('/') + 1)

/** In an order that has nothing to do with folders, and does not depend on other files. */
function shuffled(candidates: readonly Candidate[]): Candidate[] {
  const keys = new Map(candidates.map((each) => [each, hashOf(each.label)]))
  return candidates.toSorted((a, b) => ((keys.get(a) ?? '') < (keys.get(b) ?? '') ? -1 : 1))
}

function singles(candidates: readonly Candidate[], size: SizeClass, read: (file: string) => Buffer): Document[] {
  const documents: Document[] = []
  const seen = new Set<string>()
  for (const { file, label, bytes } of candidates) {
    if (documents.length >= size.count) break
    if (bytes < size.from || bytes > size.to) continue
    const content = read(file)
    const hash = hashOf(content)
    if (seen.has(hash)) continue
    seen.add(hash)
    documents.push({ label, fileName: baseName(label), content })
  }
  return documents
}

/** Whole files with a line between them, until it is as large as wanted. Null: all files together are not. */
function joined(candidates: readonly Candidate[], size: SizeClass, read: (file: string) => Buffer): Document | null {
  const wanted = (size.from + size.to) / 2
  const pieces: Buffer[] = []
  let bytes = 0
  let count = 0
  for (const candidate of candidates) {
    if (bytes >= wanted) break
    if (candidate.bytes > wanted * PIECE_SHARE) continue
    const piece = read(candidate.file)
    pieces.push(piece, Buffer.from('\n'))
    bytes += piece.length + 1
    count++
  }
  if (bytes < size.from) return null
  const [first] = candidates
  const fileName = `joined${/\.\w+$/.exec(first?.label ?? '')?.[0] ?? ''}`
  return { label: `${count} joined files`, fileName, content: Buffer.concat(pieces) }
}

function cut(candidates: readonly Candidate[], size: SizeClass, read: (file: string) => Buffer): Document | null {
  const source = candidates.find(({ bytes }) => bytes > size.to)
  if (source === undefined) return null
  const content = read(source.file).subarray(0, (size.from + size.to) / 2)
  return { label: `beginning of ${source.label}`, fileName: baseName(source.label), content }
}

const ofKind = (kind: Kind, candidates: readonly Candidate[]): Candidate[] =>
  shuffled(candidates.filter(({ label }) => kind.files.test(baseName(label))))

/** As many documents of each size as wanted, of all kinds in turn; fewer where there are no more. */
export function selectMix(
  kinds: readonly Kind[],
  sizes: readonly SizeClass[],
  candidates: readonly Candidate[],
  read: (file: string) => Buffer,
): Document[] {
  const files = kinds.map((kind) => ofKind(kind, candidates))
  return sizes.flatMap((size) => {
    const byKind = files.map((each) => singles(each, size, read))
    const inTurn = Array.from({ length: size.count }, (_, i) => byKind.flatMap((each) => each.slice(i, i + 1))).flat()
    return inTurn.slice(0, size.count)
  })
}

/** Null where there are no such documents. */
export function selectRow(
  kind: Kind,
  size: SizeClass,
  candidates: readonly Candidate[],
  read: (file: string) => Buffer,
): Row | null {
  const files = ofKind(kind, candidates)
  const single = singles(files, size, read)
  const row = (how: Row['how'], documents: readonly Document[]): Row => ({
    ...{ kind, size, how, documents },
    bytes: documents.reduce((sum, { content }) => sum + content.length, 0),
    fingerprint: hashOf(documents.map(({ content }) => hashOf(content)).join()).slice(0, FINGERPRINT_LENGTH),
  })
  if (single.length > 0) return row('single', single)
  const part = kind.isCut ? cut(files, size, read) : null
  if (part !== null) return row('cut', [part])
  const whole = kind.isJoined ? joined(files, size, read) : null
  return whole === null ? null : row('joined', [whole])
}
