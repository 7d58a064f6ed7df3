import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readScript } from './javascript.ts'

const TOOL = 'ms-msdt:/id PCWDiagnostic'

/** Each opens the tool by an object of its own. */
const WAYS = {
  'a member': `function W(a){this.a=a}location=new W('${TOOL}').a`,
  'a method': `function W(){this.a='${TOOL}'}W.prototype.go=function(){location=this.a};new W().go()`,
  'an argument of a method': `function W(){}W.prototype={go:function(a){location=a}};new W().go('${TOOL}')`,
  'a method of a literal': `var o={a:'${TOOL}',go:function(){location=this.a}};o.go()`,
  'a method by its name': `var o={a:'${TOOL}',go:function(){location=this.a}};o['g'+'o']()`,
  'another name for this': `function W(){var s=this;s.a='${TOOL}';s.go=function(){location=s.a}}new W().go()`,
  'an arrow': `function W(){this.a='${TOOL}';this.go=()=>{location=this.a}}new W().go()`,
  call: `function go(){location=this.a}go.call({a:'${TOOL}'})`,
  apply: `function go(b){location=this.a+b}go.apply({a:'ms-msdt:'},['/id PCWDiagnostic'])`,
  bind: `function go(){location=this.a}go.bind({a:'${TOOL}'})()`,
  'bind with arguments': `function go(b){location=this.a+b}go.bind({a:'ms-msdt:'},'/id PCWDiagnostic')()`,
  'a bound handler': `function go(){location=this.a}window.onload=go.bind({a:'${TOOL}'})`,
  'a method that a method calls': `function W(){}W.prototype={a:function(){return '${TOOL}'},go:function(){location=this.a()}};new W().go()`,
  'a member of a function': `function W(){}W.a='${TOOL}';location=W.a`,
  'a function of a function': `function W(){}W.go=function(){location=W.a};W.a='${TOOL}';W.go()`,
  'a class': `class W{constructor(a){this.a=a}go(){location=this.a}}new W('${TOOL}').go()`,
  'a field': `class W{a='${TOOL}';go(){location=this.a}}new W().go()`,
  'a getter of a class': `class W{get a(){return '${TOOL}'}}location=new W().a`,
  'a static method': `class W{static go(a){location=a}}W.go('${TOOL}')`,
  'a static field': `class W{static a='${TOOL}'}location=W.a`,
  'a method of the base': `class B{go(){location=this.a}}class W extends B{constructor(){super();this.a='${TOOL}'}}new W().go()`,
  'the constructor of the base': `class B{constructor(a){this.a=a}}class W extends B{}location=new W('${TOOL}').a`,
  'super of a method': `class B{go(a){location=a}}class W extends B{go(){super.go('${TOOL}')}}new W().go()`,
  'a static method of the base': `class B{static go(a){location=a}}class W extends B{}W.go('${TOOL}')`,
  'an old base': `function B(){this.a='${TOOL}'}B.prototype.go=function(){location=this.a};function W(){B.call(this)}W.prototype=Object.create(B.prototype);new W().go()`,
  'an object as a prototype': `function B(){this.a='${TOOL}'}function W(){}W.prototype=new B();location=new W().a`,
  __proto__: `var o={go:function(){location=this.a}};var p={a:'${TOOL}'};p.__proto__=o;p.go()`,
  'Object.create': `var o={go:function(){location=this.a}},p=Object.create(o);p.a='${TOOL}';p.go()`,
  'what the function returns': `function W(){return {a:'${TOOL}'}}location=new W().a`,
  'one of two functions': `function A(){this.a='x'}function B(){this.a='${TOOL}'}var W=window.b?A:B;location=new W().a`,
  'a list of objects': `function W(a){this.a=a}var l=[new W('x'),new W('${TOOL}')];for(var i=0;i<l.length;i++)location=l[i].a`,
  'a chain of methods': `function W(){this.t=''}W.prototype.add=function(a){this.t+=a;return this};location=new W().add('ms-msdt:').add('/id PCWDiagnostic').t`,
  'a timer': `function W(){this.a='${TOOL}';var s=this;setTimeout(function(){s.go()},9)}W.prototype.go=function(){location=this.a};new W()`,
  'a handler of the host': `function W(){this.a='${TOOL}'}W.prototype.go=function(){location=this.a};window.w=new W();document.addEventListener('x',W.prototype.go)`,
  'a member that is set later': `function W(){}W.prototype.set=function(a){this.a=a};W.prototype.go=function(){location=this.a};var w=new W();w.set('${TOOL}');w.go()`,
}

const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

/** More calls than are followed. */
const BUSY = `${times(9, (i) => `function b${i}(x){b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x)}`)}function b9(x){y=x}b0(z);`

suite('an address by an object of the script:', () => {
  const opens = (source: string): boolean => {
    const { assignments, isStopped } = readScript(source)
    const values = assignments.filter(({ name }) => name === 'location').map(({ value }) => value)
    return (
      isStopped ||
      values.some((value) =>
        value.kind === 'constant' ? value.value === TOOL : value.kind === 'unknown' && value.isCut,
      )
    )
  }
  for (const [way, source] of Object.entries(WAYS)) test(way, () => assert.equal(opens(source), true))
  for (const [way, source] of Object.entries(WAYS))
    test(`${way}, behind a library`, () => assert.equal(opens(`${BUSY}${source}`), true))
})

suite('objects of the script', () => {
  const addresses = (source: string) =>
    readScript(source)
      .assignments.filter(({ name }) => name === 'location')
      .map(({ value }) => (value.kind === 'constant' ? value.value : value.kind))
  test('are kept separate', () =>
    assert.deepEqual(addresses(`function W(a){this.a=a}var v=new W('${TOOL}');location=new W('/next').a`), ['/next']))
  test('are no variables', () =>
    assert.deepEqual(addresses(`function W(){this.page='${TOOL}'}new W();var page='/next';location=page`), ['/next']))
})
