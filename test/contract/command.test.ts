/** `docvet scan`, started as a process. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, test } from 'node:test'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { commandFolder, type Run, runCommand } from '#test/support/command.ts'
import { FILE_BYTES_MAX } from '#test/support/scanning.ts'

const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])
const SUSPICIOUS = Buffer.concat([Buffer.from('junk before'), writeZip([{ name: 'a.txt', data: 'Dear reader' }])])
const { folder, file } = commandFolder('command')
file('tree/a clean.txt', 'Dear reader')
file('tree/deep/er/b.txt', 'Dear reader, too')
file('tree/deep/c.eml', 'Subject: x\r\n\r\nHello')
file('eicar.txt', EICAR)
file('outer.zip', writeZip([{ name: 'inner.zip', data: writeZip([{ name: 'e #1.txt', data: EICAR }]) }]))
file('locked.zip', LOCKED)
file('suspicious.zip', SUSPICIOUS)
file('notice.zip', Buffer.concat([writeZip([{ name: 'a.txt', data: 'Dear reader' }]), Buffer.from('more')]))
file('named/a.py', '__import__("base64"); exec(__import__("base64").b64decode("cHJpbnQoMSk="))')
file('empty.txt', '')
file('image.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))
file('large.txt', Buffer.alloc(FILE_BYTES_MAX + 1, 'Dear reader\n'))
file('largest.txt', Buffer.alloc(FILE_BYTES_MAX, 'Dear reader\n'))

const docvet = (args: string[], input: string | Buffer = ''): Promise<Run> =>
  runCommand(['scan', ...args], { cwd: folder, input })
/** Sorted, because results come in the order of completion. */
const lines = ({ stdout }: Run) => stdout.trimEnd().split('\n').sort()

describe('exit codes and lines', () => {
  test('the name of a file decides in which language it is read', async () => {
    const run = await docvet(['--no-summary', 'named'])
    assert.deepEqual([run.code, lines(run)], [1, ['named/a.py: Docvet.Script.Program FOUND']])
  })

  test('names that are not UTF-8 are scanned; pipes, sockets and devices are not', async () => {
    const odd = Buffer.concat([Buffer.from(`${folder}/odd/e`), Buffer.from([0xe9]), Buffer.from('.txt')])
    mkdirSync(path.join(folder, 'odd'))
    writeFileSync(odd, EICAR)
    execFileSync('mkfifo', [path.join(folder, 'pipe')])
    const server = createServer().listen(path.join(folder, 'socket'))
    await once(server, 'listening')
    const run = await docvet(['pipe', 'socket', '/dev/zero', 'odd', `odd/e\ufffd.txt`])
    server.close()
    assert.equal(run.code, 1)
    assert.deepEqual(lines(run), [
      '/dev/zero: Not a regular file ERROR',
      ...Array.from({ length: 2 }, () => 'odd/e\ufffd.txt: Docvet.Test.Eicar FOUND'),
      ...['pipe', 'socket'].map((name) => `${name}: Not a regular file ERROR`),
    ])
  })

  test('0 when every file is clean, in folders of any depth', async () => {
    const run = await docvet(['tree'])
    assert.equal(run.code, 0, run.stderr)
    assert.deepEqual(lines(run), ['tree/a clean.txt: OK', 'tree/deep/c.eml: OK', 'tree/deep/er/b.txt: OK'])
    assert.match(run.stderr, /Scanned files: 3\n/)
    assert.match(run.stderr, /Infected files: 0\n/)
  })

  test('1 for an infected file, which wins over files that were not scanned', async () => {
    const run = await docvet(['eicar.txt', 'locked.zip', 'outer.zip', 'tree/a clean.txt', 'missing.txt'])
    assert.equal(run.code, 1, run.stderr)
    const [eicar, locked, missing, outer, clean] = lines(run)
    assert.equal(eicar, 'eicar.txt: Docvet.Test.Eicar FOUND')
    assert.match(locked ?? '', /^locked\.zip: .*encrypted ERROR$/)
    assert.equal(outer, 'outer.zip: Docvet.Test.Eicar FOUND')
    assert.equal(clean, 'tree/a clean.txt: OK')
    assert.equal(missing, 'missing.txt: No such file or folder ERROR')
  })

  test('2 for files that were not scanned: encrypted, too large, of another type', async () => {
    const run = await docvet(['locked.zip', 'large.txt', 'image.png', 'largest.txt', 'empty.txt'])
    assert.equal(run.code, 2, run.stderr)
    const [empty, image, large, largest, locked] = lines(run)
    assert.match(locked ?? '', / ERROR$/)
    assert.match(large ?? '', /^large\.txt: .*26,214,400 bytes.* ERROR$/)
    assert.match(image ?? '', /^image\.png: .*image\/png.* ERROR$/)
    assert.equal(largest, 'largest.txt: OK')
    assert.equal(empty, 'empty.txt: Empty file')
    assert.match(run.stderr, /Not scanned: 3\n/)
  })

  test('2 with a hint for wrong usage', async () => {
    for (const args of [
      ['--fly'],
      ['--json', '--sarif', 'x'],
      ['--include'],
      ['-', '-'],
      ['--password', 'ü'.repeat(257), 'x'],
    ]) {
      const { code, stdout, stderr } = await docvet(args)
      assert.deepEqual([code, stdout], [2, ''], args.join(' '))
      assert.match(stderr, /Run `docvet scan --help`/)
    }
  })

  test('--help prints the options', async () => {
    const { code, stdout } = await docvet(['--help'])
    assert.equal(code, 0)
    for (const option of ['--include', '--exclude', '--json', '--sarif', '--strict', '--infected', '--no-summary'])
      assert.match(stdout, new RegExp(option))
  })
})

describe('standard input', () => {
  test('with - or without a path', async () => {
    const [infected, clean] = [await docvet(['-'], EICAR), await docvet([], 'Dear reader')]
    assert.deepEqual([infected.code, infected.stdout], [1, 'stdin: Docvet.Test.Eicar FOUND\n'])
    assert.deepEqual([clean.code, clean.stdout], [0, 'stdin: OK\n'])
  })

  test('2 when nothing comes and it was not asked for: a program before it in the pipe may have failed', async () => {
    const codes = []
    for (const args of [[], ['--fail-on', 'infected'], ['--fail-on', 'never'], ['-']])
      codes.push((await docvet(args)).code)
    assert.deepEqual(codes, [2, 2, 2, 0])
  })

  test('2 when it is too large', async () => {
    const { code, stdout } = await docvet(['-'], Buffer.alloc(FILE_BYTES_MAX + 1, 'Dear reader\n'))
    assert.equal(code, 2)
    assert.match(stdout, /^stdin: .* ERROR$/m)
  })
})

describe('options', () => {
  test('--include and --exclude choose files by name or path', async () => {
    const found = async (...args: string[]) => lines(await docvet([...args, 'tree'])).map((line) => line.split(':')[0])
    assert.deepEqual(await found('--include', '*.eml'), ['tree/deep/c.eml'])
    assert.deepEqual(await found('--exclude', 'er', '--exclude', '*.eml'), ['tree/a clean.txt'])
    assert.deepEqual(await found('--include', 'deep/**', '--exclude', '*.eml'), ['tree/deep/er/b.txt'])
  })

  test('--strict reports suspicious files as infected', async () => {
    assert.equal((await docvet(['suspicious.zip'])).stdout, 'suspicious.zip: OK\n')
    const strict = await docvet(['--strict', 'suspicious.zip'])
    assert.deepEqual([strict.code, strict.stdout], [1, 'suspicious.zip: Docvet.Zip.DataBefore FOUND\n'])
  })

  test('--policy rates findings, and is refused if it is invalid', async () => {
    file('policy.json', '{"Docvet.Zip.DataBefore": "block"}')
    const run = await docvet(['--policy', 'policy.json', 'suspicious.zip', 'notice.zip'])
    assert.equal(run.code, 1, run.stderr)
    assert.deepEqual(lines(run), ['notice.zip: OK', 'suspicious.zip: Docvet.Zip.DataBefore FOUND'])
    file('bad-policy.json', '{"encrypted": "allow"}')
    const bad = await docvet(['--policy', 'bad-policy.json', 'notice.zip'])
    assert.deepEqual([bad.code, bad.stdout], [2, ''])
    assert.match(bad.stderr, /^The policy cannot be used:\n {2}- "encrypted" cannot be allowed/)
  })

  test('--password opens an encrypted document', async () => {
    const locked = lockAgile(docx({ 'word/media/a.bin': EICAR }), { password: 'sécret' })
    file('locked.docx', locked)
    const needed = 'locked.docx: The document is password-protected. Give its password with --password ERROR\n'
    const wrong = 'locked.docx: The password does not open this file, or only a part of it ERROR\n'
    for (const [options, said] of [
      [[], needed],
      [['--password', ''], needed],
      [['--password', 'secret'], wrong],
    ] as const) {
      const refused = await docvet([...options, 'locked.docx'])
      assert.deepEqual([refused.code, refused.stdout], [2, said])
    }
    const run = await docvet(['--password', 'sécret', 'locked.docx'])
    assert.deepEqual([run.code, run.stdout], [1, 'locked.docx: Docvet.Test.Eicar FOUND\n'])
  })

  test('--infected and --no-summary print only infected files', async () => {
    const run = await docvet(['--infected', '--no-summary', 'eicar.txt', 'tree'])
    assert.deepEqual(run, { code: 1, stdout: 'eicar.txt: Docvet.Test.Eicar FOUND\n', stderr: '' })
  })

  test('links to folders are not followed, and an unreadable file is an error', async () => {
    file('linked/one.txt', 'Dear reader')
    symlinkSync('..', path.join(folder, 'linked/loop'))
    symlinkSync('one.txt', path.join(folder, 'linked/two.txt'))
    const run = await docvet(['linked'])
    assert.deepEqual([run.code, lines(run)], [0, ['linked/one.txt: OK', 'linked/two.txt: OK']])
    symlinkSync('nowhere', path.join(folder, 'linked/broken.txt'))
    const broken = await docvet(['linked'])
    assert.deepEqual([broken.code, lines(broken)[0]], [2, 'linked/broken.txt: No such file or folder ERROR'])
  })
})

describe('--json', () => {
  test('one document with every file, its findings and a summary', async () => {
    const { code, stdout } = await docvet(['--json', 'outer.zip', 'locked.zip', 'notice.zip', 'empty.txt'])
    assert.equal(code, 1)
    const { version, results, summary } = JSON.parse(stdout) as {
      version: number
      results: Record<string, unknown>[]
      summary: Record<string, unknown>
    }
    assert.equal(version, 1)
    const byPath = new Map(results.map((each) => [each.path, each]))
    const [outer, locked, notice, empty] = ['outer.zip', 'locked.zip', 'notice.zip', 'empty.txt'].map((each) =>
      byPath.get(each),
    )
    const { findings, durationMs, sha256, ...rest } = outer ?? {}
    assert.deepEqual(rest, {
      ...{ path: 'outer.zip', verdict: 'infected', threat: 'Docvet.Test.Eicar', size: rest.size },
      ...{ detectedType: 'application/zip', error: null },
    })
    assert.match(String(sha256), /^[0-9a-f]{64}$/)
    assert.ok(Number(durationMs) >= 0 && Number(rest.size) > 0)
    const [found] = findings as Record<string, unknown>[]
    assert.deepEqual(Object.keys(found ?? {}), ['id', 'severity', 'title', 'reason', 'technique', 'path', 'detail'])
    assert.deepEqual([found?.severity, found?.path], ['malicious', ['inner.zip', 'e #1.txt']])
    assert.deepEqual(
      [locked?.verdict, (locked?.error as { code: string } | undefined)?.code],
      ['error', 'encrypted_document'],
    )
    const [noted] = (notice?.findings ?? []) as { id: string }[]
    assert.deepEqual([notice?.verdict, noted?.id], ['clean', 'Docvet.Zip.DataAfter'])
    assert.equal(empty?.verdict, 'empty')
    const { durationMs: total, ...counts } = summary
    assert.deepEqual(counts, { files: 4, clean: 1, infected: 1, empty: 1, errors: 1 })
    assert.ok(Number(total) >= 0)
  })
})
