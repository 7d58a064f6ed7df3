/** Scripts are understood as far as they are constant, whatever they hide their texts behind. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { withinBudget } from '#inspect/core/work.ts'
import { EVALUATION_DEPTH_MAX } from './calls.ts'
import { FOLDED_MAX, type Folded, GAP, isCut, readScript, textsIn } from './javascript.ts'
import { NESTING_MAX } from './parser.ts'
import { CALLS_DEPTH_MAX } from './settled-calls.ts'
import { ALTERNATIVES_MAX, SEVERAL_MAX } from './values.ts'

function argsOf(source: string, name: string): string[] {
  return textsIn(
    readScript(source)
      .calls.filter((call) => call.name === name)
      .flatMap(({ args }) => args),
  )
}

suite('a text is put together from', () => {
  const sources: [string, string][] = [
    ['a constant', 'f("calc.exe")'],
    ['pieces', 'f("ca" + \'lc\' + `.exe`)'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code
    ['a template', 'var a = "calc"; f(`${a}.${"e" + "xe"}`)'],
    ['escapes', String.raw`f("\x63\u0061\u{6c}\143.exe")`],
    ['a continued line', 'f("calc\\\n.exe")'],
    ['character codes', 'f(String.fromCharCode(99, 0x61, 108, 99) + ".exe")'],
    ['character codes in a list', 'f(String.fromCharCode.apply(null, [99,97,108,99,46,101,120,101]))'],
    ['percent signs', 'f(unescape("%63%u0061lc.exe"))'],
    ['percent signs of addresses', 'f(decodeURIComponent("%63alc.exe"))'],
    ['Base64', 'f(atob("Y2FsYy5leGU="))'],
    ['a buffer as a text', 'f(Buffer.from("Y2FsYy5leGU=", "base64").toString())'],
    ['a buffer of changed numbers', 'f(Buffer.from([98,96,109,98,47,100,121,100].map((n) => n ^ 1)).toString("utf8"))'],
    ['a changed buffer', 'f(Buffer.from("62606d622f647964", "hex").map((n) => n ^ 1).toString("latin1"))'],
    ['joined buffers', 'f(Buffer.concat([Buffer.from("calc"), Buffer.from(".exe")]).toString())'],
    ['a part of a buffer', 'f(Buffer.from("a calc.exe").subarray(2).toString())'],
    ['Base64 of a buffer', 'f(new TextDecoder("utf-8").decode(Buffer.from("Y2FsYy5leGU=", "base64")))'],
    ['a reversed text', 'f("exe.clac".split("").reverse().join(""))'],
    ['a text without its padding', 'f("c#a#l#c#.exe".replace(/#/g, ""))'],
    ['a list', 'f(["calc", "exe"].join("."))'],
    ['a list by index', 'var t = ["exe", "calc", "."]; f(t[1] + t[2] + t[0])'],
    ['a loop', 'var s = ""; for (var i = 0; i < 8; i++) s += "exe.clac".charAt(7 - i); f(s)'],
    ['a loop over keys', 'var s = "", a = {x: "calc", y: ".exe"}; for (var k in a) s += a[k]; f(s)'],
    [
      'XOR with a key',
      'var d=[98,96,109,98,47,100,121,100],s="";for(var i=0;i<d.length;i++){s+=String.fromCharCode(d[i]^1)}f(s)',
    ],
    [
      'XOR with a text',
      'var d="",k="key",c="\\b\\u0004\\u0015\\bK\\u001c\\u0013\\u0000";for(let i=0;i<c.length;i++)d+=String.fromCharCode(c.charCodeAt(i)^k.charCodeAt(i%k.length));f(d)',
    ],
    ['a mapped list', 'f([100,98,109,100,47,102,121,102].map(c => String.fromCharCode(c - 1)).join(""))'],
    ['a function', 'function d(x) { return x.split("").reverse().join("") } f(d("exe.clac"))'],
    ['numbers in another base', 'f((31).toString(36) === "v" ? "calc.exe" : "")'],
    ['slices', 'f("xxcalc.exeyy".substr(2, 8))'],
    ['matches of a pattern one after another', 'var r=/[^#]/g,m,s="";while(m=r.exec("c#alc.#exe"))s+=m[0];f(s)'],
    ['matches from a place', 'var r=/c.*/g;r.lastIndex=2;f(r.exec("cxcalc.exe")[0])'],
    ['the place where a match ended', 'var r=/x/g;r.test("xxx");f("ycalc.exe".slice(r.lastIndex))'],
    ['the source of a pattern', 'f(/calc/.source + ".exe")'],
    [
      'a while loop that counts down',
      'var k="calc|exe".split("|"),c=2,p="0.1";while(c--)p=p.replace(new RegExp("\\\\b"+c+"\\\\b","g"),k[c]);f(p)',
    ],
    [
      'a switch in a loop',
      'var o="1|0".split("|"),i=0,s="";while(i<2){switch(o[i++]){case "0":s+=".exe";continue;case "1":s+="calc";continue}break}f(s)',
    ],
  ]
  for (const [name, source] of sources) test(name, () => assert.deepEqual(argsOf(source, 'f'), ['calc.exe']))
})

suite('a call is recognised', () => {
  const sources: [string, string][] = [
    ['by name', 'app.launchURL("x")'],
    ['by a built key', 'app["launch" + "URL"]("x")'],
    ['by an escaped name', String.raw`app.l\u0061unchURL("x")`],
    ['through a variable', 'var a = app, f = a.launchURL; f("x")'],
    ['through this', 'this.app.launchURL("x")'],
    ['in text that is run', 'eval("app.launch" + "URL(\'x\')")'],
    ['in text that is run by a sequence', '(0, eval)("app.launchURL(\'x\')")'],
    ['in text that is run by another name', 'e = ("a")[("b", "eval")]; e(\'app.launchURL("x")\')'],
    ['in a function made of text', 'new Function("a", "app.launchURL(a)")("x")'],
    ['in a function made by a constructor', '[]["flat"]["constructor"]("app.launchURL(\'x\')")()'],
    ['in text that is run later', 'app.setTimeOut("app.launchURL(\'x\')", 10)'],
    ['in text within text', String.raw`eval("eval(\"app.launchURL('x')\")")`],
    ['in a branch', 'if (app.viewerVersion > 9) app.launchURL("x"); else app.alert(1)'],
    ['in both branches', 'var u = app.v ? 1 : app.launchURL("x")'],
    ['in a handler', 'try { nothing() } catch (e) { app.launchURL("x") }'],
    ['in a function that nothing calls', 'function open() { app.launchURL("x") }'],
    ['in an arrow function', 'document.addEventListener("load", () => { app.launchURL("x") })'],
    ['after text that is no script', 'var = ) %% ; \n app.launchURL("x")'],
    ['after an endless loop', 'for (;;) { i++ } app.launchURL("x")'],
    [
      'after many steps',
      'for (var i = 0; i < 1e9; i++) { a = i } for (i = 0; i < 1e9; i++) { a = i } app.launchURL("x")',
    ],
    ['after a comment', '<!-- x\n/* " */ app.launchURL("x") // "'],
    ['after a regular expression', 'var r = /["/]/g, s = 4 / 2 / 1; app.launchURL("x")'],
  ]
  for (const [name, source] of sources) test(name, () => assert.deepEqual(argsOf(source, 'app.launchURL'), ['x']))
})

test('a method of what may be null is no function without a name', () => {
  const find = 'function find(n){while(n&&n.list){if(n.list.has("a"))return n;n=n.parent}return null}'
  const { calls } = readScript(`${find}onclick=function(e){var g=find(e.target);if(g)g.get("x");else stop()}`)
  assert.deepEqual(
    calls.filter(({ name }) => name === ''),
    [],
  )
  assert.ok(calls.some(({ name, args }) => /\.get$/.test(name) && textsIn(args).includes('x')))
  assert.ok(readScript('var g=null;if(a)g={f:b};g.f("x")').calls.some(({ name }) => name === 'b'))
})

test('unknown parts of a text leave a gap', () => {
  assert.deepEqual(argsOf('f("http://a/?d=" + getField("b").value + "&c")', 'f'), [`http://a/?d=${GAP}&c`])
})

test('texts of the document are known by the name that the script uses', () => {
  const values = new Map([['getField("b").value', 'calc.exe']])
  const { calls } = readScript('f(this.getField("b").value)', values)
  assert.deepEqual(textsIn(calls.find(({ name }) => name === 'f')?.args ?? []), ['calc.exe'])
})

test('results are named by the call and its first text', () => {
  const { calls } = readScript('var s = new ActiveXObject("WScript" + ".Shell"); s.Run("cmd")')
  assert.deepEqual(
    calls.map(({ name, isNew }) => [name, isNew]),
    [
      ['ActiveXObject', true],
      ['ActiveXObject("WScript.Shell").Run', false],
    ],
  )
})

test('results of unknown values are named by them', () => {
  const { calls } = readScript('eval(unescape(this.getAnnots({ nPage: 0 })[0].subject.replace(/z/g, "%")))')
  const [arg] = calls.find(({ name }) => name === 'eval')?.args ?? []
  assert.ok(arg?.kind === 'unknown')
  assert.equal(arg.name, 'unescape(getAnnots().0.subject.replace())')
})

test('assignments to members are listed', () => {
  const { assignments } = readScript('var a = document.createElement("a"); a.download = "x.zip"; location = "b"')
  assert.deepEqual(
    assignments.map(({ name, value }) => [name, (value as Extract<Folded, { kind: 'constant' }>).value]),
    [
      ['document.createElement("a").download', 'x.zip'],
      ['location', 'b'],
    ],
  )
})

test('bytes are passed as bytes', () => {
  const { calls } = readScript(
    'var b = atob("TVo="), u = new Uint8Array(b.length); for (var i = 0; i < b.length; i++) u[i] = b.charCodeAt(i); new Blob([u])',
  )
  const [list] = calls.find(({ name }) => name === 'Blob')?.args ?? []
  const [bytes] = list?.kind === 'list' ? list.items : []
  assert.deepEqual(bytes, { kind: 'bytes', bytes: Uint8Array.of(0x4d, 0x5a) })
})

test('calls in functions that nothing calls are marked', () => {
  const { calls } = readScript('function a() { f(1) } function b() { g(1) } b(); on(function () { h(1) })')
  const reached = new Map(calls.map(({ name, isReached }) => [name, isReached]))
  assert.deepEqual([reached.get('f'), reached.get('g'), reached.get('h')], [false, true, true])
})

test('text that is run is listed, and whether it was built', () => {
  const { evaluated } = readScript('eval("a(1)"); eval("b" + "(2)")')
  assert.deepEqual(evaluated, [
    { text: 'a(1)', by: 'eval', isBuilt: false, isReached: true },
    { text: 'b(2)', by: 'eval', isBuilt: true, isReached: true },
  ])
})

test('names in code that never runs are listed', () => {
  const { names } = readScript('if (false) this.exportDataObject({ nLaunch: 2 })')
  assert.ok(names.has('exportDataObject') && names.has('nLaunch'))
})

suite('a piece of a known text by a pattern that is not computed is in doubt', () => {
  const pattern = '/(?:a|b)*(?:c|d)+x{2,}/'
  for (const use of [
    `${pattern}.exec(t)[0]`,
    `t.match(${pattern})[0]`,
    `t.replace(${pattern},"")`,
    `t.split(${pattern})[0]`,
  ])
    test(use, () => {
      const [call] = readScript(`var t=unescape("%61");eval(${use})`).calls.filter(({ name }) => name === 'eval')
      assert.equal(isCut(call?.args[0]), true)
    })
})

suite('replaced texts', () => {
  const packed = (code: string, words: string): string =>
    `eval(function(p,a,c,k,e,d){e=function(c){return(c<a?'':e(parseInt(c/a)))+((c=c%a)>35?String.fromCharCode(c+29):c.toString(36))};if(!''.replace(/^/,String)){while(c--){d[e(c)]=k[c]||e(c)}k=[function(e){return d[e]}];e=function(){return'\\\\w+'};c=1};while(c--){if(k[c]){p=p.replace(new RegExp('\\\\b'+e(c)+'\\\\b','g'),k[c])}}return p}('${code}',62,${words.split('|').length},'${words}'.split('|'),0,{}))`
  for (const [source, text] of [
    [`f("a-b".replace(/(\\w)-(\\w)/, "$2$1$$&"))`, 'ba$&'],
    [`f("a1b22".replace(/[a-z](\\d+)/g, function (all, digits, at) { return digits + at }))`, '10222'],
    [`f("".replace(/^/, String))`, ''],
    [`f("%41".replace("%41", unescape))`, 'A'],
    [`f("x".replace(/y/, window.q))`, 'x'],
    [packed('0(1)', 'f|2'), '2'],
  ] as const)
    test(source.slice(0, 60), () => {
      const [call] = readScript(source).calls.filter(({ name }) => name === 'f')
      const [value] = call?.args ?? []
      assert.equal(value?.kind === 'constant' ? String(value.value) : null, text)
    })
})

suite('limits', () => {
  const nestedEvals = (count: number): string => {
    let source = 'f(1)'
    for (let i = 0; i < count; i++) source = `eval(${JSON.stringify(source)})`
    return source
  }
  test('texts that are run by texts', () => {
    const reached = (count: number) => readScript(nestedEvals(count)).calls.some(({ name }) => name === 'f')
    assert.equal(reached(EVALUATION_DEPTH_MAX - 1), true)
    assert.equal(reached(EVALUATION_DEPTH_MAX), false)
  })
  test('steps of loops and functions that call each other', () => {
    const isLost = (source: string): boolean => {
      const { calls, isStopped } = readScript(source)
      return isStopped || calls.some(({ name, args }) => name === 'f' && args.some(isCut))
    }
    assert.equal(isLost(nestedEvals(EVALUATION_DEPTH_MAX)), true)
    assert.equal(isLost(nestedEvals(EVALUATION_DEPTH_MAX - 1)), false)
    const turns = (count: number): string => `var s='';for(var i=0;i<${count};i++){s+='a'}f(s)`
    assert.equal(isLost(turns(1e6)), true)
    assert.equal(isLost(turns(1e3)), false)
    const within = (count: number): string => `function g(n,s){if(n==0)f(s);else g(n-1,s+'a')}g(${count},'')`
    assert.equal(isLost(within(CALLS_DEPTH_MAX)), true)
    assert.equal(isLost(within(CALLS_DEPTH_MAX - 1)), false)
  })
  test('values that a variable may have', () => {
    const script = (count: number, rest: string) =>
      `var u = "0"; ${Array.from({ length: count - 1 }, (_, i) => `if (x == ${i}) u = "${i + 1}";`).join('')} ${rest}`
    const texts = (count: number) => new Set(argsOf(script(count, 'f(u)'), 'f'))
    assert.equal(texts(ALTERNATIVES_MAX).size, ALTERNATIVES_MAX)
    assert.equal(texts(ALTERNATIVES_MAX + 1).size, ALTERNATIVES_MAX + 1)
    assert.equal(texts(SEVERAL_MAX).size, SEVERAL_MAX)
    assert.equal(texts(SEVERAL_MAX + 1).size, SEVERAL_MAX)
    // Texts that are made of them are only known for the first number.
    const made = (count: number) => argsOf(script(count, 'f(u + "!")'), 'f')
    assert.deepEqual(new Set(made(ALTERNATIVES_MAX)).size, ALTERNATIVES_MAX)
    assert.deepEqual(made(ALTERNATIVES_MAX + 1), [`${GAP}!`])
    const isCut = (count: number) =>
      readScript(script(count, 'f(u)')).calls.some(({ args: [arg] }) => arg?.kind === 'unknown' && arg.isCut)
    assert.deepEqual([isCut(SEVERAL_MAX), isCut(SEVERAL_MAX + 1)], [false, true])
  })
  test('nesting', () => {
    for (const [open, close] of [
      ['(', ')'],
      ['[', ']'],
      ['{', '}'],
      ['!', ''],
      ['new ', ''],
      ['f(', ')'],
      ['a?', ':b'],
      ['a=>', ''],
      ['`${', '}`'],
      ['if(a)', ''],
    ] as const) {
      const script = readScript(`${open.repeat(NESTING_MAX * 10)}1${close.repeat(NESTING_MAX * 10)};g(1)`)
      assert.equal(script.isComplete, false, open)
    }
  })
  test('hostile scripts end within the budget', () => {
    for (const source of [
      'a+'.repeat(20_000),
      'a.b'.repeat(20_000),
      'a('.repeat(20_000),
      '"'.repeat(20_000),
      '/'.repeat(20_000),
      'for(;;)'.repeat(5_000),
      'for(var i=0;i<1e6;i++)for(var j=0;j<1e6;j++){s+=s}',
      'function f(){f();f()}f()',
      'var s="a";while(1)s+=s',
      'var a=[];while(1)a=[a,a]',
      'var a=[];for(;;)a.push(a);a.join()',
      'x="a".repeat(1e7);while(1)y=x.split("")',
    ]) {
      const { exceeded, work } = withinBudget(LIMITS, () => void readScript(source))
      assert.ok(exceeded || work <= LIMITS.workMax, source.slice(0, 40))
    }
  })
})

test('of lists within each other, so many values are recorded', () => {
  const isWhole = (count: number) => {
    const { calls } = readScript(`var l=[${"'a',".repeat(99)}];f([${'l,'.repeat(count)}])`)
    return !calls.some(({ args: [arg] }) => isCut(arg))
  }
  // Each list counts as well, and the one around them.
  assert.equal(isWhole(Math.floor((FOLDED_MAX - 1) / 100)), true)
  assert.equal(isWhole(Math.floor((FOLDED_MAX - 1) / 100) + 1), false)
})

test('a list with gaps has no holes', () => {
  const { calls } = readScript('var a = ["x"]; a[3] = "y"; f(a)')
  assert.deepEqual(textsIn(calls[0]?.args ?? []), ['x', 'y'])
})
