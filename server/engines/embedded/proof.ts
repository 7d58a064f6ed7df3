/** The proof that a child works: it finds the test threat, passes a harmless text, and says what it cannot open. */
import { createHash } from 'node:crypto'
import type { Whole } from '#engines/sample.ts'
import type { Child } from './child-process.ts'
import { ProofFailed } from './complaint.ts'
import type { Report } from './report.ts'

const PROOF_MS_MAX = 10_000

/** In pieces, because virus scanners take a file that holds the whole of it for the threat itself. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$', 'EICAR-STANDARD-', 'ANTIVIRUS-TEST-FILE', '!$H+H*'].join('')
const HARMLESS = 'Dear reader,\n\nthis letter is harmless. It is here to be found so.\n'

const CANARIES: readonly { name: string; document: Whole; wrong(report: Report): boolean }[] = [
  {
    name: 'the EICAR test file',
    document: wholeOf(Buffer.from(EICAR)),
    wrong: ({ findings }) => !findings.some(({ severity }) => severity === 'malicious'),
  },
  {
    name: 'a harmless text',
    document: wholeOf(Buffer.from(HARMLESS)),
    wrong: ({ kind, findings, obstacle, bytesInspected }) =>
      kind === null ||
      obstacle !== null ||
      bytesInspected < HARMLESS.length ||
      findings.some(({ severity }) => severity !== 'notice'),
  },
  {
    name: 'an encrypted archive',
    document: wholeOf(encryptedArchive()),
    wrong: ({ obstacle }) => obstacle?.reason !== 'encrypted',
  },
]

/** What is wrong with the child, or null. */
export async function prove(child: Child, signal?: AbortSignal): Promise<ProofFailed | null> {
  for (const { name, document, wrong } of CANARIES) {
    const reply = await child.ask(document, PROOF_MS_MAX, signal)
    if (reply.kind !== 'answered') return new ProofFailed(name, reply.detail)
    if (wrong(reply.answer.report)) return new ProofFailed(name, 'the child gave a wrong answer')
  }
  return null
}

export function wholeOf(bytes: Buffer): Whole {
  return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), chunks: [bytes] }
}

/** A ZIP with one stored member that only says to be encrypted: nothing in it could be opened by anyone. */
function encryptedArchive(): Buffer {
  const name = Buffer.from('letter.txt')
  const data = Buffer.alloc(32, 0xa5)
  const common = Buffer.alloc(26)
  common.writeUInt16LE(20, 0) // version needed
  common.writeUInt16LE(1, 2) // flags: encrypted
  common.writeUInt16LE(0x21, 8) // date: 1980-01-01
  common.writeUInt32LE(0x1234_5678, 10) // CRC of what nobody can see
  common.writeUInt32LE(data.length, 14)
  common.writeUInt32LE(data.length - 12, 18) // without the 12 bytes of the encryption head
  common.writeUInt16LE(name.length, 22)
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, name, data])
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), common, Buffer.alloc(14), name])
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(1, 8)
  end.writeUInt16LE(1, 10)
  end.writeUInt32LE(central.length, 12)
  end.writeUInt32LE(local.length, 16)
  return Buffer.concat([local, central, end])
}
