/** Scripts for browsers and Node.js, which end with an error in the script host of Windows. */

import { charge } from '#inspect/core/work.ts'
import type { Cache } from './machine.ts'

/** Variables of browsers, of Node.js and of loaders of modules. */
const ELSEWHERE = new Set([
  ...['window', 'document', 'navigator', 'location', 'self', 'globalThis', 'global', 'process', 'Buffer', 'require'],
  ...['module', 'exports', 'define', 'jQuery', '$', 'angular', 'React', 'Vue', 'importScripts', 'Packages', 'java'],
  ...['Components', 'opera', 'chrome', 'Deno', 'Bun', 'phantom', 'WorkerGlobalScope', 'HTMLElement'],
])

/** Those, and variables of the language since 2015. The script host of Windows has none of them. */
const FOREIGN = new Set([
  ...ELSEWHERE,
  ...['console', 'fetch', 'atob', 'btoa', 'XMLHttpRequest', 'URL', 'Worker', 'Blob'],
  ...['Element', 'Node', 'Event', 'CustomEvent', 'customElements', 'performance', 'requestAnimationFrame'],
  ...['setTimeout', 'setInterval', 'localStorage', 'sessionStorage', 'TextDecoder', 'TextEncoder', 'Symbol', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'BigInt', 'ArrayBuffer', 'DataView'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float32Array', 'Float64Array'],
])

/** Whether a name may be that of a variable: as a text, or where it is assigned or declared. */
function mayDefine(source: string, name: string): boolean {
  charge(source.length * MISSING_WORK)
  const word = name.replaceAll('$', '\\$')
  return new RegExp(
    `["']${word}["']|\\b${word}\\s{0,9}=[^=]|\\bfunction\\s{1,9}${word}\\b|[{,]\\s{0,9}${word}\\s{0,9}[:,]`,
  ).test(source)
}

const MISSING_WORK = 10

interface Lookups {
  missing: ReadonlySet<string>
  isOpen: boolean
}

/** Whether the script ends with an error because of a variable that its host does not have. */
export function endsEarly(source: string, { missing, isOpen }: Lookups, cache: Cache): boolean {
  return !isOpen && [...missing].some((name) => isLacking(name, cache) && !mayDefine(source, name))
}

/** Whether the script ends here with such an error. Before it has done anything, nothing can have defined the variable. */
export function endsHere(source: string, name: string, record: Doings, cache: Cache): boolean {
  const { isOpen, isExhausted, calls, assignments, passed } = record
  if (isOpen || !isLacking(name, cache)) return false
  return (!isExhausted && calls.length + assignments.length + passed === 0) || !mayDefine(source, name)
}

interface Doings {
  isOpen: boolean
  isExhausted: boolean
  calls: readonly unknown[]
  assignments: readonly unknown[]
  passed: number
}

const isLacking = (name: string, cache: Cache): boolean => FOREIGN.has(name) && !isDeclared(name, cache)

/** Whether a variable is one of browsers or Node.js, and not of the script. */
export const isElsewhere = (name: string, cache: Cache): boolean => ELSEWHERE.has(name) && !isDeclared(name, cache)

const isDeclared = (name: string, { programs }: Cache): boolean =>
  [...programs.values()].some(({ vars }) => vars.includes(name))
