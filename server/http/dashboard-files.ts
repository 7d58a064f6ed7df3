/** The files of the dashboard that `npm run build` writes, kept in memory. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { etagOf } from './etag.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** Best first. The build compresses at the highest level, once. */
const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

type EncodingName = (typeof ENCODINGS)[number]['name'] | 'identity'

interface Variant {
  encoding: EncodingName
  body: Buffer
  etag: string
}

export interface DashboardFile {
  type: string
  /** Best first; the last one is not compressed. */
  variants: readonly Variant[]
}

/** By path relative to the build, such as `assets/index-7C-awBvj.css`. Null without a complete build. */
export function readDashboard(folder: string): ReadonlyMap<string, DashboardFile> | null {
  if (!existsSync(path.join(folder, 'index.html'))) return null
  const names = globSync('**/*', { cwd: folder }).filter((name) => TYPES[path.extname(name)] !== undefined)
  return new Map(names.map((name) => [name, readFile(folder, name)]))
}

function readFile(folder: string, name: string): DashboardFile {
  const file = path.join(folder, name)
  const compressed = ENCODINGS.filter(({ suffix }) => existsSync(file + suffix)).map(({ name: encoding, suffix }) =>
    variant(encoding, readFileSync(file + suffix)),
  )
  return {
    type: TYPES[path.extname(name)] ?? 'application/octet-stream',
    variants: [...compressed, variant('identity', readFileSync(file))],
  }
}

const variant = (encoding: EncodingName, body: Buffer): Variant => ({ encoding, body, etag: etagOf(body) })

/** The best variant that `Accept-Encoding` allows. */
export function chooseVariant({ variants }: DashboardFile, accepted: string | undefined): Variant {
  const isAccepted = ({ encoding }: Variant) => encoding === 'identity' || accepts(accepted ?? '', encoding)
  return variants.find(isAccepted) as Variant
}

function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((one) => {
    const [name = '', quality = ''] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === encoding && !/^q=0(?:\.0*)?$/.test(quality)
  })
}
