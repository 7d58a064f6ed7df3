/** Encryption header and verifier of Office 2007 packages and Excel 2003 workbooks ([MS-OFFCRYPTO] 2.3.2, 2.3.3). */

export interface CryptoApiHeader {
  /** Stored before the header and in it. Headers in which they differ are rejected. */
  flags: number
  algorithm: number
  keyBits: number
  salt: Buffer
  verifier: Buffer
  verifierHash: Buffer
}

const FLAG = { cryptoApi: 0x04, external: 0x10, aes: 0x20 }

export const SALT_BYTES = 16
export const DIGEST_BYTES = 20
const VERIFIER_BYTES = 16
/** Fixed fields; the name of the provider follows. */
const HEADER_MIN = 32
const SHA1 = 0x8004

/** `info` follows the version. `verifierHashBytes`: length of the encrypted SHA-1 digest. */
export function readCryptoApiHeader(info: Buffer, verifierHashBytes: number): CryptoApiHeader | null {
  const verifierMin = 4 + SALT_BYTES + VERIFIER_BYTES + 4 + verifierHashBytes
  if (info.length < 8 + HEADER_MIN) return null
  const headerBytes = info.readUInt32LE(4)
  const at = 8 + headerBytes
  if (headerBytes < HEADER_MIN || at + verifierMin > info.length) return null
  const flags = info.readUInt32LE(0)
  const hash = info.readUInt32LE(20)
  if (flags !== info.readUInt32LE(8) || (hash !== SHA1 && hash !== 0)) return null
  const verifierAt = at + 4 + SALT_BYTES
  const hashAt = verifierAt + VERIFIER_BYTES
  if (info.readUInt32LE(at) !== SALT_BYTES || info.readUInt32LE(hashAt) !== DIGEST_BYTES) return null
  return {
    flags,
    algorithm: info.readUInt32LE(16),
    keyBits: info.readUInt32LE(24),
    salt: info.subarray(at + 4, verifierAt),
    verifier: info.subarray(verifierAt, hashAt),
    verifierHash: info.subarray(hashAt + 4, hashAt + 4 + verifierHashBytes),
  }
}

export function hasCipher({ flags }: CryptoApiHeader, cipher: 'aes' | 'rc4'): boolean {
  const wanted = FLAG.cryptoApi | (cipher === 'aes' ? FLAG.aes : 0)
  return (flags & (FLAG.cryptoApi | FLAG.aes | FLAG.external)) === wanted
}
