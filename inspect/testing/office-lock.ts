/** Encrypts Office packages for tests, as Office 2007 (standard) and 2010 (agile) do. */

import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
import { writeOle } from './ole-writer.ts'

export const VELVET = 'VelvetSweatshop'

interface AgilePlan {
  password?: string
  hash?: 'SHA1' | 'SHA256' | 'SHA384' | 'SHA512'
  keyBits?: 128 | 192 | 256
  rounds?: number
  /** Declared size of the package. */
  size?: number
  /** Bytes after the package. */
  slack?: number
  /** Changes the XML before it is written. */
  edit?: (xml: string) => string
}

interface StandardPlan {
  password?: string
  keyBits?: 128 | 192 | 256
  major?: 2 | 3 | 4
  size?: number
  /** Changes the stream EncryptionInfo before it is written. */
  edit?: (info: Buffer) => Buffer
}

const ALGORITHM = { 128: 0x660e, 192: 0x660f, 256: 0x6610 }

export function lockAgile(content: Uint8Array, plan: AgilePlan = {}): Buffer {
  const { info, encrypted } = agileStreams(content, plan)
  return writeOle({ streams: { EncryptionInfo: info, EncryptedPackage: encrypted } })
}

export function agileStreams(content: Uint8Array, plan: AgilePlan = {}): { info: Buffer; encrypted: Buffer } {
  const { hash = 'SHA512', keyBits = 256, rounds = 1000, edit = (xml: string) => xml } = plan
  const digest = (...parts: Uint8Array[]): Buffer => createHash(hash).update(Buffer.concat(parts)).digest()
  const [salt, keySalt, verifier] = [randomBytes(16), randomBytes(16), randomBytes(16)]
  const key = randomBytes(keyBits / 8)

  let stretched = digest(keySalt, Buffer.from(plan.password ?? VELVET, 'utf16le'))
  for (let i = 0; i < rounds; i++) stretched = digest(uint32(i), stretched)
  const seal = (purpose: string, data: Uint8Array): string => {
    const derived = Buffer.concat([digest(stretched, Buffer.from(purpose, 'hex')), Buffer.alloc(32, 0x36)])
    return cbc(derived.subarray(0, keyBits / 8), keySalt, data).toString('base64')
  }

  const plain = Buffer.concat([content, Buffer.alloc(plan.slack ?? 0)])
  const segments: Buffer[] = []
  for (let i = 0; i * 4096 < plain.length; i++)
    segments.push(cbc(key, digest(salt, uint32(i)).subarray(0, 16), plain.subarray(i * 4096, (i + 1) * 4096)))
  const encrypted = Buffer.concat([uint64(plan.size ?? content.length), ...segments])

  const hmacKey = randomBytes(digest().length)
  const hmac = createHmac(hash, hmacKey).update(encrypted).digest()
  const integrity = (purpose: string, data: Buffer): string =>
    cbc(key, digest(salt, Buffer.from(purpose, 'hex')).subarray(0, 16), data).toString('base64')
  const common = `saltSize="16" blockSize="16" keyBits="${keyBits}" hashSize="${digest().length}" cipherAlgorithm="AES" cipherChaining="ChainingModeCBC" hashAlgorithm="${hash}"`
  const xml = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n',
    '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption"',
    ' xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<keyData ${common} saltValue="${salt.toString('base64')}"/>`,
    `<dataIntegrity encryptedHmacKey="${integrity('5fb2ad010cb9e1f6', hmacKey)}"`,
    ` encryptedHmacValue="${integrity('a0677f02b22c8433', hmac)}"/>`,
    '<keyEncryptors><keyEncryptor uri="http://schemas.microsoft.com/office/2006/keyEncryptor/password">',
    `<p:encryptedKey spinCount="${rounds}" ${common} saltValue="${keySalt.toString('base64')}"`,
    ` encryptedVerifierHashInput="${seal('fea7d2763b4b9e79', verifier)}"`,
    ` encryptedVerifierHashValue="${seal('d7aa0f6d3061344e', digest(verifier))}"`,
    ` encryptedKeyValue="${seal('146e0be7abacd0d6', key)}"/>`,
    '</keyEncryptor></keyEncryptors></encryption>',
  ].join('')
  return { info: Buffer.concat([Buffer.from('0400040040000000', 'hex'), Buffer.from(edit(xml))]), encrypted }
}

export function lockStandard(content: Uint8Array, plan: StandardPlan = {}): Buffer {
  const { keyBits = 128, major = 3, edit = (info: Buffer) => info } = plan
  const sha1 = (...parts: Uint8Array[]): Buffer => createHash('sha1').update(Buffer.concat(parts)).digest()
  const verifier = randomBytes(16)
  const secret = Buffer.concat([sha1(stretchedStandard(plan.password ?? VELVET), uint32(0)), Buffer.alloc(44)])
  const halves = [0x36, 0x5c].map((filling) => sha1(secret.map((byte) => byte ^ filling)))
  const key = Buffer.concat(halves).subarray(0, keyBits / 8)

  const provider = Buffer.from('Microsoft Enhanced RSA and AES Cryptographic Provider\0', 'utf16le')
  const flags = uint32(0x24)
  const header = [flags, 0, ALGORITHM[keyBits], 0x8004, keyBits, 0x18, 0, 0].map((field) =>
    typeof field === 'number' ? uint32(field) : field,
  )
  const info = Buffer.concat([
    Buffer.from([major, 0, 2, 0]),
    flags,
    uint32(32 + provider.length),
    ...header,
    provider,
    uint32(16),
    STANDARD_SALT,
    ecb(key, verifier),
    uint32(20),
    ecb(key, sha1(verifier)),
  ])
  const encrypted = Buffer.concat([uint64(plan.size ?? content.length), ecb(key, content)])
  return writeOle({ streams: { EncryptionInfo: edit(info), EncryptedPackage: encrypted } })
}

const STANDARD_SALT = randomBytes(16)
const standardSecrets = new Map<string, Buffer>()

/** Kept, because 50,000 rounds for each document would take most of a suite's time. */
function stretchedStandard(password: string): Buffer {
  let secret = standardSecrets.get(password)
  if (secret) return secret
  const sha1 = (...parts: Uint8Array[]): Buffer => createHash('sha1').update(Buffer.concat(parts)).digest()
  secret = sha1(STANDARD_SALT, Buffer.from(password, 'utf16le'))
  for (let i = 0; i < 50_000; i++) secret = sha1(uint32(i), secret)
  standardSecrets.set(password, secret)
  return secret
}

function cbc(key: Uint8Array, vector: Uint8Array, data: Uint8Array): Buffer {
  return sealed(createCipheriv(`aes-${key.length * 8}-cbc`, key, vector), data)
}

function ecb(key: Uint8Array, data: Uint8Array): Buffer {
  return sealed(createCipheriv(`aes-${key.length * 8}-ecb`, key, null), data)
}

function sealed(cipher: ReturnType<typeof createCipheriv>, data: Uint8Array): Buffer {
  cipher.setAutoPadding(false)
  const filling = Buffer.alloc((16 - (data.length % 16)) % 16)
  return Buffer.concat([cipher.update(Buffer.concat([data, filling])), cipher.final()])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
