/** A program for tests that runs inside a sandbox and prints what it sees. It imports nothing of the service. */
import { readdirSync, readFileSync, readlinkSync, writeSync } from 'node:fs'
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

function kindOf(fd: number): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`).replace(/[\d[\]]+$/, '')
  } catch {
    return ''
  }
}

const top = readdirSync('/').filter((name) => name !== 'proc')
const files = top.flatMap((name) => filesBelow(`/${name}`))
const descriptors = readdirSync('/proc/self/fd').map(Number)
/** 2: system calls are filtered. */
const seccomp = /^Seccomp:\s*(\d)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
const kinds = descriptors.map((fd) => kindOf(fd))
writeSync(1, JSON.stringify({ files, seccomp, kinds }))
