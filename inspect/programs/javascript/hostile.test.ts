/** Scripts that grow texts and lists end with bounded work and memory, whatever they call on them. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { LIMITS } from '#inspect/core/limits.ts'
import { withinBudget } from '#inspect/core/work.ts'
import { OPERATION_WORK_MAX, spend, TooMuch, withAllowance } from './budget.ts'
import { callFunction, callListMethod, callTextMethod } from './builtins.ts'
import { FUNCTIONS } from './functions.ts'
import { readScript, SCRIPT_ALLOWANCE, SURVEY_RATE } from './javascript.ts'
import { INDEXED_LIST_METHODS, LIST_METHODS } from './list-methods.ts'
import { INDEXED_TEXT_METHODS, TEXT_METHODS } from './text-methods.ts'
import { isComposite, listOf, type Value } from './values.ts'

/** A text of 16 million characters in 50 bytes. */
const GROWN = "var s='a';for(var i=0;i<24;i++){s=s+s}"
/** A list of a million items. */
const LIST = 'var a=[1];for(var i=0;i<20;i++){a=a.concat(a)}'
const AGAIN = (code: string): string => `for(var j=0;j<1e6;j++){${code}}`

const scripts: Record<string, string> = {
  'a search from the end': `${GROWN}var x=s.lastIndexOf(s.substring(0,4000000)+'b')`,
  'a search': `${GROWN}var x=s.indexOf('b'+s.substring(0,4000000))`,
  'a search for a part that ends otherwise': `${GROWN}var x=s.includes(s.substring(0,4000000)+'b')`,
  'searches of short parts': `${GROWN}${AGAIN("s.indexOf('ab')")}`,
  'upper case': `${GROWN}${AGAIN('x=s.toUpperCase()')}`,
  'lower case of other letters': `var s='İ';for(var i=0;i<24;i++){s=s+s}${AGAIN('x=s.toLowerCase()')}`,
  trimming: `var s=' ';for(var i=0;i<24;i++){s=s+s}${AGAIN('x=s.trim()')}`,
  'a number of a text': `var s='1';for(var i=0;i<24;i++){s=s+s}${AGAIN('x=s-1')}`,
  'a sign before a text': `var s='1';for(var i=0;i<24;i++){s=s+s}${AGAIN('x=+s')}`,
  parseInt: `var s='1';for(var i=0;i<24;i++){s=s+s}${AGAIN('x=parseInt(s)')}`,
  parseFloat: `var s='1';for(var i=0;i<24;i++){s=s+s}${AGAIN('x=parseFloat(s)')}`,
  'a set of a list': `${LIST}var b=new Uint8Array(1e6);${AGAIN('b.set(a)')}`,
  'a set past the end': `var b=new Uint8Array(9);${AGAIN('b.set([1],j*1000000)')}`,
  'keys of a text': `${GROWN}for(var k in s){x=k}`,
  'characters of a text': `${GROWN}for(var k of s){x=k}`,
  'a spread text': `${GROWN}var x=[...s]`,
  'spread texts': `var s='a';for(var i=0;i<18;i++){s=s+s}var b=[];${AGAIN('b.push([...s])')}`,
  'spread arguments': `${GROWN}f(...s)`,
  unescape: `var s='%41';for(var i=0;i<22;i++){s=s+s}${AGAIN('x=unescape(s)')}`,
  'percent signs': `var s='%41';for(var i=0;i<22;i++){s=s+s}${AGAIN('x=decodeURIComponent(s)')}`,
  'percent signs that are none': `var s='%4';for(var i=0;i<22;i++){s=s+s}${AGAIN('x=decodeURIComponent(s)')}`,
  split: `${GROWN}${AGAIN("x=s.split('')")}`,
  'split by a long part': `${GROWN}${AGAIN("x=s.split(s.substring(0,4000000)+'b')")}`,
  'split by a pattern': `${GROWN}${AGAIN('x=s.split(/a/)')}`,
  replace: `${GROWN}${AGAIN("x=s.replace(/a/g,'bb')")}`,
  'replace that grows': `${GROWN}var t=s.substring(0,1000);x=t.replace(/a/g,s)`,
  'replace by a function': `${GROWN}x=s.replace(/a/g,function(c){return s})`,
  'replace of all': `${GROWN}${AGAIN("x=s.replaceAll('a','bb')")}`,
  'a replacement with its own text': `${GROWN}var r='$&';for(var i=0;i<16;i++){r=r+r}x=s.replace(s.substring(0,60000),r)`,
  'a match': `${GROWN}${AGAIN('x=s.match(/a/g)')}`,
  'all matches': `${GROWN}${AGAIN('x=s.matchAll(/a/g)')}`,
  'a getter that reads itself twice': `var o={get a(){return this.a+this.a}};${AGAIN('o.a')}`,
  'a reader of members that reads itself': `var p=new Proxy({},{get:function(t,k){return p[k+'a']+p[k+'b']}});${AGAIN('p.a')}`,
  'readers within each other': `var p={a:'a'};${AGAIN('p=new Proxy(p,{get:(t,k)=>t[k]+t[k]});p.a')}`,
  'a text of an object that is made of itself': `function F(){}F.prototype.toString=function(){return this+''+this};var f=new F();${AGAIN("f+''")}`,
  'a generator that yields a list': `${LIST}function* g(){${AGAIN('yield* a')}}x=[...g()]`,
  'a long pattern': `${GROWN}var p='a';for(var i=0;i<9;i++){p=p+p}${AGAIN("x=s.replace(new RegExp(p+'b','g'),'')")}`,
  'a nested pattern': `${GROWN}x=s.replace(/(a+)+b/g,'')`,
  join: `${LIST}${AGAIN("x=a.join('')")}`,
  'join with a long text': `${GROWN}${LIST}x=a.join(s)`,
  repeat: `${GROWN}${AGAIN('x=s.repeat(100)')}`,
  padding: `${AGAIN("x='a'.padStart(16000000,'bc')")}`,
  comparison: `${GROWN}var t=s+'b',u=s+'c';${AGAIN('x=t===u')}`,
  'comparison of order': `${GROWN}var t=s+'b',u=s+'c';${AGAIN('x=t<u')}`,
  'a switch of texts': `${GROWN}var t=s+'b',u=s+'c';${AGAIN('switch(t){case u:x=1}')}`,
  sorting: `${GROWN}var a=s.substring(0,500000).split('');${AGAIN('a.sort()')}`,
  'concat of texts': `${GROWN}${AGAIN('x=s.concat(s,s)')}`,
  'concat of lists': `${LIST}${AGAIN('x=a.concat(a)')}`,
  'a reversed list': `${LIST}${AGAIN('a.reverse()')}`,
  'a list as a text': `${LIST}${AGAIN('x=String(a)')}`,
  'a list as a key': `${LIST}var o={};${AGAIN('o[a]=1')}`,
  'a text as a key': `${GROWN}var o={};${AGAIN('o[s+j]=1')}`,
  'items at the front': `${LIST}${AGAIN('a.unshift(1)')}`,
  'items from the front': `${LIST}${AGAIN('a.shift()')}`,
  'items from the middle': `${LIST}${AGAIN('a.splice(5,1,2,3)')}`,
  'a search in a list': `${LIST}${AGAIN('a.indexOf(7)')}`,
  'a filled list': AGAIN('x=new Array(1e6).fill(0)'),
  'lists within each other': `var a=[];${AGAIN('a=[a,a]')}a.join()`,
  'characters of a text that grows': `var s='a';${AGAIN('s=s+"b";x=s.charCodeAt(0)')}`,
  'characters of many joined texts': `${GROWN}${AGAIN('x=(s.substring(0,15000000)+j).charCodeAt(0)')}`,
  'joined texts in a list': `${GROWN}var a=[];${AGAIN('a.push(s.substring(0,9000000)+j);a[j].charAt(1)')}`,
  'slices of slices': `${GROWN}${AGAIN('s=s.substring(1)')}`,
  'Base64 of a text': `${GROWN}${AGAIN('x=btoa(s)')}`,
  'text of Base64': `${GROWN}${AGAIN('x=atob(s)')}`,
  'character codes': `${LIST}${AGAIN('x=String.fromCharCode.apply(null,a)')}`,
  'the largest of many': `${LIST}${AGAIN('x=Math.max.apply(null,a)')}`,
  'many arguments': `${LIST}var b=[];${AGAIN('b.push.apply(b,a)')}`,
  'a text that is run': `${GROWN}${AGAIN('eval("x=\'"+s+"\'")')}`,
  'a function of a text': `${GROWN}${AGAIN('new Function("x=\'"+s+"\'")')}`,
  'alternatives of long texts': `${GROWN}${AGAIN('if(window.y){t=s+j}')}`,
  'lists in branches': `${LIST}${AGAIN('if(window.y){a.push(1)}')}`,
  'branches in branches': `function f(n){if(window.y){u=n;f(n+1)}else{u=-n;f(n+2)}}f(0)`,
  'returns in loops': AGAIN('(function(){for(;;){if(window.y)return 1;if(window.z)break}})()'),
  'a switch that falls through': `switch(window.y){${'case 1:x+=x;'.repeat(3000)}}`,
  'an exception in each turn': AGAIN('try{t=j;throw j}catch(e){t=e}'),
  'functions that call each other': 'function f(){f();f()}f()',
  'a loop in a loop': 'for(;;)for(;;){x=1}',
}

/** Reading the text of a script is charged as well. */
const READING = 50_000_000
/** As are the two further passes after the limit. */
const SURVEY = 300_000_000 * SURVEY_RATE

suite('a hostile script', () => {
  assert.ok(Object.keys(scripts).length >= 60)
  for (const [name, source] of Object.entries(scripts))
    test(name, () => {
      const started = process.cpuUsage()
      const { exceeded, work, keptBytes } = withinBudget(LIMITS, () => void readScript(source))
      const { user, system } = process.cpuUsage(started)
      console.log(`${((user + system) / 1000).toFixed(0)} ms for ${(work / 1e6).toFixed(0)} million units: ${name}`)
      assert.equal(exceeded, false)
      assert.ok(work <= SCRIPT_ALLOWANCE.work + SURVEY + READING, `${work} units`)
      assert.ok(keptBytes <= SCRIPT_ALLOWANCE.bytes * 2 + READING / 10, `${keptBytes} bytes`)
    })
})

/** The work that a call takes, and its result. */
function measured(call: () => Value): { work: number; result: Value } {
  let result: Value
  const run = (): void => {
    result = call()
  }
  const { work } = withinBudget(LIMITS, () => void withAllowance({ work: 1e10, bytes: 1e10 }, run))
  return { work, result }
}

const sizeOf = (value: Value): number =>
  typeof value === 'string' ? value.length : isComposite(value) && value.kind === 'list' ? value.items.length : 0

suite('every function of the language is charged for what it reads and writes', () => {
  const long = '1'.repeat(100_000)
  const many = (): Value => listOf(Array<Value>(100_000).fill(1))
  const invoke = (): Value => '1'
  const check = (name: string, read: number, call: () => Value): void => {
    test(name, () => {
      const { work, result } = measured(call)
      assert.ok(work >= read + sizeOf(result), `${work} units for ${read} read and ${sizeOf(result)} written`)
    })
  }
  for (const name of Object.keys(TEXT_METHODS))
    for (const args of [
      ['1'],
      [long],
      [90_000, long],
      [{ kind: 'pattern', pattern: { source: '1', flags: 'g' } }, '22'],
    ])
      check(`text.${name}`, long.length, () => callTextMethod(long, name, args as Value[], invoke))
  for (const name of Object.keys(LIST_METHODS))
    for (const args of [() => [], () => [many()], () => [long], () => [1, 2, 3]])
      check(`list.${name}`, 100_000, () => {
        const list = many()
        if (!isComposite(list) || list.kind !== 'list') throw new Error()
        return callListMethod(list, name, args(), invoke)
      })
  for (const name of FUNCTIONS.keys())
    for (const arg of [() => long, many]) check(name, 100_000, () => callFunction(name, [arg()], invoke)?.value)
  test('those that read one place take the same for every length', () => {
    const units = (length: number, name: string) =>
      measured(() => callTextMethod('1'.repeat(length), name, [5], invoke)).work
    for (const name of Object.keys(INDEXED_TEXT_METHODS)) assert.equal(units(100, name), units(100_000, name), name)
    assert.ok(Object.keys(INDEXED_LIST_METHODS).length > 0)
  })
})

test('one operation has a limit, and the evaluation goes on after it', () => {
  spend(OPERATION_WORK_MAX)
  assert.throws(() => spend(OPERATION_WORK_MAX + 1), TooMuch)
  assert.equal(
    withAllowance({ work: 100, bytes: 100 }, () => spend(100)),
    true,
  )
  assert.equal(
    withAllowance({ work: 100, bytes: 100 }, () => spend(101)),
    false,
  )
})
