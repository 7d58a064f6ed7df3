/** Names that the content of a PDF page uses: fonts, forms and pictures, states, colours and layers. */

import { ownOf } from '#inspect/core/own.ts'
import type { PdfDocument } from '../active/document.ts'
import { createValueReader, type PdfDictionary, type PdfValue } from '../syntax/value-tree.ts'
import type { PdfFont } from './fonts.ts'
import { IDENTITY, type Matrix } from './geometry.ts'
import type { GraphicsState } from './graphics.ts'
import { isHiddenLayer } from './layers.ts'

export interface Resources {
  document: PdfDocument
  fontOf(name: string): PdfDictionary | null
  /** What a state changes. */
  stateOf(name: string): Partial<GraphicsState>
  /** How many numbers a colour of the space has; 0 if it is unknown. */
  partsOf(name: string): number
  isLayerOff(name: string): boolean
  objectOf(name: string): DrawnObject | null
  streamOf(values: readonly PdfValue[]): Uint8Array | null
  /** Those that were read, for all pages. */
  fonts: Map<string, PdfFont>
}

interface DrawnObject {
  /** null: a picture. */
  form: Uint8Array | null
  matrix: Matrix
  resources: Resources | null
  isLayerOff: boolean
  /** A picture through which nothing is seen. */
  isSolid: boolean
}

export interface StoredStream {
  values: ReadonlyMap<string, readonly string[]>
  /** null: a picture, or more than is kept. */
  bytes: Uint8Array | null
}

interface Store {
  document: PdfDocument
  streams: ReadonlyMap<number, StoredStream>
  /** Numbers of the layers that are not shown. */
  layersOff: ReadonlySet<number>
  fonts: Map<string, PdfFont>
}

const numberOf = (value: PdfValue | undefined): number => (value?.kind === 'other' ? Number(value.text) : Number.NaN)

export function createResources(values: readonly PdfValue[], store: Store): Resources {
  const { document, streams, layersOff } = store
  const groups = document.dictionaries(values).slice(-1)
  const entryOf = (group: string, name: string): readonly PdfValue[] =>
    groups
      .flatMap(({ entries }) => document.dictionaries(entries.get(group)))
      .flatMap(({ entries }) => entries.get(name) ?? [])
  const isOff = (found: readonly PdfValue[]): boolean => isHiddenLayer(found, layersOff, document)
  return {
    document,
    fonts: store.fonts,
    fontOf: (name) => document.dictionaries(entryOf('Font', name)).at(-1) ?? null,
    stateOf: (name) => stateOf(document.dictionaries(entryOf('ExtGState', name)).at(-1), document),
    partsOf: (name) => partsOf(name) ?? partsOfSpace(entryOf('ColorSpace', name), document, streams),
    isLayerOff: (name) => isOff(entryOf('Properties', name)),
    streamOf: (found) => streams.get(document.numbers(found)[0] ?? Number.NaN)?.bytes ?? null,
    objectOf(name) {
      const stream = streams.get(document.numbers(entryOf('XObject', name))[0] ?? Number.NaN)
      if (stream === undefined) return null
      const read = (key: string): PdfValue[] =>
        (stream.values.get(key) ?? []).map((source) => createValueReader(source, null).valueAt(0))
      const isForm = (stream.values.get('Subtype') ?? []).some((subtype) => subtype.startsWith('/Form'))
      const own = read('Resources')
      return {
        form: isForm ? (stream.bytes ?? new Uint8Array()) : null,
        matrix: matrixOf(read('Matrix')[0], document),
        resources: own.length > 0 ? createResources(own, store) : null,
        isLayerOff: isOff(read('OC')),
        isSolid: !isForm && !TRANSPARENT.some((key) => stream.values.has(key)),
      }
    },
  }
}

/** Entries of pictures that are seen through. */
const TRANSPARENT = ['SMask', 'Mask', 'ImageMask', 'SMaskInData']

function matrixOf(value: PdfValue | undefined, document: PdfDocument): Matrix {
  const [found] = value === undefined ? [] : document.resolve(value)
  const numbers = found?.kind === 'list' ? found.items.map(numberOf) : []
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers
  return numbers.length === 6 && !numbers.some(Number.isNaN) ? [a, b, c, d, e, f] : IDENTITY
}

function stateOf(state: PdfDictionary | undefined, document: PdfDocument): Partial<GraphicsState> {
  if (state === undefined) return {}
  const alpha = numberOf((state.entries.get('ca') ?? []).flatMap(document.resolve).at(-1))
  const modes = document.names(state.entries.get('BM'))
  return {
    ...(!Number.isNaN(alpha) && { alpha }),
    ...(modes.length > 0 && { isPlain: modes.some((mode) => mode === 'Normal' || mode === 'Compatible') }),
  }
}

const DEVICES: Readonly<Record<string, number>> = {
  DeviceGray: 1,
  CalGray: 1,
  DeviceRGB: 3,
  CalRGB: 3,
  DeviceCMYK: 4,
}

const partsOf = (name: string): number | null => ownOf(DEVICES, name) ?? null

function partsOfSpace(
  values: readonly PdfValue[],
  document: PdfDocument,
  streams: ReadonlyMap<number, StoredStream>,
): number {
  const [space] = values.flatMap(document.resolve)
  if (space?.kind === 'name') return partsOf(space.name) ?? 0
  const [kind, profile] = space?.kind === 'list' ? space.items : []
  if (kind?.kind !== 'name') return 0
  if (kind.name !== 'ICCBased' || profile === undefined) return partsOf(kind.name) ?? 0
  const declared = streams.get(document.numbers([profile])[0] ?? Number.NaN)?.values.get('N')?.[0]
  return Number(declared ?? 0)
}
