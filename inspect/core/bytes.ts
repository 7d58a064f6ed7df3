/** Views and comparisons on bytes without copying. */

/** A Buffer on the same memory, for its faster methods. */
export function view(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Whether `inner` is a view on a part of `outer`. */
export function isViewOf(inner: Uint8Array, outer: Uint8Array): boolean {
  if (inner.buffer !== outer.buffer || inner.byteOffset < outer.byteOffset) return false
  return inner.byteOffset + inner.byteLength <= outer.byteOffset + outer.byteLength
}

export function startsWith(bytes: Uint8Array, prefix: ArrayLike<number>, at = 0): boolean {
  if (bytes.length < at + prefix.length) return false
  for (let i = 0; i < prefix.length; i++) if (bytes[at + i] !== prefix[i]) return false
  return true
}

/** One byte per character, so `\x89PNG` works. */
export function ascii(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}
