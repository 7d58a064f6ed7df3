/** Documents that scanners passed over, where the corpus exists: a reader reaches the test file in each of them. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { useInspector } from './testing/inspector.ts'

const archive = fileURLToPath(new URL('../../shared/corpus/passed-over.tar.xz', import.meta.url))
const skip = existsSync(archive) ? false : `no corpus at ${archive}`

/** Its only message is a member of zero bytes, so it has nothing to find. */
const EMPTY = '65_zip_cms_compressed.zip'

suite('documents that were passed over are never clean', { skip }, () => {
  const { outcome } = useInspector()
  const folder = skip === false ? mkdtempSync(join(tmpdir(), 'docvet-passed-over-')) : ''
  if (skip === false) execFileSync('tar', ['-xJf', archive, '-C', folder])
  after(() => rmSync(folder, { recursive: true, force: true }))
  const files = skip === false ? readdirSync(folder, { recursive: true, withFileTypes: true }) : []
  for (const file of files.filter((entry) => entry.isFile() && entry.name !== EMPTY))
    test(file.name, () => {
      assert.match(
        outcome(readFileSync(join(file.parentPath, file.name))) ?? 'clean',
        /^(?:Docvet\.(?:Test\.Eicar|Html\.SmuggledFile)|too_complex|encrypted|damaged)$/,
      )
    })
})
