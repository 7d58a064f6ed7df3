/** The corpus in `../shared/corpus`: its rows, and its files in a temporary folder. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { atExit, temporaryFolder } from '#test/support/service.ts'

export const ROOT = path.join(import.meta.dirname, '../..')
export const CORPUS = path.join(ROOT, '../shared/corpus')
const SETS = { documents: 'index.csv', large: 'large.csv', 'passed-over': 'passed-over.csv' }
const CELL = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g

type CorpusSet = keyof typeof SETS

export interface Row {
  set: CorpusSet
  path: string
  kind: string
  label: string
  technique: string
  expected: string
}

export const hasCorpus = (): boolean => existsSync(path.join(CORPUS, 'documents.tar.xz'))

export function readRows(set: CorpusSet): Row[] {
  const [, ...lines] = readFileSync(path.join(CORPUS, SETS[set]), 'utf8').trim().split('\n')
  return lines.map((line) => {
    const cells = Array.from(line.matchAll(CELL), ([, quoted, plain]) => quoted ?? plain ?? '')
    if (set === 'passed-over') {
      const [file = '', technique = '', expected = ''] = cells
      return { set, path: file, kind: set, label: set, technique, expected }
    }
    const [file = '', , kind = '', , label = '', technique = '', expected = ''] = cells
    return { set, path: file, kind, label, technique, expected }
  })
}

/** A folder with a folder for each set. It is deleted when the process ends. */
export function unpackCorpus(sets: readonly CorpusSet[]): string {
  const folder = temporaryFolder('corpus')
  atExit(() => rmSync(folder, { recursive: true, force: true }))
  for (const set of sets) {
    mkdirSync(path.join(folder, set))
    execFileSync('tar', ['-xJf', path.join(CORPUS, `${set}.tar.xz`), '-C', path.join(folder, set)])
  }
  return folder
}
