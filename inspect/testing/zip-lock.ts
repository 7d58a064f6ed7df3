/** Writes encrypted archive entries for tests. */

import { createCipheriv, createHmac, pbkdf2Sync } from 'node:crypto'
import { crc32, deflateRawSync } from 'node:zlib'
import type { EntryPlan } from './zip-writer.ts'

interface LockPlan {
  password?: string | Buffer
  method?: 'stored' | 'deflated'
  streamed?: boolean
}

const ENCRYPTED = 1
const STREAMED = 8

/** An entry under ZipCrypto. */
export function lockTraditional(name: string, content: Uint8Array | string, plan: LockPlan = {}): EntryPlan {
  const { password = 'secret', method = 'deflated', streamed = false } = plan
  const data = Buffer.from(content)
  // The time of all entries is zero.
  const check = streamed ? 0 : crc32(data) >>> 24
  const header = Buffer.from([...Buffer.alloc(11, 0xa5), check])
  const plain = Buffer.concat([header, method === 'deflated' ? deflateRawSync(data) : data])
  const flags = ENCRYPTED | (streamed ? STREAMED : 0)
  return {
    name,
    data,
    method,
    streamed,
    packed: encryptTraditional(plain, password),
    local: { flags },
    central: { flags },
  }
}

function encryptTraditional(plain: Buffer, password: string | Buffer): Buffer {
  let [a, b, c] = [0x12345678, 0x23456789, 0x34567890]
  const crcOf = (crc: number, byte: number): number => ~crc32(Buffer.from([byte]), ~crc >>> 0) >>> 0
  const update = (byte: number): void => {
    a = crcOf(a, byte)
    b = Number((BigInt(b + (a & 0xff)) * 134_775_813n + 1n) & 0xffffffffn)
    c = crcOf(c, b >>> 24)
  }
  for (const byte of Buffer.from(password)) update(byte)
  return plain.map((byte) => {
    const key = (c & 0xffff) | 2
    update(byte)
    return byte ^ (((key * (key ^ 1)) >>> 8) & 0xff)
  }) as Buffer
}

export interface AesPlan extends LockPlan {
  version?: 1 | 2
  strength?: 1 | 2 | 3
  /** Changes the encrypted data. */
  edit?: (data: Buffer) => void
}

/** An entry under WinZip AES. */
export function lockAes(name: string, content: Uint8Array | string, plan: AesPlan = {}): EntryPlan {
  const { password = 'secret', method = 'deflated', version = 2, strength = 3, edit } = plan
  const data = Buffer.from(content)
  const keyBytes = 8 + strength * 8
  const salt = Buffer.alloc(keyBytes / 2, 0x5a)
  const keys = pbkdf2Sync(password, salt, 1_000, 2 * keyBytes + 2, 'sha1')
  const plain = method === 'deflated' ? deflateRawSync(data) : data
  const locked = Buffer.from(plain)
  for (let at = 0; at < plain.length; at += 16) {
    const block = Buffer.alloc(16)
    block.writeUInt32LE(at / 16 + 1)
    const stream = createCipheriv(`aes-${keyBytes * 8}-ecb`, keys.subarray(0, keyBytes), null).update(block)
    for (let i = 0; i < 16 && at + i < plain.length; i++) locked[at + i] = plain.readUInt8(at + i) ^ stream.readUInt8(i)
  }
  const code = createHmac('sha1', keys.subarray(keyBytes, 2 * keyBytes))
    .update(locked)
    .digest()
    .subarray(0, 10)
  const packed = Buffer.concat([salt, keys.subarray(-2), locked, code])
  edit?.(packed)
  const extra = Buffer.from([0x01, 0x99, 7, 0, version, 0, 0x41, 0x45, strength, method === 'deflated' ? 8 : 0, 0])
  const fields = { flags: ENCRYPTED, method: 99, extra, ...(version === 2 && { crc: 0 }) }
  return { name, data, packed, local: fields, central: fields }
}
