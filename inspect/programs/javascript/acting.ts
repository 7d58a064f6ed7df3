/** Whether the code of a function can do something by itself: run a text, open, copy or save something, start a program. */

import { spend } from './budget.ts'
import { childrenOf, type FunctionNode, type Node } from './syntax.ts'

const NODE_WORK = 30

/** What runs scripts. The script host of Windows has neither pages nor timers. */
export type Host = 'any' | 'windows'

/** Functions and objects by which something happens. */
const ACTORS: Readonly<Record<Host, ReadonlySet<string>>> = {
  windows: new Set([
    'eval',
    'Function',
    'execScript',
    'ActiveXObject',
    'WScript',
    'GetObject',
    'CreateObject',
    'Proxy',
  ]),
  any: new Set([
    ...['eval', 'Function', 'execScript', 'ActiveXObject', 'WScript', 'GetObject', 'CreateObject', 'Proxy', 'navigate'],
    ...['msSaveBlob', 'msSaveOrOpenBlob', 'saveAs', 'showSaveFilePicker', 'Blob', 'File', 'createObjectURL'],
    ...['MSBlobBuilder', 'clipboard', 'clipboardData', 'execCommand', 'launchURL', 'submitForm', 'exportDataObject'],
    ...['getURL', 'openDoc', 'importDataObject', 'mailMsg', 'execMenuItem', 'loadPolicyFile', 'streamDecode'],
  ]),
}
/** Timers run texts as well as functions. */
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'setTimeOut'])
/** Everything that a script can reach is a member of these. */
const ROOTS: Readonly<Record<Host, ReadonlySet<string>>> = {
  windows: new Set(['this', 'window', 'self', 'globalThis']),
  any: new Set([
    ...['window', 'self', 'globalThis', 'top', 'parent', 'frames', 'document', 'location', 'navigator', 'this', 'app'],
  ]),
}

const known: Readonly<Record<Host, WeakMap<FunctionNode, boolean>>> = { any: new WeakMap(), windows: new WeakMap() }

export function acts(node: FunctionNode, host: Host): boolean {
  const found = known[host].get(node)
  if (found !== undefined) return found
  const result = [...node.params, ...node.body].some((each) => actsHere(each, host))
  known[host].set(node, result)
  return result
}

export function actsHere(node: Node, host: Host): boolean {
  spend(NODE_WORK)
  if (node.kind === 'function') return acts(node, host)
  if (node.kind === 'name') return ACTORS[host].has(node.name)
  if (node.kind === 'member' && isActor(node.owner, node.key, host)) return true
  if (node.kind === 'call' && isCall(node.callee, node.args, host)) return true
  if (node.kind === 'assign' && host === 'any' && isAddress(node.target)) return true
  return childrenOf(node).some((each) => actsHere(each, host))
}

function isActor(owner: Node, key: Node, host: Host): boolean {
  if (key.kind === 'constant')
    return ACTORS[host].has(String(key.value)) || (key.value === 'constructor' && nameOf(owner) === 'constructor')
  return owner.kind === 'name' && ROOTS[host].has(owner.name)
}

function nameOf(node: Node): string {
  if (node.kind === 'name') return node.name
  return node.kind === 'member' && node.key.kind === 'constant' ? String(node.key.value) : ''
}

function isCall(callee: Node, [first]: readonly Node[], host: Host): boolean {
  const name = nameOf(callee)
  // The constructor of a function makes functions of texts.
  if (name === 'constructor') return first !== undefined
  if (host === 'windows') return false
  if (TIMERS.has(name)) return first !== undefined && first.kind !== 'function'
  if (name === 'open')
    return callee.kind === 'name' || (callee.kind === 'member' && ROOTS.any.has(nameOf(callee.owner)))
  return (name === 'assign' || name === 'replace') && callee.kind === 'member' && nameOf(callee.owner) === 'location'
}

const isAddress = (target: Node): boolean => nameOf(target) === 'location' || nameOf(target) === 'href'
