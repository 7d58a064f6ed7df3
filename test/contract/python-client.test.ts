/** The client for Python, with Django and FastAPI, against a real service. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { VERSION } from '#base/version.ts'
import { startScanService } from '#test/support/scanning.ts'
import { needs, PYTHON } from '#test/support/suite.ts'

const FOLDER = path.join(import.meta.dirname, '../../packages/python')

describe('docvet for Python', needs('python'), () => {
  test('scans, repeats, blocks uploads and verifies callbacks', async () => {
    await using service = await startScanService({ DOCVET_EMBEDDED_CHILDREN: '1' })
    const { stderr, code } = await promisify(execFile)(PYTHON, ['-B', 'tests/test_docvet.py'], {
      cwd: FOLDER,
      env: { PATH: process.env.PATH, PYTHONPATH: 'src', DOCVET_URL: service.url, DOCVET_KEY: await service.newKey() },
    }).then(
      (done) => ({ ...done, code: 0 }),
      (error: { stderr: string; code: number }) => error,
    )
    assert.equal(code, 0, stderr)
    assert.match(stderr, /^Ran 20 tests/m)
    assert.doesNotMatch(stderr, /skipped/)
  })

  test('has the version of the repository', () => {
    assert.match(
      readFileSync(path.join(FOLDER, 'src/docvet/__init__.py'), 'utf8'),
      new RegExp(`__version__ = "${VERSION}"`),
    )
  })
})
