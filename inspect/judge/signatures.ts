/** Texts and bytes by which any stream of a document is judged, whatever its format. */

import { createHash } from 'node:crypto'
import type { Definition } from '#inspect/catalogue/definition.ts'
import { PROGRAMS } from '#inspect/catalogue/programs.ts'
import { RTF } from '#inspect/catalogue/rtf.ts'
import { WEB } from '#inspect/catalogue/web.ts'
import type { Conclusion } from '#inspect/core/conclusion.ts'
import type { DataScope } from '#inspect/core/format.ts'
import type { LiteralScan } from '#inspect/core/literal-scan.ts'
import { type Mark, mark } from '#inspect/core/marks.ts'

/** All of these marks are in the stream. */
interface Signature {
  definition: Definition
  marks: readonly Mark[]
  /** Not in compound files and their binary streams, where Word keeps similar bytes. Files in them are streams of their own. */
  isFileOnly?: true
}

/** Of the version, which must change with every text, but not with the ids, which depend on what was loaded before. */
const texts = new Map<Mark, readonly string[]>()

function signature(literals: readonly string[], { ignoresCase = false } = {}): Mark {
  const made = mark(literals, { ignoresCase })
  texts.set(made, [...literals, `${ignoresCase}`])
  return made
}

const bytes = (digits: string): string => Buffer.from(digits.replaceAll(' ', ''), 'hex').toString('latin1')
const wide = (text: string): string => [...text].map((character) => `${character}\0`).join('')

const PROGRAM = 'TVqQAAMAAAAEAAAA//8AALgAAAA'
const ENCODED = signature([PROGRAM])
const ENCODED_ANYHOW = signature([PROGRAM, wide(PROGRAM)])
const DOWNLOAD = [
  signature(['data:application/'], { ignoresCase: true }),
  signature(['download'], { ignoresCase: true }),
]
const SAVES = signature(['createObjectURL', 'msSaveOrOpenBlob', 'msSaveBlob', 'atob('], { ignoresCase: true })

const SIGNATURES: readonly Signature[] = [
  {
    // Partly in hexadecimal, so that scanners do not report this file.
    definition: PROGRAMS.eicar,
    marks: [signature([`\x58\x35\x4f!P%@AP[4\\PZX54(P^)7CC)7}$\x45ICAR-STANDARD-\x41NTIVIRUS-TEST-FILE!$H+H*`])],
  },
  {
    // The code that prints the message, and its beginning: "This program ".
    definition: PROGRAMS.start,
    marks: [signature([bytes('0E 1F BA 0E 00 B4 09 CD 21 B8 01 4C CD 21 54 68 69 73 20 70 72 6F 67 72 61 6D 20')])],
  },
  {
    definition: RTF.rtfProgram,
    marks: [signature(['\\objdata']), signature(['4d5a90000300000004000000ffff0000'], { ignoresCase: true })],
  },
  { definition: PROGRAMS.encoded, marks: [ENCODED_ANYHOW] },
  { definition: WEB.smuggling, marks: [ENCODED, SAVES] },
  { definition: WEB.smuggling, marks: [ENCODED, ...DOWNLOAD] },
  {
    definition: PROGRAMS.shortcut,
    marks: [signature([bytes('4C 00 00 00 01 14 02 00 00 00 00 00 C0 00 00 00 00 00 00 46')])],
    isFileOnly: true,
  },
]

export const SIGNATURE_COUNT = new Set(SIGNATURES.map(({ definition }) => definition.id)).size

/** Changes whenever a signature changes. */
export const SIGNATURES_VERSION = createHash('sha256')
  .update(
    JSON.stringify(
      SIGNATURES.map(({ marks, ...others }) => ({ ...others, marks: marks.map((each) => texts.get(each)) })),
    ),
  )
  .digest('hex')
  .slice(0, 12)

/** Reports the signatures that a stream contains. */
export function reportSignatures(
  path: readonly string[],
  ids: ReturnType<LiteralScan>,
  scope: DataScope,
  conclusion: Pick<Conclusion, 'addFinding'>,
): void {
  for (const { definition, marks, isFileOnly } of SIGNATURES) {
    if ((isFileOnly && scope !== 'file') || !marks.every(({ id }) => ids.has(id))) continue
    const { id, severity, title, reason, technique } = definition
    conclusion.addFinding({ id, severity, title, reason, technique, path, detail: null })
  }
}
