/** `docvet`: help, exit codes by `--fail-on`, lists of files, and what is done with infected files. */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { describe, test } from 'node:test'
import { VERSION } from '#base/version.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { commandFolder, DOCVET, runCommand, startCommand } from '#test/support/command.ts'

const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])
const { folder, file, at } = commandFolder('actions')
file('clean.txt', 'Dear reader')
file('eicar.txt', EICAR)
file('locked.zip', LOCKED)

const docvet = (...args: string[]) => runCommand(args, { cwd: folder })
const scan = (...args: string[]) => docvet('scan', '--no-summary', ...args)

describe('help', () => {
  test('without arguments, and with help, the commands', async () => {
    for (const args of [[], ['help'], ['--help'], ['-h']]) {
      const { code, stdout, stderr } = await docvet(...args)
      assert.deepEqual([code, stderr], [0, ''], args.join(' '))
      for (const command of ['scan', 'watch', 'quarantine', 'completion', 'admin'])
        assert.match(stdout, new RegExp(`^ {2}${command} `, 'm'))
    }
    assert.equal((await docvet('--version')).stdout, `${VERSION}\n`)
  })

  test('of each command; an unknown one is exit 2', async () => {
    for (const command of ['scan', 'watch', 'quarantine', 'completion']) {
      const { code, stdout } = await docvet(command, '--help')
      assert.equal(code, 0)
      assert.match(stdout, new RegExp(`^Usage: docvet ${command} `))
    }
    const { code, stdout, stderr } = await docvet('scam')
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, /scam/)
  })
})

describe('--fail-on', () => {
  for (const [on, expected] of Object.entries({
    any: { clean: 0, locked: 2, infected: 1, missing: 2 },
    infected: { clean: 0, locked: 0, infected: 1, missing: 2 },
    never: { clean: 0, locked: 0, infected: 0, missing: 2 },
  }))
    test(on, async () => {
      const codeOf = async (...names: string[]) => (await scan('--fail-on', on, ...names)).code
      const [clean, locked, infected, missing] = await Promise.all([
        codeOf('clean.txt'),
        codeOf('clean.txt', 'locked.zip'),
        codeOf('eicar.txt', 'locked.zip'),
        codeOf('clean.txt', 'missing.txt'),
      ])
      assert.deepEqual({ clean, locked, infected, missing }, expected)
    })

  test('wrong usage stays 2', async () => {
    assert.equal((await scan('--fail-on', 'never', '--fly')).code, 2)
    assert.equal((await scan('--fail-on', 'sometimes', 'clean.txt')).code, 2)
  })
})

test('what makes a scan fail is said, also where only infected files are printed, and cannot control the terminal', async () => {
  const { code, stdout, stderr } = await scan(
    '--infected',
    '--fail-on',
    'infected',
    'missing\u001b[2J.txt',
    'clean.txt',
  )
  assert.deepEqual([code, stdout, stderr], [2, '', 'missing\\u001b[2J.txt: No such file or folder ERROR\n'])
  symlinkSync(at('eicar.txt'), at('link\u001b[2J.txt'))
  const linked = await scan('--remove', 'link\u001b[2J.txt')
  assert.deepEqual([linked.code, linked.stderr], [1, 'link\\u001b[2J.txt: not removed, because it is a link\n'])
  assert.match(
    (await scan('--rules', 'rules\u001b[2J', 'clean.txt')).stderr,
    /^--rules: rules\\u001b\[2J: No such file/,
  )
})

test('files and folders of options that cannot be used are exit 2, and the message names option and path', async () => {
  for (const [option, place] of [
    ['rules', 'missing'],
    ['feeds', 'missing'],
    ['policy', 'missing'],
    ['policy', '.'],
    ['move', 'clean.txt/below'],
    ['copy', '/proc/below/below'],
  ] as const) {
    const { code, stdout, stderr } = await scan(`--${option}`, place, 'clean.txt')
    assert.deepEqual([code, stdout], [2, ''], option)
    assert.match(stderr, new RegExp(`^--${option}: ${place.replaceAll('.', '\\.')}: \\w`))
  }
})

describe('--rules', () => {
  test('a folder that is missing, has no rules or a broken one is exit 2 before any file is scanned', async () => {
    file('broken/a.yar', 'rule broken {')
    mkdirSync(at('no-rules'))
    for (const [rules, why] of [
      ['nowhere', /nowhere/],
      ['no-rules', /no-rules/],
      ['broken', /a\.yar/],
    ] as const) {
      const { code, stdout, stderr } = await scan('--rules', rules, 'clean.txt')
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, why)
    }
    file('good/a.yar', 'rule Own_Word { strings: $a = "a marmalade of our own" condition: $a }')
    file('marmalade.txt', 'This is a marmalade of our own.')
    const { code, stdout, stderr } = await scan('--rules', 'good', 'marmalade.txt')
    assert.equal(code, 1, stdout + stderr)
  })
})

describe('--feeds', () => {
  const sideCar = JSON.stringify({ kind: 'host', action: 'malicious', maxAgeHours: 24, source: 'ours' })

  test('a folder that is missing or has a broken list is exit 2 before any file is scanned', async () => {
    file('no-lists/bad.txt', 'bad.example')
    for (const [feeds, why] of [
      ['nowhere', /^--feeds: nowhere: No such file or folder$/m],
      ['no-lists', /bad\.txt has no side-car bad\.feed\.json/],
    ] as const) {
      const { code, stdout, stderr } = await scan('--feeds', feeds, 'clean.txt')
      assert.deepEqual([code, stdout], [2, ''], stderr)
      assert.match(stderr, why)
    }
    file('lists/bad.txt', 'bad.example')
    file('lists/bad.feed.json', sideCar)
    file('listed.txt', 'See https://www.bad.example/a.')
    const { code, stdout } = await scan('--feeds', 'lists', 'listed.txt')
    assert.equal(code, 1, stdout)
    assert.match(stdout, /Feed\.bad/)
  })
})

describe('programs', () => {
  const program = readFileSync('/bin/true')

  test('are not scanned, unless they pose as documents', async () => {
    file('programs/tool', program)
    file('programs/setup.exe', program)
    file('programs/invoice.pdf', program)
    file('programs/invoice.pdf.exe', program)
    const { code, stdout } = await scan('programs')
    assert.equal(code, 1)
    const found = Object.fromEntries(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice('programs/'.length).split(': ')[0], line.split(' ').at(-1)]),
    )
    assert.deepEqual(found, { tool: 'ERROR', 'setup.exe': 'ERROR', 'invoice.pdf': 'FOUND', 'invoice.pdf.exe': 'FOUND' })
  })

  test('one with a threat of another kind is found', async () => {
    file('stub.exe', Buffer.concat([program, writeZip([{ name: 'a.txt', data: EICAR }])]))
    assert.match((await scan('stub.exe')).stdout, /Eicar FOUND/)
  })
})

test('results that cannot be written are exit 2 with a message, and a reader that has enough is none', () => {
  const command = `'${process.execPath}' '${DOCVET}' scan --no-summary eicar.txt clean.txt`
  const run = (line: string) => spawnSync('bash', ['-c', line], { cwd: folder, encoding: 'utf8' })
  for (const each of ['help', 'scan --json --no-summary clean.txt']) {
    const { status, stderr } = run(`'${process.execPath}' '${DOCVET}' ${each} > /dev/full`)
    assert.deepEqual([status, stderr], [2, 'Standard output cannot be written: no space left on device (ENOSPC)\n'])
  }
  const { stdout, stderr } = run(`${command} | true; echo "\${PIPESTATUS[0]}"`)
  assert.deepEqual([stdout, stderr], ['2\n', ''])
  // Messages that nobody reads change no exit code: 1 would say that a file is infected.
  assert.equal(run(`${command} --rules missing 2> >(true)`).status, 2)
})

describe('--file-list', () => {
  test('a list that cannot be read is exit 2, and the message names it', async () => {
    for (const [list, why] of [
      ['missing', /^--file-list: missing: No such file or folder$/m],
      ['.', /^--file-list: \.: Is a folder$/m],
    ] as const) {
      const { code, stdout, stderr } = await scan('--fail-on', 'never', '--file-list', list)
      assert.deepEqual([code, stdout], [2, ''])
      assert.match(stderr, why)
    }
  })

  test('a file with names, one a line', async () => {
    file('list', `clean.txt\n\neicar.txt\r\n`)
    const { code, stdout } = await scan('--file-list', 'list')
    assert.equal(code, 1)
    assert.deepEqual(stdout.trimEnd().split('\n').sort(), ['clean.txt: OK', 'eicar.txt: Docvet.Test.Eicar FOUND'])
  })

  test('with - results come while the list grows', async () => {
    const { child, run, ended } = startCommand(['scan', '--no-summary', '--file-list', '-'], { cwd: folder })
    child.stdin.write('clean.txt\n')
    while (!run.stdout.includes('clean.txt: OK')) await once(child.stdout, 'data')
    child.stdin.end('eicar.txt\n')
    assert.equal((await ended).code, 1)
  })
})

describe('infected files', () => {
  test('--move moves only infected files, and overwrites none', async () => {
    file('moving/a.txt', EICAR)
    file('moving/deep/a.txt', EICAR)
    file('moving/clean.txt', 'Dear reader')
    file('moving/locked.zip', LOCKED)
    const { code, stdout, stderr } = await scan('--move', 'moved', 'moving')
    assert.equal(code, 1, stderr)
    assert.match(stdout, /^moving\/a\.txt: Docvet\.Test\.Eicar FOUND$/m)
    assert.deepEqual(readdirSync(at('moving'), { recursive: true }).sort(), ['clean.txt', 'deep', 'locked.zip'])
    assert.deepEqual(readdirSync(at('moved')).sort(), ['a.txt', 'a.txt.001'])
    assert.equal(statSync(at('moved')).mode & 0o777, 0o700)
    assert.deepEqual(readFileSync(at('moved/a.txt')), Buffer.from(EICAR))
  })

  test('a folder of infected files inside the scanned one is left out, also in the next scan', async () => {
    file('inside/a.txt', EICAR)
    for (const expected of [1, 0]) {
      const { stdout } = await scan('--move', 'inside/z', 'inside')
      assert.equal(stdout.match(/FOUND$/gm)?.length ?? 0, expected, stdout)
      assert.deepEqual(readdirSync(at('inside/z')), ['a.txt'])
    }
  })

  test('--copy copies, --remove removes', async () => {
    file('acting/a.txt', EICAR)
    file('acting/clean.txt', 'Dear reader')
    await scan('--copy', 'copied', 'acting')
    assert.deepEqual(readdirSync(at('copied')), ['a.txt'])
    assert.ok(existsSync(at('acting/a.txt')))
    await scan('--remove', 'acting')
    assert.deepEqual(readdirSync(at('acting')), ['clean.txt'])
  })

  test('links are left alone, with a warning and exit 1', async () => {
    file('target.txt', EICAR)
    mkdirSync(at('links'))
    symlinkSync('../target.txt', at('links/a.txt'))
    const { code, stderr } = await scan('--remove', 'links')
    assert.equal(code, 1)
    assert.match(stderr, /links\/a\.txt: not removed, because it is a link/)
    assert.ok(existsSync(at('links/a.txt')) && existsSync(at('target.txt')))
  })

  test('only one of them can be given, and the folder must not be a file', async () => {
    assert.equal((await scan('--move', 'x', '--remove', 'clean.txt')).code, 2)
    assert.equal((await scan('--move', 'clean.txt', 'eicar.txt')).code, 2)
    assert.ok(existsSync(at('eicar.txt')))
  })
})

describe('Ctrl-C', () => {
  test('ends with 130, a valid JSON document and no worker left', async () => {
    const { child, run, ended } = startCommand(['scan', '--json', '--file-list', '-'], { cwd: folder })
    child.stdin.write('clean.txt\n')
    while (!run.stdout.includes('clean.txt')) await once(child.stdout, 'data')
    child.kill('SIGINT')
    const { code, stdout, stderr } = await ended
    assert.equal(code, 130)
    const { results, summary } = JSON.parse(stdout)
    assert.deepEqual([results.length, summary.files, summary.interrupted], [1, 1, true])
    assert.match(stderr, /Interrupted/)
  })
})

describe('a terminal', () => {
  test('shows the total, the rate, the current file and infected files while results scroll', async () => {
    for (let i = 0; i < 300; i++) file(`many/${i}.txt`, `Dear reader ${i}`)
    file('many/x.txt', EICAR)
    const command = `'${process.execPath}' '${DOCVET}' scan many`
    const shown = execFileSync('script', ['-qec', `stty cols 100; ${command} || true`, '/dev/null'], {
      cwd: folder,
      encoding: 'utf8',
    })
    assert.match(shown, /301 files/)
    assert.match(shown, /\d+\/s/)
    assert.match(shown, / infected/)
    assert.match(shown, /many\/\d+\.txt: OK/)
    // Every line of progress is cleared before the next result, and none is longer than the terminal.
    for (const line of shown.split('\r').filter((part) => part.startsWith('\x1b[K'))) {
      const [visible = ''] = line.slice(3).split('\n')
      assert.ok([...visible].length < 101, visible)
    }
  })
})

describe('completion', () => {
  for (const shell of ['bash', 'zsh', 'fish'])
    test(shell, async () => {
      const { code, stdout } = await docvet('completion', shell)
      assert.equal(code, 0)
      for (const word of ['scan', 'watch', 'fail-on', 'quarantine']) assert.ok(stdout.includes(word), word)
    })

  test('bash completes commands, options and their values', async () => {
    const complete = (line: string) => {
      const words = line.split(' ')
      const script = `source <('${process.execPath}' '${DOCVET}' completion bash)
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; COMP_LINE='${line}'
_docvet; printf '%s\\n' "\${COMPREPLY[@]}"`
      return execFileSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
    }
    assert.deepEqual(complete('docvet sc'), ['scan'])
    assert.deepEqual(complete('docvet scan --fail'), ['--fail-on'])
    assert.deepEqual(complete('docvet scan --fail-on i'), ['infected'])
    assert.deepEqual(complete('docvet scan clean'), ['clean.txt'])
  })
})

test('the man page has every command and option', async () => {
  const { code, stdout } = await docvet('help', '--man')
  assert.equal(code, 0)
  assert.match(stdout, /^\.TH DOCVET 1/)
  for (const word of ['\\-\\-fail\\-on', 'watch', 'EXIT STATUS']) assert.ok(stdout.includes(word), word)
})
