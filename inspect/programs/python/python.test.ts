import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readPython } from './python.ts'
import { GAP } from './tokens.ts'

const kinds = (source: string): string[] =>
  readPython(source)
    .effects.filter(({ kind }) => kind !== 'save' && kind !== 'call')
    .map(({ kind, text }) => `${kind} ${text.replaceAll(GAP, '?')}`.trim())

suite('effects of Python', () => {
  const CASES: [source: string, ...effects: string[]][] = [
    ['import os\nos.system("calc")', 'start calc'],
    ['import os as o\ndef main(*a):\n  o.system("calc")', 'start calc'],
    ['import os.path as p, os as o\no.popen("calc")', 'start calc'],
    ['from os import system as s\ns("calc")', 'start calc'],
    ['from os import (\n  path,\n  system as s,\n)\ns("calc")', 'start calc'],
    ['from os import *\nsystem("calc")', 'start calc'],
    ['def f():\n  run("calc")\nfrom os import system as run', 'start calc'],
    ['import os\nrun = os.system\nrun("ca" + "lc")', 'start calc'],
    ['import os\ngetattr(os, "sys" + "tem")("calc")', 'start calc'],
    ['from os import system as s\ndef main(*a):\n  s("calc")', 'start calc'],
    ['import os\nrun = [os.system]\ndef main(*a):\n  run[0]("calc")', 'start calc'],
    ['from os import *\ndef main(*a):\n  system("calc")', 'start calc'],
    ['import os\nclass A:\n  run = os.system\n  def main(self):\n    self.run("calc")', 'start calc'],
    ['import os\ngetattr(os, name)("calc")', 'code'],
    ['__import__("os").system("calc")', 'start calc'],
    ['__import__("".join(["o", "s"])).system("calc")', 'start calc'],
    ['import importlib\nimportlib.import_module("so"[::-1]).system("calc")', 'start calc'],
    ['import sys\nsys.modules["os"].system("calc")', 'start calc'],
    ['__builtins__.__dict__["__import__"]("os").system("calc")', 'start calc'],
    ['import os\nos.__dict__["system"]("calc")', 'start calc'],
    ['import subprocess\nsubprocess.Popen(["calc", "/a"], shell=True)', 'start calc /a'],
    ['import subprocess as s\ns.run(args=["calc"])', 'start calc'],
    ['import threading, os\nthreading.Thread(target=os.system, args=("calc",)).start()', 'start calc'],
    ['import os\n{"a": os.system}["a"]("calc")', 'start calc'],
    ['import os\nos.system(f"calc {x}")', 'start calc ?'],
    ['import os\nos.system("""ca\\\nlc""")', 'start calc'],
    ['exec("import os\\nos.system(\'calc\')")', 'start calc'],
    ['import base64 as b\nexec(b.b64decode("aW1wb3J0IG9zCm9zLnN5c3RlbSgnY2FsYycp").decode())', 'start calc'],
    [
      'eval(compile(bytes.fromhex("5f5f696d706f72745f5f28276f7327292e73797374656d282763616c632729"), "a", "exec"))',
      'start calc',
    ],
    ['import codecs\nexec(codecs.decode("vzcbeg bf; bf.flfgrz(\'pnyp\')", "rot13"))', 'start calc'],
    ['import os, urllib.parse\nos.system(urllib.parse.unquote("%63alc"))', 'start calc'],
    ['import os, html\nos.system(html.unescape("&#99;a&#x6c;c"))', 'start calc'],
    ['import os, json\nos.system(json.loads("{\\"a\\": \\"\\\\u0063alc\\"}")["a"])', 'start calc'],
    ['import os, re\nos.system("".join(re.findall("(.)-", "c-a-l-c-")))', 'start calc'],
    ['import os, re\nos.system("".join(m.group(1) for m in re.finditer("(.)-", "c-a-l-c-")))', 'start calc'],
    ['import os\nos.system("dbmd".translate(str.maketrans("bdm", "acl")))', 'start calc'],
    ['import os\nos.system("dbmd".translate({i + 1: i for i in range(97, 123)}))', 'start calc'],
    [
      'import os, itertools as i\nos.system("".join(chr(a ^ b) for a, b in zip([98, 98, 109, 96], i.cycle([1, 3]))))',
      'start calc',
    ],
    ['import os, base64\nos.system(base64.b32decode("MNQWYYY=").decode())', 'start calc'],
    ['import os, base64\nos.system(base64.b85decode("V_|G#").decode())', 'start calc'],
    ['import os\nos.system("".join({i: c for i, c in enumerate("calc")}.values()))', 'start calc'],
    ['import os\nos.system(f"{99:c}alc")', 'start calc'],
    [
      'import os\nk, t = 1667329123, ""\nwhile k:\n  k, r = divmod(k, 256)\n  t = chr(r) + t\nos.system(t)',
      'start calc',
    ],
    ['exec("".join(map(chr, [111, 61, 49])))'],
    ['exec(downloaded)', 'code'],
    [
      's = ctx.ServiceManager.createInstanceWithContext("com.sun.star.system.SystemShellExecute", ctx)\ns.execute("cmd.exe", "/c calc", 0)',
      'start cmd.exe /c calc',
    ],
    ['run(smgr.createInstance("com.sun.star.system." + "SystemShellExecute"))', 'start'],
    [
      'f = smgr.createInstance("com.sun.star.bridge.oleautomation.Factory")\nf.createInstance("WScript.Shell").Run("calc")',
      'start calc',
    ],
    ['from urllib.request import urlopen as u\nu("http://192.0.2.1/a")', 'fetch http://192.0.2.1/a'],
    ['import socket\ns = socket.socket()', 'fetch'],
    ['from ctypes import windll\nwindll.kernel32.VirtualAlloc(0, 1, 2, 3)', 'memory'],
    // Harmless.
    ['import os\nos.path.join("a", "b")\nos.environ.get("HOME")\nos.listdir(".")'],
    ['from os import path\nimport urllib.parse\nurllib.parse.quote("a b")'],
    ['import re\nre.compile("os.system")\n# os.system("calc")\nx = "os.system(1)"'],
    ['"""\nimport os\nos.system("calc")\n"""\nprint("subprocess.Popen")'],
    ['def main(doc):\n  title = getattr(doc, "Title")\n  doc.execute("calc")\n  cursor.exec("select 1")'],
    ['cell = sheet.getCellByPosition(0, 0)\ncell.String = "a" + str(1)\nfor i in range(3):\n  if i == 1: pass'],
    ['desktop = smgr.createInstanceWithContext("com.sun.star.frame.Desktop", ctx)\ndesktop.loadComponentFromURL("a")'],
  ]
  for (const [source, ...effects] of CASES) test(source, () => assert.deepEqual(kinds(source), effects))

  test('brackets within brackets count as code that is not known, one more than is followed', () => {
    const nested = (depth: number): string => `${'('.repeat(depth)}1${')'.repeat(depth)}`
    assert.deepEqual(kinds(nested(99)), [])
    assert.deepEqual(kinds(nested(100)), ['code'])
  })

  test('unfinished code is read to its end', () => {
    for (const source of ['(', 'f(', '[', '"', '"""', 'import', 'from a import (', 'x =', '\\', 'getattr(', 'a.b.'])
      assert.deepEqual(kinds(source), [], source)
  })
})

test('code of numbers in a function that others call is hidden', () => {
  const inFunction = (code: string): string =>
    `def f():\n  try:\n    v = ${code}\n    exec(compile(v, "a", "exec"))\n  except Exception:\n    pass\n`
  assert.equal(readPython(inFunction('bytes(x - 3 for x in (108, 112)).decode()')).isHidden, true)
  assert.equal(readPython(inFunction('"print(" + str(1) + ")"')).isHidden, false)
})
