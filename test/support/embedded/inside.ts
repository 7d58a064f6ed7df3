/** A program for tests that runs inside a sandbox and prints what it sees. It imports nothing of the service. */
import { readdirSync, writeSync } from 'node:fs'
import path from 'node:path'

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(folder, entry.name)
      return entry.isDirectory() ? filesBelow(file) : [file]
    })
  } catch {
    return []
  }
}

const top = readdirSync('/').filter((name) => name !== 'proc')
const files = top.flatMap((name) => filesBelow(`/${name}`))
const descriptors = readdirSync('/proc/self/fd').map(Number)
writeSync(1, JSON.stringify({ files, descriptors }))
