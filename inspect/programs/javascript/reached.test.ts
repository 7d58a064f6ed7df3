import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { grant, remainingWork, spend, withAllowance } from './budget.ts'
import { isCut, readScript, type Seen, textsIn } from './javascript.ts'
import { SORTED_MAX } from './list-methods.ts'
import { JSON_MAX } from './objects.ts'
import { parseOld } from './parser.ts'
import { TURNS_MAX } from './timers.ts'

const TOOL = 'ms-msdt:/id PCWDiagnostic'
const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

/** Functions that nothing calls, each of which takes long. */
const LIBRARY = times(
  300,
  (i) =>
    `function f${i}(a,b){for(var i=0;i<a.length;i++){if(a[i]===b)f${(i * 7 + 1) % 300}(a,i);else if(b)f${(i * 3 + 2) % 300}(b,a)}return a}`,
)

const opened = (source: string) => {
  const { assignments, isStopped } = readScript(source)
  return { isStopped, values: assignments.filter(({ name }) => name === 'location').map(({ value }) => value) }
}

function opens(source: string): void {
  const { values, isStopped } = opened(source)
  const isFound = values.some((value) => value.kind === 'constant' && value.value === TOOL)
  assert.ok(isFound || isStopped || values.some(isCut), JSON.stringify(values))
}

suite('functions that nothing calls', () => {
  test('are no reason to stop', () => assert.equal(opened(LIBRARY).isStopped, false))
  test('run after those that can do something', () =>
    assert.deepEqual(
      opened(`${LIBRARY}function go(){location='${TOOL}'}`).values.map((value) => value.kind),
      ['constant'],
    ))
  test('are seen where they are long', () =>
    opens(`${LIBRARY}function go(a){for(var i=0;i<9e9;i++){a=f0(a,f1(a,i))}location=a?'${TOOL}':''}`))
})

suite('a function that calls itself', () => {
  const ways = {
    'an unknown number of times': `var n=0;function r(x){n++;if(n==50)location='${TOOL}';if(x)r(x)}r(window.a)`,
    'by a timer': `var n=0;function r(){n++;if(n>50){location='${TOOL}'}else setTimeout(r,9)}r()`,
    'in a circle': `var n=0;function a(x){n++;if(x)b(x)}function b(x){if(n==90)location='${TOOL}';if(x)a(x)}a(window.q)`,
    'by another name': `var r=function s(n){if(n==0)location='${TOOL}';else s(n-1)};r(9)`,
    'by its arguments': `(function(n){if(n==0)location='${TOOL}';else arguments.callee(n-1)})(9)`,
  }
  for (const [way, source] of Object.entries(ways)) test(way, () => opens(source))
  test('without an end is no reason to stop', () =>
    assert.equal(opened('function wait(){if(window.a)show();else setTimeout(wait,9)}wait()').isStopped, false))
})

suite('a timer', () => {
  const letters = [...TOOL].map((letter) => letter.charCodeAt(0))
  const spelled = (count: number): string =>
    `var i=0,s='',a=[${letters}];function step(){i++;if(i<=a.length)s+=String.fromCharCode(a[i-1]);if(i<${count})setTimeout(step,1);else location=s}step()`
  const ways = {
    'with an argument': `setTimeout(function(x){location=x},9,'${TOOL}')`,
    'that runs after the script': `setTimeout(function(){location=x},9);var x='${TOOL}'`,
    'that runs after another one': `var x;setTimeout(function(){setTimeout(function(){location=x},1)},1);setTimeout(function(){x='${TOOL}'},1)`,
    'that spells a text': spelled(letters.length + 1),
    'as often as it is followed': spelled(TURNS_MAX),
    'more often than it is followed': spelled(TURNS_MAX + 2),
    'that repeats itself': `var i=0,s='',a=[${letters}];var t=setInterval(function(){s+=String.fromCharCode(a[i++]);if(i==a.length){clearInterval(t);location=s}},1)`,
    'that is set by some of many': `for(var i=0;i<99;i++)(function(x){if(window.a)setTimeout(function(){location=x},1)})(i==98?'${TOOL}':'/'+i)`,
    'that was replaced': `var o=window.setTimeout;window.setTimeout=function(f,t){return o.call(window,function(){f()},t)};setTimeout(function(){location='${TOOL}'},1)`,
    'of the next picture': `requestAnimationFrame(function(){location='${TOOL}'})`,
    'that waits for a turn of its own': `var n=0,u;function f(){if(u)location=u;n++;if(n==50)u='${TOOL}';if(window.a)setTimeout(f,1)}f()`,
  }
  for (const [way, source] of Object.entries(ways)) test(way, () => opens(source))
  test('of functions alone puts no text in doubt', () => {
    const source =
      'var o=window.setTimeout;function w(){o=window.setTimeout;window.setTimeout=function(f,t,n){if(window.a)return o.call(window,f,t,n);return o.call(window,function(){f()},t,n)}}if(window.b)w();onload=w;onclick=w;function p(){if(window.c)show();else setTimeout(p,50)}p();setTimeout(function(){p()},9)'
    const { calls, isStopped } = readScript(source)
    assert.equal(isStopped, false)
    assert.deepEqual(
      calls.filter(({ name, args }) => name === 'setTimeout' && isCut(args[0])),
      [],
    )
  })
})

suite('what follows', () => {
  const ways = {
    'a labelled block': `l:{if(1){break l}x=1}location='${TOOL}'`,
    'a loop that is left from inside of another one': `o:for(;;){for(;;){break o}}location='${TOOL}'`,
    'a loop that goes on from inside of another one': `o:for(var i=0;i<2;i++){for(;;){continue o}}location='${TOOL}'`,
    'a label of its own': `l:location='${TOOL}'`,
    'a member that is missing': `if(!{}.x)location='${TOOL}'`,
    'a return for a member that is missing': `function f(o){if(o.x)return;location='${TOOL}'}f({})`,
    'an operand that seems not to run': `var o={};o.x||(location='${TOOL}')`,
    'a loop without a condition': `for(var i=0;;i++){if(i==3)break}location='${TOOL}'`,
    'a comment that ends with a separator': `//\xe2\x80\xa8location='${TOOL}'`,
    'a deletion': `var o={x:1};delete o.x;if(!o.x)location='${TOOL}'`,
    'a shorter list': `var l=[1,2,3];l.length=1;if(l.length==1)location='${TOOL}'`,
    'an empty list that is false': `if([]==false)location='${TOOL}'`,
    'the number of parameters': `function f(a,b){}if(f.length==2)location='${TOOL}'`,
  }
  for (const [way, source] of Object.entries(ways)) test(way, () => opens(source))
  const values = {
    'a map': `var m=new Map();m.set('a','${TOOL}');location=m.get('a')`,
    'a set': `for(var x of new Set(['${TOOL}']))location=x`,
    'a generator': `function* g(){yield '${TOOL}'}for(var x of g())location=x`,
    'a pattern that is searched': `location=/x(.+)y/.exec('x${TOOL}y')[1]`,
    'a test of a pattern': `if(/^b/.test('a'))location='/';else location='${TOOL}'`,
    'the next of a generator': `function* g(){yield '${TOOL}'}location=g().next().value`,
    'a new promise': `new Promise(function(r){r('${TOOL}')}).then(function(x){location=x})`,
    'a tag': `function t(s,x){return x}location=t\`a\${'${TOOL}'}\``,
    'the texts of a tag': `function t(s){return s[0]}location=t\`${TOOL}\``,
    'Reflect.apply': `function f(x){location=x}Reflect.apply(f,null,['${TOOL}'])`,
    'Reflect.get': `location=Reflect.get({u:'${TOOL}'},'u')`,
    JSON: `location=JSON.parse(JSON.stringify({u:['${TOOL}']})).u[0]`,
    'Object.values': `location=Object.values({u:'${TOOL}'})[0]`,
    'Object.entries': `for(var p of Object.entries({u:'${TOOL}'}))location=p[1]`,
    'Object.fromEntries': `location=Object.fromEntries([['u','${TOOL}']]).u`,
    'a sorted list': `location=[[2,'${TOOL.slice(9)}'],[1,'${TOOL.slice(0, 9)}']].sort(function(a,b){return a[0]-b[0]}).map(function(x){return x[1]}).join('')`,
    'the object of with': `with({u:'${TOOL}'}){location=u}`,
    'an object that is a text': `location=''+{toString:function(){return '${TOOL}'}}`,
    'a default within a pattern': `var {a:{b='${TOOL}'}={}}={};location=b`,
  }
  for (const [way, source] of Object.entries(values))
    test(way, () =>
      assert.ok(
        opened(source).values.some((value) => value.kind === 'constant' && value.value === TOOL),
        JSON.stringify(opened(source).values),
      ),
    )
  test('a condition that is false', () => opens(`if([].length)location='${TOOL}'`))
  test('a copied record', () => opens(`var a={u:'${TOOL}'},b={...a};location=b.u`))
})

suite('limits of what is followed', () => {
  const location = (source: string) => opened(source).values.at(-1)
  const sorted = (count: number): string =>
    `var l=[];for(var i=0;i<${count};i++)l.push(i);l.sort(function(a,b){return b-a});location=''+l[0]`
  test('as many items as are sorted', () =>
    assert.deepEqual(location(sorted(SORTED_MAX)), { kind: 'constant', value: String(SORTED_MAX - 1) }))
  test('one more is in doubt', () => assert.ok(isCut(location(sorted(SORTED_MAX + 1)))))
  const parsed = (length: number): string => `location=JSON.parse('"${'a'.repeat(length - 2)}"')`
  test('the longest JSON', () => assert.equal(location(parsed(JSON_MAX))?.kind, 'constant'))
  test('a longer one is in doubt', () => assert.ok(isCut(location(parsed(JSON_MAX + 1)))))
  test('an object with very many handlers', () =>
    assert.equal(opened('var o={};for(var i=0;i<3e5;i++)o["a"+i]=1;$.ajax(o)').isStopped, false))
})

suite('syntax of later years', () => {
  const modern = [
    ...['x=>1', 'var a=`b`', 'class A{}', 'f(...a)', 'function f(...a){}', 'var a=[...b]', 'import a from "a"'],
    ...['export default 1', 'var a={...b}', 'function f(){}\nvar g = class {}'],
  ]
  for (const source of modern) test(source, () => assert.equal(parseOld(source) === null, true))
  const old = [
    ...['"=>"', '// x=>1', '/* `a` */', '/=>`/.test(a)', "'class A{}'", 'a>=b', 'a=b/"=>"/c', 'var klass=1'],
    ...['/*@cc_on @if(0) @*/ x=>1 /*@end @*/', 'var let_=1', 'a.import=1'],
  ]
  for (const source of old) test(source, () => assert.equal(parseOld(source) === null, false))
})

test('an allowance within another one counts for both', () => {
  let left = 0
  withAllowance({ work: 1_000, bytes: 1_000 }, () => {
    withAllowance({ work: 500, bytes: 500 }, () => spend(400))
    left = remainingWork()
  })
  assert.equal(left, 600)
})

test('data of a document add to an allowance as much as it may grow', () => {
  let left: number[] = []
  const given = { work: 1_000, bytes: 1_000 }
  withAllowance(given, () => {
    withAllowance({ work: 500, bytes: 500, more: 300 }, () => {
      left = [grant(200), grant(200), grant(1)].map(Number)
      spend(700)
      left.push(remainingWork())
    })
    left.push(remainingWork())
  })
  assert.deepEqual(left, [1, 1, 0, 100, 300])
  withAllowance(given, () => {
    left = [Number(grant(1)), remainingWork()]
  })
  assert.deepEqual(left, [0, 1_000])
})

suite('a script that ends with an error', () => {
  const BUSY = "function f(a){for(var i=0;i<9e9;i++){a[i]=a[i]+f(a)+String.fromCharCode(i)}}f([]);eval('1')"
  /** Whether it matters that the rest was not followed. */
  const goesOnAfter = (start: string, isFile = true): boolean => {
    let isAsked = false
    const matters = ({ isOver }: Seen): boolean => {
      isAsked = !isOver
      return false
    }
    readScript(`${start};${BUSY}`, new Map(), matters, { host: 'windows', isFile })
    return isAsked
  }
  const ends = {
    'a variable of browsers': 'var u=Uint8Array;u(1)',
    'a variable of another script': 'jQuery.fn.x=1',
    'a page': 'document.title',
    'a variable that nothing has defined so far': "window.x=1;var t='window'",
    'a variable after a byte order mark': '\xef\xbb\xbf(function(){window.x=1})()',
    'a variable that is an argument of the first call': '(function(w){var window=w;return {window:w}})(window)',
  }
  for (const [way, source] of Object.entries(ends))
    test(`because of ${way}`, () => assert.equal(goesOnAfter(source), false))
  const goesOn = {
    nothing: '1',
    'a variable of the host': 'var u=WScript.Path',
    'a variable that is tested': "if(typeof Uint8Array=='function')x=1",
    'a variable that may be read': 'if(this.a)x=Uint8Array',
    'a variable in a try': 'try{x=Uint8Array}catch(e){}',
    'a variable that is declared later': 'x=u;var u',
    'the name of a function expression': 'var g=function h(){};x=h',
    'a member of the object of all variables': "this['Uint8'+'Array']=1;x=Uint8Array",
    'a member by a name that is not known': 'this[WScript.Path]=1;x=Uint8Array',
    'a text that is run': "eval('va'+'r u=1');x=u",
    'a text that is not known': 'eval(WScript.Path);x=Uint8Array',
    'a statement with an object': 'with(WScript.Path){x=Uint8Array}',
    'a function that is not called': 'function g(){return Uint8Array}',
    'a variable that something may have defined': "WScript.Load();window.x=1;var t='window'",
  }
  for (const [way, source] of Object.entries(goesOn))
    test(`not because of ${way}`, () => assert.equal(goesOnAfter(source), true))
  test('in a job of several scripts is not known', () => assert.equal(goesOnAfter('x=Uint8Array', false), true))
})

suite('in a library, a test for a variable of browsers or Node.js', () => {
  const callsOf = (source: string, reading = { isFile: true, isLibrary: true }): string =>
    readScript(source, new Map(), () => true, { host: 'windows', ...reading })
      .calls.filter(({ isReached }) => isReached)
      .map(({ name }) => name)
      .filter((name) => name === 'yes' || name === 'no')
      .join()
  const asked = (name: string): string => `if(typeof ${name}!=='undefined')yes();else no()`
  for (const name of ['exports', 'module', 'define', 'window', 'self', 'process', 'require'])
    test(`${name} has one answer`, () => assert.equal(callsOf(asked(name)), 'no'))
  const both = {
    'of the language': asked('Symbol'),
    'that is declared': `var exports;${asked('exports')}`,
    'that is a parameter': `function f(exports){${asked('exports')}}f(WScript.Path)`,
    'after a text that is not known': `eval(WScript.Path);${asked('exports')}`,
    'after a member by a name that is not known': `this[WScript.Path]=1;${asked('exports')}`,
    'in a statement with an object': `with(WScript.Path){${asked('exports')}}`,
  }
  for (const [way, source] of Object.entries(both))
    test(`has two ${way}`, () => {
      const found = callsOf(source)
      assert.ok(found.includes('yes') || way === 'that is declared', found)
    })
  test('has two in other scripts', () => {
    assert.equal(callsOf(asked('exports'), { isFile: true, isLibrary: false }), 'yes,no')
    assert.equal(callsOf(asked('exports'), { isFile: false, isLibrary: true }), 'yes,no')
  })
  test('that is assigned has the other one', () => assert.equal(callsOf(`exports={};${asked('exports')}`), 'yes'))
})

suite('code with names of arguments in doubt', () => {
  const names = (separator: string, item: string): string =>
    `var n=window.n,a=[],p=['calc','.exe'];for(var i=0;i<n;i++)a[i]=${item};if(window.b)a[0]='a[1]';if(window.c)a[1]='a[0]';` +
    `if(window.d)a[2]='a[0]';if(window.e)a[3]='a[3]';if(window.f)a[4]='a[4]';var t=a.join(${separator});`
  const inDoubt = (source: string): boolean => {
    const { calls, assignments, isStopped } = readScript(source)
    return isStopped || calls.some(({ args }) => args.some(isCut)) || assignments.some(({ value }) => isCut(value))
  }
  const call = 'var f=Function("F,a","return new F("+t+")");'
  const hidden = {
    'joined by nothing': `${names("''", '"a["+i+"]"')}${call}`,
    'joined by another text': `${names("'+'", '"a["+i+"]"')}${call}`,
    'that are more than names': `${names("','", '"a("+i+")"')}${call}`,
    'that are run by eval': `${names("','", '"a["+i+"]"')}eval(t)`,
    'that are an address': `${names("','", '"a["+i+"]"')}location=t`,
    'whose function gets eval': `${names("','", '"a["+i+"]"')}${call}f(eval,p)`,
    'whose function makes an address': `${names("','", '"a["+i+"]"')}${call}location=f(String,p)`,
  }
  for (const [way, source] of Object.entries(hidden)) test(way, () => assert.equal(inDoubt(source), true))
  test('hides nothing', () => assert.equal(inDoubt(`${names("','", '"a["+i+"]"')}${call}f(String,p)`), false))
  test('hides nothing without items of a list', () =>
    assert.equal(inDoubt(`${names("','", '"$"+i')}${call}f(String,p)`), false))
  test('is nothing where items are not known', () =>
    assert.equal(
      inDoubt(
        'var l=[],c=document.all,n=c.length;for(var i=0;i<n;i++){if(c[i].a)l.pop();l.push(c[i].innerHTML)}eval(l.join("\\n"))',
      ),
      false,
    ))
})

suite('a handler that sets itself again', () => {
  const letters = [...TOOL].map((letter) => letter.charCodeAt(0))
  const button = 'document.getElementById("b")'
  const ways = {
    'with other arguments': `var a=[${letters}];function step(s,n){if(n==a.length)location=s;else ${button}.onclick=function(){step(s+String.fromCharCode(a[n]),n+1)}}step('',0)`,
    'after a variable has changed': `var n=0;function draw(){${button}.onclick=function(){n++;if(n==12)location='${TOOL}';draw()}}draw()`,
    'after a list has changed': `var l=[];function draw(){${button}.onclick=function(){l.push(1);if(l.length==9)location='${TOOL}';draw()}}draw()`,
    'after a member has changed': `var o={};function draw(){${button}.onclick=function(){if(o.b)location='${TOOL}';if(o.a)o.b=1;o.a=1;draw()}}draw()`,
  }
  for (const [way, source] of Object.entries(ways)) test(`runs again ${way}`, () => opens(source))
  test('and does the same as before is followed to its end', () => {
    const { isStopped, isJoined } = readScript(
      `var rows=JSON.parse(localStorage.rows||'[]');function save(){localStorage.rows=JSON.stringify(rows);draw()}function draw(){rows.forEach((row,i)=>{const b=document.createElement('button');b.onclick=()=>{rows.splice(i,1);save()};document.body.append(row.name,b)})}draw()`,
    )
    assert.deepEqual({ isStopped, isJoined }, { isStopped: false, isJoined: false })
  })
})

suite('of a text that is partly unknown, the rest is known', () => {
  const made = {
    'joined items': '[word,"run",id].join(" ")',
    'items of which one may be missing': '[word,"run",window.a?id:undefined].join(" ")',
    'a text with another one': 'word.concat(" run ",id)',
    'a text that is filled in': '"tool run NUMBER".replace("NUMBER",id)',
    'a text that is made of what is found': '"tool run NUMBER".replace(/[A-Z]+/,()=>id)',
    'many items that the page may have elsewhere': `[...(JSON.parse(localStorage.a)||["tool","run",${times(9, (i) => `"${i}",`)}"end"])].join(" ")`,
  }
  for (const [way, source] of Object.entries(made))
    test(way, () => {
      const { assignments } = readScript(`var word="tool",id=Math.floor(Math.random()*9);f.value=${source}`)
      const texts = textsIn(assignments.map(({ value }) => value))
      assert.ok(
        texts.some((text) => text.startsWith('tool run ')),
        JSON.stringify(assignments),
      )
      assert.ok(!assignments.some(({ value }) => isCut(value)))
    })
  test('unless each item is one of two', () => {
    const source = `var l=[${[...TOOL].map((letter, i) => (i % 2 === 0 ? `window.a?'${letter}':'x'` : `window.b?'x':'${letter}'`))}];location=l.join('')`
    opens(source)
  })
})
