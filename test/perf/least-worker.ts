/** The worker of the least scanner: a length and a document on standard input, a line of JSON on standard output. */

import { readSync, writeSync } from 'node:fs'
import { ourInspector } from '#inspect/testing/inspector.ts'

const LENGTH_BYTES = 4
const inspector = await ourInspector()
const memory = Buffer.allocUnsafeSlow(26_000_000)

function fill(from: number, to: number): number {
  for (let filled = from; ; ) {
    if (filled >= to) return filled
    const count = readSync(0, memory, filled, memory.length - filled, null)
    if (count === 0) process.exit()
    filled += count
  }
}

for (writeSync(1, '{}\n'); ; ) {
  const filled = fill(0, LENGTH_BYTES)
  const end = LENGTH_BYTES + memory.readUInt32BE(0)
  fill(filled, end)
  const document = memory.subarray(LENGTH_BYTES, end)
  const { findings } = inspector.inspect(document)
  writeSync(1, `${JSON.stringify({ bytes: document.length, findings })}\n`)
  document.fill(0)
}
