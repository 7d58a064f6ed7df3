/** A folder with little space, which can be filled. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import { atExit, temporaryFolder } from '#test/support/service.ts'

export interface SmallDisk {
  folder: string
  /** False where the system permits no mounts, as in some containers. Then nothing limits the folder. */
  isMounted: boolean
  /** Writes until nothing more fits. The returned function frees the space. */
  fill(): () => void
  remove(): void
}

export function smallDisk(megabytes: number): SmallDisk {
  const folder = temporaryFolder('disk')
  let isMounted = true
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' })
  } catch {
    isMounted = false
  }
  const remove = () => {
    if (isMounted) execFileSync('umount', ['--lazy', folder], { stdio: 'ignore' })
    rmSync(folder, { recursive: true, force: true })
  }
  const forget = atExit(remove)
  return {
    folder,
    isMounted,
    fill() {
      assert.ok(isMounted)
      return fill(path.join(folder, 'filler'))
    },
    remove() {
      forget()
      remove()
    },
  }
}

function fill(filler: string): () => void {
  const file = openSync(filler, 'w')
  try {
    for (let bytes = 1_048_576; bytes >= 1; ) {
      try {
        writeSync(file, Buffer.alloc(bytes))
      } catch (error) {
        assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC')
        bytes /= 2
      }
    }
  } finally {
    closeSync(file)
  }
  return () => rmSync(filler)
}
