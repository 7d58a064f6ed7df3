/** Harmless documents for tests of programs: one for each outcome of a scan. */
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export interface Sample {
  name: string
  type: string
  status: number
  /** The verdict, or the code of the problem. */
  outcome: string
  about: string
  bytes: Buffer
}

/** The test file that every scanner reports (eicar.org), in pieces so that this file does not contain it. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE!$H+H*'].join('')
/** A picture of one point. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const ZIP = 'application/zip'
/** More than an archive may have inside each other. */
const LEVELS = 40
/** As many pages as take an average worker some hundred milliseconds. */
const PAGES = 1_000

/** An archive whose members are not compressed. */
function zip(members: readonly (readonly [name: string, content: string | Buffer])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [name, content] of members) {
    const bytes = Buffer.from(content)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    // The first of January 1980.
    common.writeUInt16LE(0x21, 8)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(bytes.length, 14)
    common.writeUInt32LE(bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), bytes])
    directory.push(Buffer.from('PK\x01\x02\x14\0'), common, place, Buffer.from(name))
    parts.push(local)
    offset += local.length
  }
  const listed = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(listed.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, listed, end])
}

function pdf(objects: readonly string[], trailer = ''): Buffer {
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(
    `${text}${table}trailer\n<< /Size ${size} /Root 1 0 R${trailer} >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

const PAGE = [
  '<< /Type /Catalog /Pages 2 0 R >>',
  '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
  '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>',
]
const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
const streamOf = (text: string): string => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`
const cleanPdf = (): Buffer => pdf([...PAGE, streamOf('BT /F 18 Tf 30 150 Td (A clean sample) Tj ET'), FONT])

/** Needs a password that nobody knows. */
function encryptedPdf(): Buffer {
  const noise = hash('sha256', 'nobody knows')
  const handler = `<< /Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <${noise}> /U <${noise}> >>`
  return pdf([...PAGE, streamOf(noise.slice(0, 16)), FONT, handler], ` /Encrypt 6 0 R /ID [<${noise}> <${noise}>]`)
}

function nestedZip(): Buffer {
  let inner = zip([['note.txt', 'The innermost of many archives.\n']])
  for (let level = 1; level < LEVELS; level++) inner = zip([[`level-${level}.zip`, inner]])
  return inner
}

const pageOf = (at: number): string =>
  `<!doctype html><title>Page ${at}</title><p>Page ${at} of many.</p><script>var page${at} = ${at}</script>`
const manyPages = (): Buffer => zip(Array.from({ length: PAGES }, (_, at) => [`page-${at}.html`, pageOf(at)] as const))

/** Without its end, in which an archive lists its members. */
const damagedZip = (): Buffer => zip([['letter.txt', 'Good morning\n']]).subarray(0, -40)

const SPECIFIED: [Omit<Sample, 'bytes'>, make: () => Buffer][] = [
  [
    {
      name: 'clean.pdf',
      type: 'application/pdf',
      status: 200,
      outcome: 'clean',
      about: 'A page with one line of text.',
    },
    cleanPdf,
  ],
  [
    {
      ...{ name: 'infected.zip', type: ZIP, status: 200, outcome: 'infected' },
      about: 'The EICAR test file in an archive: harmless, and reported by every scanner.',
    },
    () => zip([['invoice.txt', EICAR]]),
  ],
  [
    {
      ...{ name: 'encrypted.pdf', type: 'application/pdf', status: 422, outcome: 'encrypted_document' },
      about: 'Needs a password that nobody knows.',
    },
    encryptedPdf,
  ],
  [
    {
      ...{ name: 'too-complex.zip', type: ZIP, status: 422, outcome: 'document_too_complex' },
      about: `${LEVELS} archives inside each other.`,
    },
    nestedZip,
  ],
  [
    {
      ...{ name: 'damaged.zip', type: ZIP, status: 422, outcome: 'damaged_document' },
      about: 'An archive that was cut off.',
    },
    damagedZip,
  ],
  [
    {
      ...{ name: 'picture.png', type: 'image/png', status: 415, outcome: 'unsupported_content_type' },
      about: 'Not a document.',
    },
    () => Buffer.from(PNG, 'base64'),
  ],
  [
    {
      ...{ name: 'slow.zip', type: ZIP, status: 200, outcome: 'clean' },
      about: `${PAGES.toLocaleString('en-US')} pages, which take many times as long as one.`,
    },
    manyPages,
  ],
]

export const SAMPLE_NAMES: readonly string[] = SPECIFIED.map(([{ name }]) => name)

export const createSamples = (): Sample[] => SPECIFIED.map(([sample, make]) => ({ ...sample, bytes: make() }))
