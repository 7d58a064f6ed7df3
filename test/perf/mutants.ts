/** `npm run fuzz mutants [seed [executions [folder …]]]`: mutates the documents of folders, or samples, in one process. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { ourInspector } from '#inspect/testing/inspector.ts'
import { membersOf, mutate, mutateMember } from '#inspect/testing/mutate.ts'
import { randomFrom } from '#inspect/testing/random.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'

const SOURCE_BYTES_MAX = 65_536
const CPU_MS_MAX = 3_000
const RESIDENT_BYTES_MAX = 1_000_000_000
const PROGRESS_EVERY = 10_000

const SAMPLES = [
  { name: 'pdf', bytes: pdf(['<< /Type /Catalog /OpenAction << /S /JavaScript /JS (app.alert(1)) >> >>']) },
  { name: 'docx', bytes: docx() },
  { name: 'page', bytes: Buffer.from('<html><script>location = atob("aHR0cDovL2E=")</script></html>') },
]

function sourcesIn(folder: string): { name: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((name) => statSync(name).isFile() && statSync(name).size > 0 && statSync(name).size <= SOURCE_BYTES_MAX)
    .sort()
    .map((name) => ({ name, bytes: readFileSync(name) }))
}

function partsOf(bytes: Buffer): ReturnType<typeof membersOf> {
  try {
    return membersOf(bytes)
  } catch {
    return null
  }
}

export async function fuzzMutants(seed: number, executions: number, folders: readonly string[]): Promise<boolean> {
  const found = folders.flatMap(sourcesIn)
  const sources = (found.length === 0 ? SAMPLES : found).map((source) => ({ ...source, parts: partsOf(source.bytes) }))
  const random = randomFrom(seed)
  const inspector = await ourInspector()
  let failures = 0
  let slowestMs = 0
  console.log(`Seed ${seed}: ${executions} executions over ${sources.length} documents`)
  for (let i = 1; i <= executions; i++) {
    const { name, bytes, parts } = sources[random(sources.length)]!
    const mutant = parts !== null && random(4) > 0 ? mutateMember(parts, random) : mutate(bytes, random)
    const before = process.cpuUsage()
    const { obstacle } = inspector.inspect(mutant)
    const { user, system } = process.cpuUsage(before)
    const ms = (user + system) / 1_000
    slowestMs = Math.max(slowestMs, ms)
    const hasThrown = /could not be analysed/.test(obstacle?.detail ?? '')
    if (hasThrown || ms > CPU_MS_MAX || process.memoryUsage.rss() > RESIDENT_BYTES_MAX || !inspector.healthy) {
      failures += 1
      const file = path.join(tmpdir(), `mutant-${seed}-${i}`)
      writeFileSync(file, mutant)
      console.log(`${name}: ${Math.round(ms)} ms, ${obstacle?.detail ?? 'no obstacle'}; kept as ${file}`)
    }
    if (i % PROGRESS_EVERY === 0)
      console.log(`${i} executions, ${failures} failures, slowest ${slowestMs.toFixed(0)} ms`)
  }
  inspector.dispose()
  console.log(`${failures} of ${executions} mutants failed; the slowest took ${slowestMs.toFixed(0)} ms of CPU time`)
  return failures === 0
}
