/** Harmless documents that were accused or refused before, where they exist: they stay what they are. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { useInspector } from './testing/inspector.ts'

const archive = fileURLToPath(new URL('../../shared/corpus/accused.tar.xz', import.meta.url))
const skip = existsSync(archive) ? false : `no ${archive}`

/** The outcome of those that are not fine, with the reason for the owner. */
const KNOWN: Readonly<Record<string, string>> = {
  // Its scripts take more work than any document may cost.
  'R1_15_diariolibre.com-republica.html': 'too_complex',
  // Both archives hold programs that start when they are opened.
  'W16_01_code.zip': 'suspicious',
  'W17_01_vbahelpers-main.zip': 'suspicious',
  // It starts a command line.
  'W7_03_Launch-EventLogger-spec.vbs': 'suspicious',
}

suite('documents that were accused before', { skip }, () => {
  const { inspect } = useInspector()

  test('are neither accused nor refused, but for known reasons', () => {
    const folder = mkdtempSync(join(tmpdir(), 'docvet-accused-'))
    try {
      execFileSync('tar', ['-xJf', archive, '-C', folder])
      const names = readdirSync(join(folder, 'accused'))
      assert.ok(names.length > 80)
      const outcomes = names.map((name): [string, string] => {
        const { kind, findings, obstacle } = inspect(readFileSync(join(folder, 'accused', name)), { name })
        const severity = findings[0]?.severity ?? 'clean'
        if (severity === 'malicious') return [name, severity]
        return [name, kind === null ? 'refused' : (obstacle?.reason ?? severity)]
      })
      const wrong = outcomes.filter(([, outcome]) => outcome !== 'clean' && outcome !== 'notice')
      assert.deepEqual(Object.fromEntries(wrong), KNOWN)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
