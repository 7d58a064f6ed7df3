/** Views on bytes that share memory, and questions about where something stands in them. */

/** Node's faster methods on the same memory; nothing is copied. */
export function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether the bytes are a view on a part of the others. */
export function liesIn(inner: Uint8Array, outer: Uint8Array): boolean {
  if (inner.buffer !== outer.buffer || inner.byteOffset < outer.byteOffset) return false
  return inner.byteOffset + inner.byteLength <= outer.byteOffset + outer.byteLength
}

export function startsWith(bytes: Uint8Array, prefix: Uint8Array, at = 0): boolean {
  if (bytes.length < at + prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[at + i] !== prefix[i]) return false
  return true
}

/** ASCII in a needle as bytes: each character is the byte of its code, so `\x89PNG` works. */
export function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}
