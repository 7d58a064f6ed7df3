/** A thread that loads modules and tells which patterns they construct. */

import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import type { Pattern } from './growth.ts'

/** `skipped`: constructs patterns for others. */
const { root, files, skipped } = workerData as { root: string; files: string[]; skipped: string }
const patterns = new Map<string, Pattern>()
const Original = RegExp

function note(args: unknown[]): void {
  const { source, flags } = Reflect.construct(Original, args) as RegExp
  const frame = new Error().stack
    ?.split('\n')
    .find((line) => line.includes(root) && !line.includes(import.meta.filename) && !line.includes(skipped))
  const [, file, line] = frame?.match(/([^/(][^(]*):(\d+):\d+\)?$/) ?? []
  if (file === undefined) return
  const at = `${path.relative(root, file.replace(/^.*file:\/\//, ''))}:${line}`
  const pattern = { at, name: at.replace(/:\d+$/, ' constructed'), source, flags, everywhere: /[gy]/.test(flags) }
  patterns.set(`${at} ${flags} ${source}`, pattern)
}

globalThis.RegExp = new Proxy(Original, {
  construct(target, args, self) {
    note(args)
    return Reflect.construct(target, args, self)
  },
  apply(target, self, args) {
    note(args)
    return Reflect.apply(target, self, args)
  },
})

for (const file of files) await import(pathToFileURL(path.join(root, file)).href)
parentPort?.postMessage([...patterns.values()])
