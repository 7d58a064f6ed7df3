/** Prints results on standard output, and progress and the summary on standard error. */
import { once } from 'node:events'
import { escapeControls } from '#base/escape-controls.ts'
import { STDIN } from './files.ts'
import type { Options } from './options.ts'
import type { Result, Summary } from './result.ts'
import { createSarif } from './sarif.ts'

const PROGRESS_EVERY_MS = 100
const CLEAR_LINE = '\r\x1b[K'

type Print = (text: string) => Promise<void>

/** Waits while the reader of a pipe is slower than the scan. */
const print: Print = async (text) => {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}

interface Writer {
  add(result: Result): Promise<void>
  end(summary: Summary): Promise<void>
}

function textWriter({ onlyInfected }: Options): Writer {
  return {
    async add({ path, verdict, threat, error }) {
      if (onlyInfected && verdict !== 'infected') return
      const said = {
        clean: 'OK',
        infected: `${threat} FOUND`,
        empty: 'Empty file',
        error: `${error?.message.replace(/\.$/, '')} ERROR`,
      }[verdict]
      await print(`${escapeControls(`${path === STDIN ? 'stdin' : path}: ${said}`)}\n`)
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

function sarifWriter(): Writer {
  const sarif = createSarif()
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

/** A line on a terminal that is replaced again and again. */
export function createProgress(isShown: boolean) {
  let shownMs = 0
  return {
    show({ files, infected, errors }: Summary): void {
      if (!isShown || performance.now() - shownMs < PROGRESS_EVERY_MS) return
      shownMs = performance.now()
      process.stderr.write(`${CLEAR_LINE}${files} files, ${infected} infected, ${errors} not scanned`)
    },
    clear(): void {
      if (isShown) process.stderr.write(CLEAR_LINE)
    },
  }
}

export function summaryText({ clean, infected, empty, errors, durationMs }: Summary): string {
  return [
    '',
    '----------- SCAN SUMMARY -----------',
    `Scanned files: ${clean + infected}`,
    `Infected files: ${infected}`,
    ...(empty === 0 ? [] : [`Empty files: ${empty}`]),
    `Not scanned: ${errors}`,
    `Time: ${(durationMs / 1_000).toFixed(1)} s`,
    '',
  ].join('\n')
}
