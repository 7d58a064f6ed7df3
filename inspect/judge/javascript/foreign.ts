/** Scripts for browsers and Node.js, which end with an error in the script host of Windows. */

import { charge } from '#inspect/core/work.ts'
import type { Cache } from './machine.ts'

/** Variables of browsers, of Node.js and of the language since 2015. The script host of Windows has none of them. */
const FOREIGN = new Set([
  ...['window', 'document', 'navigator', 'location', 'self', 'globalThis', 'global', 'process', 'Buffer', 'require'],
  ...['module', 'exports', 'define', 'console', 'fetch', 'atob', 'btoa', 'XMLHttpRequest', 'URL', 'Worker', 'Blob'],
  ...[
    'HTMLElement',
    'Element',
    'Node',
    'Event',
    'CustomEvent',
    'customElements',
    'performance',
    'requestAnimationFrame',
  ],
  ...['setTimeout', 'setInterval', 'localStorage', 'sessionStorage', 'TextDecoder', 'TextEncoder', 'Symbol', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Proxy', 'Reflect', 'BigInt', 'ArrayBuffer', 'DataView', 'jQuery', '$'],
  ...['Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array', 'Uint32Array'],
  ...['Float32Array', 'Float64Array', 'angular', 'React', 'Vue'],
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
export function endsEarly(source: string, { missing, isOpen }: Lookups, { programs }: Cache): boolean {
  const declared = new Set([...programs.values()].flatMap(({ vars }) => vars))
  const names = [...missing].filter((name) => FOREIGN.has(name) && !declared.has(name))
  return !isOpen && names.some((name) => !mayDefine(source, name))
}
