/** The kinds of documents that people send, where real ones are found, and what each may cost. */

export interface SizeClass {
  name: string
  /** Of one file. */
  from: number
  to: number
  /** Files of this size that are measured. */
  count: number
}

export interface Kind {
  name: string
  /** Matches the name of a file. */
  files: RegExp
  sizes: readonly SizeClass[]
  /** Where no single file is that large, several are joined. */
  isJoined?: boolean
  /** Where no single file is that small, the beginning of a larger one is measured. */
  isCut?: boolean
  /** The most CPU time as a multiple of clamd's without its image hash. */
  ratioMax: (size: SizeClass) => number
}

const size = (name: string, about: number, count: number): SizeClass => ({
  name,
  from: about * 0.7,
  to: about * 1.4,
  count,
})

const TEXT_SIZES = [size('10KB', 1e4, 16), size('100KB', 1e5, 8), size('1MB', 1e6, 3), size('10MB', 1e7, 1)]
const LARGE: SizeClass = { name: 'over-500KB', from: 500_000, to: 1_600_000, count: 8 }
const DOCUMENT_SIZES: readonly SizeClass[] = [
  { name: 'to-100KB', from: 5_000, to: 100_000, count: 24 },
  { name: 'to-500KB', from: 100_000, to: 500_000, count: 12 },
  LARGE,
]

const document = (name: string, files: RegExp, ratio = 1, ratioOfLarge = ratio): Kind => ({
  name,
  files,
  sizes: DOCUMENT_SIZES,
  ratioMax: (of) => (of === LARGE ? ratioOfLarge : ratio),
})

const text = (name: string, files: RegExp, ratio = 1): Kind => ({
  name,
  files,
  sizes: TEXT_SIZES,
  isJoined: true,
  ratioMax: () => ratio,
})

export const KINDS: readonly Kind[] = [
  document('pdf', /\.pdf$/i, 0.9, 1.2),
  document('docx', /\.(?:docx|docm|dotx|dotm)$/i),
  document('xlsx', /\.(?:xlsx|xlsm|xltx)$/i),
  document('pptx', /\.(?:pptx|pptm|potx|ppsx)$/i),
  document('doc', /\.(?:doc|dot)$/i),
  document('xls', /\.xls$/i),
  document('ppt', /\.(?:ppt|pps)$/i),
  document('msg', /\.msg$/i),
  document('rtf', /\.rtf$/i, 2),
  document('eml', /\.eml$/i),
  document('svg', /\.svg$/i),
  text('html', /\.(?:html?|testhtml)$/i),
  text('csv', /\.csv$/i),
  text('json', /\.json$/i),
  text('prose', /(?:\.(?:txt|rst)|^(?:copyright|README|NEWS|AUTHORS|LICENSE))$/),
  text('markdown', /\.md$/i),
  { ...text('logs', /(?:\.log|^status|^available)$/), isCut: true },
  // Where no call could start a program at most 1.5; else 1.3 times the parser alone.
  text('javascript', /\.(?:js|cjs|mjs)$/, 1.5),
  text('typescript', /\.(?:ts|mts|cts)$/),
  text('python', /\.py$/),
  text('c-headers', /\.(?:h|hpp)$/),
  text('perl', /\.(?:pl|pm)$/),
  text('go', /\.go$/),
]

/** The cost of a MB at the larger size may be this many times that at the smaller. */
export const GROWTH_MAX = 1.5
export const growthSizes = (kind: Kind): readonly [string, string] =>
  kind.sizes === TEXT_SIZES ? ['100KB', '10MB'] : ['to-500KB', 'over-500KB']

/** How many documents of which size a group of the service has, from small to large. */
export const MIX: readonly SizeClass[] = [
  { name: 'to 20 KB', from: 4_000, to: 20_000, count: 22 },
  { name: 'to 100 KB', from: 20_000, to: 100_000, count: 22 },
  { name: 'to 500 KB', from: 100_000, to: 500_000, count: 13 },
  { name: 'over 500 KB', from: 500_000, to: 1_600_000, count: 3 },
]

export interface Group {
  name: string
  kinds: readonly string[]
  /** The least throughput as a multiple of clamd's, with both engines and without clamd. */
  withClamd: number
  alone: number
}

export const GROUPS: readonly Group[] = [
  { name: 'pdf', kinds: ['pdf'], withClamd: 0.55, alone: 1.2 },
  { name: 'office', kinds: ['docx', 'xlsx', 'pptx'], withClamd: 0.78, alone: 3 },
  { name: 'older-office', kinds: ['doc', 'xls', 'ppt'], withClamd: 0.6, alone: 1.6 },
  { name: 'text', kinds: ['prose', 'markdown', 'html', 'csv', 'json', 'logs'], withClamd: 0.5, alone: 1 },
  {
    name: 'code',
    kinds: ['javascript', 'typescript', 'python', 'c-headers', 'perl', 'go'],
    withClamd: 0.3,
    alone: 0.4,
  },
]
