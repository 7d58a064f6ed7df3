/** Whether the code of a function can do something by itself: run a text, open, copy or save something, start a program. */

import { spend } from './budget.ts'
import { childrenOf, type FunctionNode, type Node } from './syntax.ts'

const NODE_WORK = 100

/** Functions and objects by which something happens. */
const ACTORS = new Set([
  ...[
    'eval',
    'Function',
    'execScript',
    'ActiveXObject',
    'WScript',
    'GetObject',
    'CreateObject',
    'navigate',
    'importScripts',
  ],
  ...[
    'msSaveBlob',
    'msSaveOrOpenBlob',
    'saveAs',
    'showSaveFilePicker',
    'Blob',
    'File',
    'createObjectURL',
    'MSBlobBuilder',
  ],
  ...[
    'clipboard',
    'clipboardData',
    'execCommand',
    'constructor',
    'launchURL',
    'submitForm',
    'exportDataObject',
    'getURL',
  ],
  ...['openDoc', 'importDataObject', 'mailMsg', 'execMenuItem', 'loadPolicyFile', 'streamDecode', 'Worker', 'Proxy'],
])
/** Timers run texts as well as functions. */
const TIMERS = new Set(['setTimeout', 'setInterval', 'setImmediate', 'setTimeOut'])
/** Everything that a script can reach is a member of these. */
const ROOTS = new Set([
  'window',
  'self',
  'globalThis',
  'top',
  'parent',
  'frames',
  'document',
  'location',
  'navigator',
  'this',
  'app',
])

const known = new WeakMap<FunctionNode, boolean>()

export function acts(node: FunctionNode): boolean {
  const found = known.get(node)
  if (found !== undefined) return found
  const result = [...node.params, ...node.body].some(actsHere)
  known.set(node, result)
  return result
}

function actsHere(node: Node): boolean {
  spend(NODE_WORK)
  if (node.kind === 'function') return acts(node)
  if (node.kind === 'name') return ACTORS.has(node.name)
  if (node.kind === 'member' && isActor(node.owner, node.key)) return true
  if (node.kind === 'call' && isCall(node.callee, node.args)) return true
  if (node.kind === 'assign' && isAddress(node.target)) return true
  return childrenOf(node).some(actsHere)
}

function isActor(owner: Node, key: Node): boolean {
  if (key.kind === 'constant') return ACTORS.has(String(key.value))
  return owner.kind === 'name' && ROOTS.has(owner.name)
}

function nameOf(node: Node): string {
  if (node.kind === 'name') return node.name
  return node.kind === 'member' && node.key.kind === 'constant' ? String(node.key.value) : ''
}

function isCall(callee: Node, [first]: readonly Node[]): boolean {
  const name = nameOf(callee)
  if (TIMERS.has(name)) return first !== undefined && first.kind !== 'function'
  if (name === 'open') return callee.kind === 'name' || (callee.kind === 'member' && ROOTS.has(nameOf(callee.owner)))
  return (name === 'assign' || name === 'replace') && callee.kind === 'member' && nameOf(callee.owner) === 'location'
}

const isAddress = (target: Node): boolean => nameOf(target) === 'location' || nameOf(target) === 'href'
