/** RC4 for old PDF files and workbooks; Node's OpenSSL no longer provides it. */

export function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = new Uint8Array(256)
  for (let i = 0; i < 256; i++) state[i] = i
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) & 0xff
    swap(state, i, j)
  }
  const out = Buffer.allocUnsafe(data.length)
  for (let at = 0, i = 0, j = 0; at < data.length; at++) {
    i = (i + 1) & 0xff
    const a = state[i] ?? 0
    j = (j + a) & 0xff
    const b = state[j] ?? 0
    state[i] = b
    state[j] = a
    out[at] = (data[at] ?? 0) ^ (state[(a + b) & 0xff] ?? 0)
  }
  return out
}

function swap(state: Uint8Array, i: number, j: number): void {
  const kept = state[i] ?? 0
  state[i] = state[j] ?? 0
  state[j] = kept
}
