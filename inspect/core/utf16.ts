/**
 * Node 24 writes past its memory when `toString('utf16le')` decodes an odd number of bytes from an odd address, and the
 * process ends. Documents determine both, so the last odd byte is left out here for all callers, as it would be anyway.
 */

const { toString: decode } = Buffer.prototype
const UTF_16 = /^(?:utf-?16le|ucs-?2)$/i

Buffer.prototype.toString = function (this: Buffer, encoding?: BufferEncoding, start = 0, end = this.length): string {
  const isOther = encoding === undefined || encoding === 'latin1' || !UTF_16.test(encoding)
  if (isOther) return decode.call(this, encoding, start, end)
  const from = Math.max(0, start)
  const to = Math.min(end, this.length)
  return to <= from ? '' : decode.call(this, encoding, from, to - ((to - from) & 1))
}
