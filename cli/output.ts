/** Prints results on standard output. */
import { once } from 'node:events'
import { escapeControls } from '#base/escape-controls.ts'
import { STDIN } from './files.ts'
import type { Options } from './options.ts'
import type { Result, Summary } from './result.ts'
import { createSarif } from './sarif.ts'

/** Waits while the reader of a pipe is slower than the scan. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

interface Writer {
  /** `isFailure`: the reason is not in the file. */
  add(result: Result, isFailure: boolean): Promise<void>
  end(summary: Summary): Promise<void>
}

export function lineOf({ path, verdict, threat, error }: Result): string {
  const said = {
    clean: 'OK',
    infected: `${threat} FOUND`,
    empty: 'Empty file',
    error: `${error?.message.replace(/\.$/, '')} ERROR`,
  }[verdict]
  return `${escapeControls(`${path === STDIN ? 'stdin' : path}: ${said}`)}\n`
}

function textWriter({ onlyInfected }: Options): Writer {
  return {
    async add(result, isFailure) {
      if (!onlyInfected || result.verdict === 'infected') await print(lineOf(result))
      else if (isFailure) process.stderr.write(lineOf(result))
    },
    async end() {},
  }
}

/** Written as it grows, so that the results of many files need not fit into memory. */
function jsonWriter(): Writer {
  let separator = '{"version":1,"results":[\n'
  return {
    async add(result) {
      await print(`${separator}${JSON.stringify(result)}`)
      separator = ',\n'
    },
    async end(summary) {
      const head = separator === ',\n' ? '' : separator
      await print(`${head}\n],"summary":${JSON.stringify(summary)}}\n`)
    },
  }
}

function sarifWriter({ notices }: Options): Writer {
  const sarif = createSarif({ notices })
  return {
    async add(result) {
      sarif.add(result)
    },
    end: () => print(`${JSON.stringify(sarif.log(), null, 2)}\n`),
  }
}

export function createWriter(options: Options): Writer {
  return { text: textWriter, json: jsonWriter, sarif: sarifWriter }[options.format](options)
}

export function summaryText({ clean, infected, empty, errors, durationMs, interrupted }: Summary): string {
  return [
    '',
    '----------- SCAN SUMMARY -----------',
    ...(interrupted ? ['Interrupted: other files were not scanned'] : []),
    `Scanned files: ${clean + infected}`,
    `Infected files: ${infected}`,
    ...(empty === 0 ? [] : [`Empty files: ${empty}`]),
    `Not scanned: ${errors}`,
    `Time: ${(durationMs / 1_000).toFixed(1)} s`,
    '',
  ].join('\n')
}
