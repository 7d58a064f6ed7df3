/** Writes password-protected workbooks and documents of Office 95 to 2003 for tests. */

import { createHash, randomBytes } from 'node:crypto'
import { rc4 } from '#inspect/core/rc4.ts'
import { VELVET } from './office-lock.ts'

export interface BookPlan {
  method: 'xor' | 'rc4' | 'cryptoApi'
  password?: string
  /** Of RC4: the bytes with one key. */
  blockBytes?: number
  /** For CryptoAPI RC4. */
  keyBits?: number
  lock?: CryptoApiLock
  version?: 5 | 8
  /** Unencrypted records before the FilePass. */
  before?: readonly Buffer[]
  sheets?: number
  /** Declared sheet offsets, if wrong. */
  astray?: number
  /** Changes the data of the FilePass. */
  edit?: (pass: Buffer) => Buffer
}

const PLAIN = [0x0809, 0x002f, 0x0194, 0x0195, 0x00e1, 0x0196, 0x0138]
const BOUND_SHEET = 0x85

/** A workbook with the content in one record of its last sheet. */
export function lockBook(content: string | Uint8Array, plan: BookPlan): Buffer {
  return bookStreams(content, plan).locked
}

export function bookStreams(content: string | Uint8Array, plan: BookPlan): { plain: Buffer; locked: Buffer } {
  const { version = 8, before = [], sheets = 1, astray = 0, edit = (pass: Buffer) => pass } = plan
  const { pass, seal } = METHODS[plan.method](plan)
  const beginning = record(0x0809, Buffer.from([0, version === 5 ? 5 : 6, 5, 0, 0, 0, 0, 0]))
  const end = record(0x0a, Buffer.alloc(0))
  const heads = [beginning, ...before, record(0x2f, edit(pass)), record(0xe1, Buffer.from('b004', 'hex'))]
  const bound = (place: number): Buffer => record(BOUND_SHEET, Buffer.concat([uint32(place), Buffer.from('Sheet')]))
  const sheet = (data: string | Uint8Array): Buffer[] => [beginning, record(0xec, Buffer.from(data)), end]
  const globals = Buffer.concat([...heads, ...Array<Buffer>(sheets).fill(bound(0)), end]).length
  const empty = Buffer.concat(sheet('')).length
  const places = Array.from({ length: sheets }, (_, i) => bound(globals + i * empty + astray))
  const others = Array.from({ length: sheets - 1 }, () => sheet('')).flat()
  const plain = Buffer.concat([...heads, ...places, end, ...others, ...sheet(content)])
  return { plain, locked: encrypt(plain, Buffer.concat([beginning, ...before]).length, seal) }
}

type Seal = (book: Buffer, from: number, to: number, recordBytes: number) => void

function encrypt(plain: Buffer, passAt: number, seal: Seal): Buffer {
  const book = Buffer.from(plain)
  for (let at = passAt; at < plain.length; at += 4 + plain.readUInt16LE(at + 2)) {
    const id = plain.readUInt16LE(at)
    const bytes = plain.readUInt16LE(at + 2)
    if (!PLAIN.includes(id)) seal(book, at + 4 + (id === BOUND_SHEET ? 4 : 0), at + 4 + bytes, bytes)
  }
  return book
}

/** Key and verifier that Excel stores for a password. */
const XOR_HEADERS: Readonly<Record<string, string>> = { [VELVET]: '59b30a9a', abc: '4a511acc' }

const METHODS: Record<BookPlan['method'], (plan: BookPlan) => { pass: Buffer; seal: Seal }> = {
  xor({ version = 8, password = VELVET }) {
    const stored = Buffer.from(XOR_HEADERS[password] ?? '', 'hex')
    const letters = Buffer.concat(
      [Buffer.from(password, 'latin1'), Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex')],
      16,
    )
    const mask = letters.map((byte, i) => rotateRight(byte ^ stored.readUInt8(i % 2), 6))
    const seal: Seal = (book, from, to, bytes) => {
      for (let at = from; at < to; at++) book[at] = rotateRight((book[at] ?? 0) ^ (mask[(at + bytes) % 16] ?? 0), 3)
    }
    return { pass: version === 5 ? stored : Buffer.concat([Buffer.alloc(2), stored]), seal }
  },
  rc4({ password = VELVET, blockBytes }) {
    const [salt, verifier] = [randomBytes(16), randomBytes(16)]
    const short = hash('md5', Buffer.from(password, 'utf16le')).subarray(0, 5)
    const rounds = Array.from({ length: 16 }, () => [short, salt]).flat()
    const secret = hash('md5', ...rounds).subarray(0, 5)
    const keyOf = (block: number): Buffer => hash('md5', secret, uint32(block))
    const sealed = rc4(keyOf(0), Buffer.concat([verifier, hash('md5', verifier)]))
    return {
      pass: Buffer.concat([Buffer.from('010001000100', 'hex'), salt, sealed]),
      seal: sealBlocks(keyOf, blockBytes),
    }
  },
  cryptoApi({ blockBytes, ...plan }) {
    const { header, keyOf } = plan.lock ?? cryptoApiLock(plan)
    return { pass: Buffer.concat([Buffer.from('0100', 'hex'), header]), seal: sealBlocks(keyOf, blockBytes) }
  },
}

interface CryptoApiLock {
  /** Begins with the version. */
  header: Buffer
  keyOf(block: number): Buffer
}

/** [MS-OFFCRYPTO] 2.3.5. */
export function cryptoApiLock({
  password = VELVET,
  keyBits = 128,
}: Pick<BookPlan, 'password' | 'keyBits'>): CryptoApiLock {
  const [salt, verifier] = [randomBytes(16), randomBytes(16)]
  const secret = hash('sha1', salt, Buffer.from(password, 'utf16le'))
  const keyOf = (block: number): Buffer => {
    const key = hash('sha1', secret, uint32(block)).subarray(0, (keyBits || 40) / 8)
    return key.length === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key
  }
  const sealed = rc4(keyOf(0), Buffer.concat([verifier, hash('sha1', verifier)]))
  const provider = Buffer.from('Microsoft Enhanced Cryptographic Provider v1.0\0', 'utf16le')
  const fields = [4, 0, 0x6801, 0x8004, keyBits, 1, 0, 0].map(uint32)
  const parts = [uint32(4), uint32(32 + provider.length), ...fields, provider, uint32(16), salt]
  const check = [sealed.subarray(0, 16), uint32(20), sealed.subarray(16)]
  return { header: Buffer.concat([Buffer.from('02000200', 'hex'), ...parts, ...check]), keyOf }
}

interface PropertyPlan {
  /** By name, in Latin-1. */
  streams: Readonly<Record<string, string>>
  /** The number of streams that the list declares, if wrong. */
  count?: number
  isStorage?: boolean
}

/** The stream of encrypted properties ([MS-OFFCRYPTO] 2.3.5.4). */
export function lockProperties({ streams, count, isStorage = false }: PropertyPlan, lock: CryptoApiLock): Buffer {
  const contents = Object.entries(streams)
  let at = 8
  const data: Buffer[] = []
  const list = contents.map(([name, text], index) => {
    const bytes = Buffer.from(text, 'latin1')
    data.push(rc4(lock.keyOf(index + 1), bytes))
    const place = [uint32(at), uint32(bytes.length), Buffer.from([index + 1, 0, name.length, isStorage ? 0 : 1])]
    at += bytes.length
    return Buffer.concat([...place, uint32(0), Buffer.from(`${name}\0`, 'utf16le')])
  })
  const described = Buffer.concat([uint32(count ?? contents.length), ...list])
  const head = rc4(lock.keyOf(0), Buffer.concat([uint32(at), uint32(described.length)]))
  return Buffer.concat([head, ...data, rc4(lock.keyOf(0), described)])
}

/** Encrypts byte by byte with the key of each block. */
function sealBlocks(keyOf: (block: number) => Buffer, blockBytes = 1024): Seal {
  const streams = new Map<number, Buffer>()
  return (book, from, to) => {
    for (let at = from; at < to; at++) {
      const block = Math.floor(at / blockBytes)
      const stream = streams.get(block) ?? rc4(keyOf(block), Buffer.alloc(blockBytes))
      streams.set(block, stream)
      book[at] = (book[at] ?? 0) ^ (stream[at % blockBytes] ?? 0)
    }
  }
}

/** The streams of a Word document with these contents, in Latin-1. */
export function lockWord(contents: Readonly<Record<string, string>>, plan: BookPlan): Record<string, Buffer> {
  const { pass, seal } = METHODS[plan.method]({ ...plan, blockBytes: 512 })
  return wordStreams(contents, plan.method === 'xor' ? sealWordXor(plan.password ?? VELVET) : { pass, seal })
}

function wordStreams(contents: Readonly<Record<string, string>>, { pass, seal, flags = 0 }: WordLock) {
  const header = Buffer.alloc(68)
  header.writeUInt16LE(0xa5ec, 0)
  header.writeUInt16LE(0x0300 | flags, 10)
  if (flags !== 0) pass.copy(header, 14)
  // The text is in one piece.
  header.writeUInt32LE(68, 0x18)
  header.writeUInt32LE(68 + 900, 0x1c)
  const filled = (name: string) => Buffer.from((contents[name] ?? '').padEnd(900), 'latin1')
  const sealed = (head: Buffer, name: string): Buffer => {
    const stream = Buffer.concat([head, filled(name)])
    seal(stream, head.length, stream.length, 0)
    return stream
  }
  // Under RC4 the table begins with the header of the encryption, after its type in a workbook.
  return {
    WordDocument: sealed(header, 'WordDocument'),
    '1Table': sealed(flags === 0 ? pass.subarray(2) : Buffer.alloc(0), '1Table'),
    Data: sealed(Buffer.alloc(0), 'Data'),
  }
}

interface WordLock {
  pass: Buffer
  seal: Seal
  flags?: number
}

/** Method 2 of [MS-OFFCRYPTO] 2.3.7. */
function sealWordXor(password: string): WordLock {
  const stored = Buffer.from(XOR_HEADERS[password] ?? '', 'hex')
  const padding = Buffer.from('bbffffbaffffb98000be0f00bf0f00', 'hex')
  const letters = Buffer.concat([Buffer.from(password, 'latin1').subarray(0, 15), padding], 16)
  const mask = letters.map((byte, i) => rotateRight(byte ^ stored.readUInt8(i % 2), 1))
  const seal: Seal = (stream, from, to) => {
    for (let at = from; at < to; at++) {
      const [byte, key] = [stream[at] ?? 0, mask[at % 16] ?? 0]
      if (byte !== 0 && byte !== key) stream[at] = byte ^ key
    }
  }
  return { pass: Buffer.concat([stored.subarray(2), stored.subarray(0, 2)]), seal, flags: 0x8000 }
}

export function record(id: number, data: Uint8Array): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt16LE(id, 0)
  header.writeUInt16LE(data.length, 2)
  return Buffer.concat([header, data])
}

function hash(name: string, ...parts: Uint8Array[]): Buffer {
  return createHash(name).update(Buffer.concat(parts)).digest()
}

function rotateRight(byte: number, bits: number): number {
  return ((byte >> bits) | (byte << (8 - bits))) & 0xff
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
