/** Agile encryption of Office packages since Office 2010 ([MS-OFFCRYPTO] 2.3.4.10). */

import { createDecipheriv } from 'node:crypto'
import { type Attributes, readDescriptor } from './agile-descriptor.ts'
import { type Decrypt, DIGEST_BYTES, type Digest, digest, int32, type Protection, stretch } from './default-password.ts'

/** Hash rounds that the header may declare. Office writes 100,000; the format allows a hundred times that. */
export const ROUNDS_MAX = 100_000

const BLOCK_BYTES = 16
const SALT_BYTES = 16
const SEGMENT_BYTES = 4096

const DIGESTS: ReadonlyMap<string, Digest> = new Map([
  ['SHA1', 'sha1'],
  ['SHA-1', 'sha1'],
  ['SHA256', 'sha256'],
  ['SHA384', 'sha384'],
  ['SHA512', 'sha512'],
])
const CIPHERS: ReadonlyMap<string, number> = new Map([
  ['128', 16],
  ['192', 24],
  ['256', 32],
])

/** Constants that each derived key includes. */
const PURPOSE = {
  verifier: Buffer.from('fea7d2763b4b9e79', 'hex'),
  verifierHash: Buffer.from('d7aa0f6d3061344e', 'hex'),
  packageKey: Buffer.from('146e0be7abacd0d6', 'hex'),
}

interface Cipher {
  salt: Buffer
  keyBytes: number
  hash: Digest
}

interface PasswordKey extends Cipher {
  rounds: number
  verifier: Buffer
  verifierHash: Buffer
  packageKey: Buffer
}

/** `descriptor` is the XML in the stream EncryptionInfo. null: unsupported. */
export function agileProtection(descriptor: Buffer): Protection | null {
  const [keyData, encryptedKey] = readDescriptor(descriptor, ['keyData', 'encryptedKey']) ?? []
  const content = cipherOf(keyData)
  const password = passwordKeyOf(encryptedKey)
  if (content === null || password === null || content.keyBytes !== password.keyBytes) return null
  return { rounds: password.rounds, unlock: (text) => unlock(content, password, text) }
}

function cipherOf(attributes: Attributes | undefined): Cipher | null {
  const keyBytes = CIPHERS.get(attributes?.get('keyBits') ?? '')
  const hash = DIGESTS.get(attributes?.get('hashAlgorithm') ?? '')
  const salt = bytesOf(attributes, 'saltValue')
  if (attributes === undefined || keyBytes === undefined || hash === undefined) return null
  const known =
    attributes.get('cipherAlgorithm') === 'AES' &&
    attributes.get('cipherChaining') === 'ChainingModeCBC' &&
    attributes.get('blockSize') === `${BLOCK_BYTES}` &&
    attributes.get('saltSize') === `${SALT_BYTES}` &&
    salt.length === SALT_BYTES &&
    // A shorter digest would accept any password.
    attributes.get('hashSize') === `${DIGEST_BYTES[hash]}`
  return known ? { salt, keyBytes, hash } : null
}

function passwordKeyOf(attributes: Attributes | undefined): PasswordKey | null {
  const cipher = cipherOf(attributes)
  const spinCount = attributes?.get('spinCount') ?? ''
  if (cipher === null || !/^\d{1,7}$/.test(spinCount) || Number(spinCount) > ROUNDS_MAX) return null
  const verifier = bytesOf(attributes, 'encryptedVerifierHashInput')
  const verifierHash = bytesOf(attributes, 'encryptedVerifierHashValue')
  const packageKey = bytesOf(attributes, 'encryptedKeyValue')
  const fits =
    verifier.length === SALT_BYTES &&
    verifierHash.length === roundUpToBlock(DIGEST_BYTES[cipher.hash]) &&
    packageKey.length === roundUpToBlock(cipher.keyBytes)
  return fits ? { ...cipher, rounds: Number(spinCount), verifier, verifierHash, packageKey } : null
}

function bytesOf(attributes: Attributes | undefined, name: string): Buffer {
  return Buffer.from(attributes?.get(name) ?? '', 'base64')
}

function roundUpToBlock(bytes: number): number {
  return Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
}

function unlock(content: Cipher, password: PasswordKey, text: string): Decrypt | null {
  const { hash, keyBytes, salt, rounds } = password
  const stretched = stretch(hash, salt, rounds, text)
  const decrypt = (purpose: Buffer, data: Buffer): Buffer =>
    decryptCbc(agileKey(hash, stretched, purpose, keyBytes), salt, data)
  const verifier = decrypt(PURPOSE.verifier, password.verifier)
  const expected = decrypt(PURPOSE.verifierHash, password.verifierHash).subarray(0, DIGEST_BYTES[hash])
  if (!digest(hash, verifier).equals(expected)) return null
  const key = decrypt(PURPOSE.packageKey, password.packageKey).subarray(0, keyBytes)
  return (data) => decryptSegments(content, key, data)
}

/** The digest, truncated or padded to the key length. */
function agileKey(hash: Digest, stretched: Buffer, purpose: Buffer, keyBytes: number): Buffer {
  const key = Buffer.alloc(keyBytes, 0x36)
  digest(hash, stretched, purpose).copy(key)
  return key
}

function decryptSegments({ salt, hash }: Cipher, key: Buffer, data: Buffer): Buffer {
  const segments: Buffer[] = []
  const end = data.length - (data.length % BLOCK_BYTES)
  for (let at = 0; at < end; at += SEGMENT_BYTES) {
    const vector = digest(hash, salt, int32(at / SEGMENT_BYTES)).subarray(0, BLOCK_BYTES)
    segments.push(decryptCbc(key, vector, data.subarray(at, Math.min(at + SEGMENT_BYTES, end))))
  }
  return Buffer.concat(segments)
}

function decryptCbc(key: Buffer, vector: Buffer, data: Buffer): Buffer {
  const cipher = createDecipheriv(`aes-${key.length * 8}-cbc`, key, vector).setAutoPadding(false)
  return Buffer.concat([cipher.update(data), cipher.final()])
}
