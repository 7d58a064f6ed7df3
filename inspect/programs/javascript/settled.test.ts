import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { isCut, readScript } from './javascript.ts'
import { createJournal, SETTLED_ITEMS_MAX } from './journal.ts'
import { isLossy, type ListValue, type Value } from './values.ts'

const times = (count: number, make: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => make(i)).join('')

/** More calls than are followed. */
const BUSY = `${times(9, (i) => `function b${i}(x){b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x);b${i + 1}(x)}`)}function b9(x){y=x}b0(z);`
const TOOL = 'ms-msdt:/id PCWDiagnostic'
const CODE = `atob('${Buffer.from(TOOL).toString('base64')}')`
const CODES = [...TOOL].map((letter) => letter.charCodeAt(0) + 1)

/** Ways of an address to a call that opens it. */
const WAYS: Readonly<Record<string, string>> = {
  'a variable that another function writes': `var s='a';function w(){s=${CODE}}function o(){location=s}o();w();o()`,
  'a variable that is written between calls': `var s='a';function o(){location=s}o();s=${CODE};o();s='b'`,
  'a member': `var r={u:'a'};function w(){r.u=${CODE}}function o(){location=r.u}o();w();o()`,
  'a member of a member': `var r={a:{u:'a'}};function w(x){x.a.u=${CODE}}function o(){location=r.a.u}o();w(r);o()`,
  'a member with an unknown name': `var r={u:'a'};function w(k){r[k]=${CODE}}function o(){location=r.u}o();w(window.q);o()`,
  'a member that an unknown name reads': `var r={};function w(){r.u=${CODE}}function o(k){location=r[k]}w();o(window.q)`,
  'an item': `var l=['a'];function w(){l.push(${CODE})}function o(i){location=l[i]}o(0);w();o(1)`,
  'an item that is shifted': `var l=['a'];function w(){l.unshift(${CODE})}function o(){location=l.shift()}o();w();o()`,
  'items that are joined': `var l=[];function w(c){l.push(String.fromCharCode(c-1))}${CODES.map((c) => `w(${c});`).join('')}function o(){location=l.join('')}o()`,
  'what a function returns': `function i(x){return x}function o(x){location=i(x)}o('a');o(${CODE})`,
  'what a later call returns': `var n=0;function i(){n++;return n>1?${CODE}:'a'}function o(){location=i()}o();o();o()`,
  'an argument': `function o(x){location=x}${times(12, (i) => `o('${i}');`)}o(${CODE})`,
  'one of a hundred arguments': `function o(x){location=x}${times(100, (i) => `o('${i}');`)}o(${CODE})`,
  'an argument of a callback': `function e(l,f){for(var i=0;i<l.length;i++)f(l[i])}e(['a'],function(x){y=x});e([${CODE}],function(x){location=x})`,
  'an argument of a method': `['a',${CODE}].forEach(function(x){location=x})`,
  'one of many functions': `var t=[${times(12, (i) => `function(x){y=x+${i}},`)}function(x){location=x}];for(var i=0;i<13;i++)t[i](${CODE})`,
  'one of very many functions': `var t=[${times(80, (i) => `function(x){y=x+${i}},`)}function(x){location=x}];function c(i){t[i](${CODE})}c(window.q)`,
  'one of many functions of a record': `var t={${times(80, (i) => `f${i}:function(x){y=x+${i}},`)}g:function(x){location=x}};function c(k){t[k](${CODE})}c(window.q)`,
  'one of many variables': `var f;${times(12, (i) => `if(window.q==${i})f=function(x){y=x+${i}};`)}if(window.r)f=function(x){location=x};f(${CODE})`,
  'one of many objects': `var t=[${times(12, (i) => `{u:'${i}'},`)}{u:${CODE}}];function o(x){location=x.u}for(var i=0;i<13;i++)o(t[i])`,
  'one of very many objects': `function o(x){location=x.u}${times(80, (i) => `o({u:'${i}'});`)}o({u:${CODE}})`,
  'a recursion': `function f(n,s){if(n==0)location=s;else f(n-1,n==50?${CODE}:s)}f(100,'a')`,
  'many turns of a loop': `var s='a';for(var i=0;i<90000;i++){if(i==80000)s=${CODE}}location=s`,
  'many turns of an unknown loop': `var s='a',n=0;while(window.q()){n++;if(n==800)s=${CODE}}location=s`,
  'letters from a loop': `var s='',d=[${CODES}];for(var i=0;i<d.length;i++)s+=String.fromCharCode(d[i]-1);location=s`,
  'an exception': `function w(n){if(n>2)throw ${CODE}}function o(n){try{w(n)}catch(e){location=e}}o(1);o(3)`,
  'the arguments of a function': `function o(){location=arguments[arguments.length-1]}o('a');o('a',${CODE})`,
  'other arguments': `function o(...r){location=r[1]}o('a','b');o('a',${CODE})`,
  'an applied function': `function o(x){location=x}o('a');o.apply(null,[${CODE}])`,
  'a function that is applied to a list that is lost': `var l=[${CODES.map((c) => c - 1)}];for(var i=0;i<30;i++)l=l.concat(l);location=String.fromCharCode.apply(null,l)`,
  'a bound function': `function o(x){location=x}o('a');var p=o.bind(null,${CODE});p()`,
  this: `function T(){this.u='a'}T.prototype.w=function(){this.u=${CODE}};T.prototype.o=function(){location=this.u};var t=new T();t.o();t.w();t.o()`,
  'a class': `class T{constructor(){this.u='a'}w(){this.u=${CODE}}o(){location=this.u}}var t=new T();t.o();t.w();t.o()`,
  'a default': `function o(x=${CODE}){location=x}o('a');o()`,
  'a pattern': `function o({u}){location=u}o({u:'a'});o({u:${CODE}})`,
  'a template': `function o(x){location=\`\${x}\`}o('a');o(${CODE})`,
  'a text that is run': `function o(x){eval("location="+x)}o('1');o("${CODE.replaceAll("'", "\\'")}")`,
  'a function from a text': `var f=Function('x','location=x');f('a');f(${CODE})`,
  'a timer': `function o(x){setTimeout(function(){location=x},9)}o('a');o(${CODE})`,
  'a promise': `function o(x){Promise.resolve(x).then(function(v){location=v})}o('a');o(${CODE})`,
  'a handler': `var s='a';addEventListener('load',function(){location=s});s=${CODE}`,
  'a name of a member': `var r={};function w(k){r[k]=1}w('a');w(${CODE});for(var k in r)location=k`,
  'a module': `(function(m){var c={};function r(i){if(c[i])return c[i].exports;var o=c[i]={exports:{}};m[i].call(o.exports,o,o.exports,r);return o.exports}r(0)})([function(m,e,r){location=r(2)},function(m){m.exports='a'},function(m){m.exports=${CODE}}])`,
  'a conditional call': `function o(x){location=x}var f=window.q?o:null;f&&f('a');f&&f(${CODE})`,
  'an alias of the window': `var w=window;function o(k,x){w[k]=x}o('a','b');o('location',${CODE})`,
  'a copy of a record': `var d={u:'a'};function c(t,f){for(var k in f)t[k]=f[k]}c(d,{u:${CODE}});location=d.u`,
  'an assigned record': `var d={u:'a'};function c(f){Object.assign(d,f)}c({v:1});c({u:${CODE}});location=d.u`,
  'a part of a text': `function p(s,i){return s.split('|')[i]}function o(i){location=p('a|'+${CODE},i)}o(0);o(1)`,
  'a list of lists': `var l=[['a'],[${CODE}]];function o(i){location=l[i][0]}o(0);o(1)`,
  'a long list of numbers that a branch fills': `var l=[];for(var i=0;i<1500;i++)l.push(32);function w(x){if(window.q)for(var i=0;i<x.length;i++)l[i]=x[i]}w([${CODES.map((c) => c - 1)}]);location=String.fromCharCode.apply(null,l)`,
  'a long list of texts that a branch fills': `var l=[];for(var i=0;i<1500;i++)l.push('');function w(x){if(window.q)l[7]=x}w(${CODE});location=l.join('')`,
  'a long list of bytes that a branch sets': `var l=new Uint8Array(1500);function w(x){if(window.q)l.set(x)}w([${CODES.map((c) => c - 1)}]);location=new TextDecoder().decode(l)`,
  'a part of a long list': `var l=new Array(1500);function w(x){if(window.q)l[1300]=x}w(${CODE});location=l.slice(1300,1301)[0]`,
  'a long list of texts in one function': `function o(x){var l=[];for(var i=0;i<1500;i++)l.push('');if(window.q)l[7]=x;location=l.join('')}o(${CODE})`,
  'a long list of bytes in one function': `function o(x){var l=new Uint8Array(1500);if(window.q)l.set(x);location=new TextDecoder().decode(l)}o([${CODES.map((c) => c - 1)}])`,
  'a long list of numbers in one function': `function o(x){var l=new Uint8Array(1500);if(window.q)l.set(x);location=String.fromCharCode.apply(null,l)}o([${CODES.map((c) => c - 1)}])`,
  'a long list of texts that a branch empties': `function o(x){var l=[];for(var i=0;i<1500;i++)l.push('');l[7]=x;if(window.q)l[7]='a';location=l.join('')}o(${CODE})`,
  'a long list of bytes that a branch empties': `function o(x){var l=new Uint8Array(x);for(var i=0;i<1500;i++)l.push(32);if(window.q)for(var i=0;i<99;i++)l[i]=32;location=String.fromCharCode.apply(null,l)}o([${CODES.map((c) => c - 1)}])`,
  'a long list of bytes that a branch fills with spaces': `function o(x){var l=new Uint8Array(1500);l.set(x);if(window.q)l.fill(32);location=new TextDecoder().decode(l)}o([${CODES.map((c) => c - 1)}])`,
  'a closure': `function m(x){return function(){location=x}}var f=m('a'),g=m(${CODE});f();g()`,
  'one of many closures': `function m(x){return function(){location=x}}var l=[];${times(20, (i) => `l.push(m('${i}'));`)}l.push(m(${CODE}));for(var i=0;i<l.length;i++)l[i]()`,
}

suite('after more calls than are followed', () => {
  for (const [way, script] of Object.entries(WAYS))
    test(`an address by ${way}`, () => {
      const { assignments, calls, isStopped } = readScript(BUSY + script)
      const opened = [
        ...assignments.filter(({ name }) => name === 'location').map(({ value }) => value),
        ...calls.filter(({ name }) => name === 'eval').map(({ args: [text] }) => text),
      ]
      const isFound = opened.some((value) => value?.kind === 'constant' && String(value.value).includes(TOOL))
      assert.ok(isStopped || isFound || opened.some(isCut), JSON.stringify(opened))
    })
})

test('undoes what a branch writes to a list, up to a number of items', () => {
  const cases: [boolean, number, boolean][] = [
    [true, SETTLED_ITEMS_MAX, true],
    [true, SETTLED_ITEMS_MAX + 1, false],
    [false, SETTLED_ITEMS_MAX + 1, true],
  ]
  for (const [isSettled, count, isUndone] of cases) {
    const list: ListValue = { kind: 'list', items: Array<Value>(count).fill('a'), isTyped: false, born: 0 }
    const journal = createJournal(isSettled)
    journal.begin()
    journal.touch(list)
    list.items[0] = 'b'
    journal.undo()
    assert.deepEqual([list.items[0], isLossy(list.any)], isUndone ? ['a', false] : ['b', true], `${count} items`)
  }
})
