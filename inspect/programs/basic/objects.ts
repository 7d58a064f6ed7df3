/** Objects that obfuscated code uses to decode data, or whose results matter. */

import { ownOf } from '#inspect/core/own.ts'
import { pattern } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { LIST_CLASSES, TAKING_CLASSES } from '#inspect/windows/classes.ts'
import { OFFICE_START_UP, SPECIAL } from '#inspect/windows/folders.ts'
import { className } from '../class-names.ts'
import { KEY_MAX } from '../keys.ts'
import { latin1Of } from './functions.ts'
import { type Memory, write } from './memory.ts'
import { replaceMatches } from './patterns.ts'
import {
  arrayOf,
  type BasicObject,
  CUT,
  CUT_GAP,
  derivedOf,
  GAP,
  isArray,
  isTelling,
  joinValues,
  lift,
  objectOf,
  toNumber,
  toText,
  type Value,
} from './values.ts'

const DICTIONARY = 'scripting.dictionary'

export function createObject(name: string): BasicObject {
  const created = objectOf(className(name))
  if (elementsOf(created) === null && !TAKES.test(created.class)) created.store = { isGiven: false }
  return created
}

/** They take paths, commands, queries and addresses, and do not return them. */
const TAKES = pattern`^(?:${TAKING_CLASSES}|\ufffd)`

/** Monikers: `winmgmts:…`, `new:{…}`, `script:…`. */
export function getObject(moniker: string): BasicObject {
  if (/^new:/i.test(moniker)) return createObject(moniker)
  const wmi = /^winmgmts:(?:(?:.*[:\\!])?(win32_\w+))?/is.exec(moniker)
  if (wmi !== null) return objectOf(`winmgmts:${wmi[1] === undefined ? '' : `.get(${wmi[1]})`}`)
  return objectOf(`getobject:${moniker}`)
}

/** A list of its own for each call. */
function bytesOf(text: string, encoding: BufferEncoding): Value {
  charge(text.length * BYTE_WORK)
  keep(text.length * BYTE_BYTES)
  return arrayOf([...Buffer.from(text, encoding)])
}

const BYTE_WORK = 20
const PLACE_WORK = 10
const BYTE_BYTES = 8

/** Values of properties that follow from others. */
const DERIVED: Readonly<Record<string, (object: BasicObject) => Value>> = {
  nodetypedvalue: (object) => {
    const type = toText(object.properties.get('datatype')).toLowerCase()
    const text = toText(object.properties.get('text'))
    if (type !== 'bin.base64' && type !== 'bin.hex') return object.properties.get('nodetypedvalue')
    charge(text.length * BYTE_WORK)
    return bytesOf(text.replace(/\s/g, ''), type === 'bin.hex' ? 'hex' : 'base64')
  },
  responsebody: (object) => objectOf(`${object.class}.response`),
  responsetext: (object) => objectOf(`${object.class}.response`),
  responsestream: (object) => objectOf(`${object.class}.response`),
  startuppath: () => OFFICE_START_UP,
  altstartuppath: () => OFFICE_START_UP,
}

export function readMember(object: BasicObject, name: string): Value {
  const derived = ownOf(DERIVED, name)
  if (derived !== undefined) return derived(object)
  const elements = elementsOf(object)
  if (elements !== null) return callList(object, name, [])
  if (object.properties.has(name)) return object.properties.get(name)
  return ownOf(METHODS, name)?.(object, []) ?? derivedOf(object, `${object.class}.${name}`)
}

const WORD_START_FOLDER = 8

type Method = (object: BasicObject, args: readonly Value[]) => Value

export const METHODS: Readonly<Record<string, Method>> = {
  createobject: (_, args) => createObject(toText(args[0])),
  // Of LibreOffice.
  createinstance: (_, args) => createObject(toText(args[0])),
  getobject: (_, args) => getObject(toText(args[0])),
  createelement: () => objectOf('xml.element'),
  expandenvironmentstrings: (_, args) => args[0],
  specialfolders: (_, args) => (args.length === 0 ? undefined : `%${toText(args[0]).toLowerCase()}%`),
  environment: environmentOf,
  getspecialfolder: (_, args) => SPECIAL[toNumber(args[0]) ?? 2],
  defaultfilepath: (object, args) =>
    toNumber(args[0]) === WORD_START_FOLDER ? OFFICE_START_UP : objectOf(`${object.class}.defaultfilepath`),
  gettempname: () => `${GAP}.tmp`,
  buildpath: (_, args) => `${toText(args[0])}\\${toText(args[1])}`,
  readtext: (object) => streamText(object),
  readall: fileText,
  readline: (object) => fileText(object) ?? derivedOf(object, `${object.class}.readline`),
  read: (object) => fileText(object) ?? object.properties.get(CONTENT),
  nodetypedvalue: () => undefined,
  getstring: (_, args) => decodedText(args[0]),
  getstring_2: (_, args) => decodedText(args[0]),
  getbytes_4: (_, args) => bytesOf(toText(args[0]), 'utf8'),
  frombase64string: (_, args) => bytesOf(toText(args[0]), 'base64'),
}

const CONTENT = '(content)'
const ENVIRONMENT = '(environment)'

function fileText({ class: name }: BasicObject): Value {
  return /\.opentextfile|\.openastextstream/.test(name) ? objectOf(`file:${name}`) : undefined
}

/** One for all variables of each kind, in which texts can be kept. */
function environmentOf(object: BasicObject, args: readonly Value[]): Value {
  const known = object.properties.get(ENVIRONMENT)
  if (known !== undefined) return known
  const created = { ...objectOf(`${object.class}.environment(${toText(args[0])})`), store: { isGiven: false } }
  object.properties.set(ENVIRONMENT, created)
  return created
}

/** Methods that set the content of a stream. */
const WRITERS: Readonly<Record<string, (value: Value) => Value>> = {
  write: (value) => value,
  writetext: (value) => value,
  loadfromfile: (value) => objectOf(`file:${toText(value)}`),
}

function streamText(object: BasicObject): Value {
  return lift([object.properties.get(CONTENT)], ([content]) => decodedText(content))
}

function decodedText(content: Value): Value {
  if (!isArray(content)) return content
  return latin1Of(content)
}

/** Elements of a dictionary, collection or list, by key; null: another object. */
export function elementsOf({ class: name, properties }: BasicObject): Map<string, Value> | null {
  return LIST_CLASSES.includes(name) ? properties : null
}

/** With an unknown key, it may be each of them. */
function anyOf(elements: Map<string, Value>): Value {
  charge(elements.size * PLACE_WORK)
  const all = [...elements.values()]
  return joinValues(all.length > ANYWHERE_MAX ? [...all.filter(isTelling), CUT] : all, true)
}

/** Elements that an unknown key may mean. Of more, those count that may be commands. */
export const ANYWHERE_MAX = 1_000

/** By key, or by number in collections and lists. */
export function elementAt(object: BasicObject, key: Value): Value {
  const { properties: elements, isLoose } = object
  const name = keyOf(object, key)
  const named = elements.get(name)
  const at = toNumber(key)
  if (isLoose || (named === undefined && name.includes(GAP))) return anyOf(elements)
  if (named !== undefined || object.class === DICTIONARY || at === undefined) return named
  // Loops over all elements count up, so that those after it are not read.
  const before = Math.min(Math.max(0, at - 1), elements.size)
  charge(before * PLACE_WORK)
  return elements.values().drop(before).next().value
}

/** Keys of collections have no case, those of dictionaries only if it is asked for. */
export function keyOf({ class: name, ignoresCase }: BasicObject, key: Value): string {
  const text = toText(key)
  if (text.length > KEY_MAX) return CUT_GAP
  return name === DICTIONARY && !ignoresCase ? text : text.toLowerCase()
}

const ADDERS: ReadonlySet<string> = new Set(['add', 'push', 'enqueue', 'insert', 'addrange', 'setbyindex'])

/** `Add key, value` of dictionaries, `Add value, key` of others. */
function addElement(object: BasicObject, method: string, args: readonly Value[], memory: Memory): undefined {
  const { properties: elements } = object
  const isKeyed = object.class === DICTIONARY || object.class.endsWith('.sortedlist')
  const [given, value] = isKeyed || method !== 'add' ? [args[0], args.at(-1)] : [args[1], args[0]]
  const isPlaced = given !== undefined && method === 'add' && !keyOf(object, given).includes(GAP)
  if (method !== 'add' || (given !== undefined && !isPlaced)) object.isLoose = true
  writeElement(object, object.isLoose ? null : isPlaced ? keyOf(object, given) : `#${elements.size}`, value, memory)
}

/** null: at a place that is not known, together with all others of that kind. */
export function writeElement({ properties }: BasicObject, key: string | null, value: Value, memory: Memory): void {
  keep(ELEMENT_BYTES + (key ?? GAP).length)
  if (key === null) memory.weak++
  write(memory, properties, key ?? GAP, value)
  if (key === null) memory.weak--
}

/** A method that it does not know may change the list. */
function callList(object: BasicObject, name: string, args: readonly Value[]): Value {
  const { properties: elements, isLoose } = object
  switch (name) {
    case 'item':
      return elementAt(object, args[0])
    case 'items':
    case 'toarray':
    case 'keys':
      return arrayOf(listed(object, name === 'keys'))
    case 'count':
      return isLoose ? undefined : elements.size
    case 'exists':
    case 'contains':
      return isLoose || keyOf(object, args[0]).includes(GAP) ? undefined : elements.has(keyOf(object, args[0]))
    case 'comparemode':
      return undefined
    default:
      object.isLoose = true
      return anyOf(elements)
  }
}

/** `For Each` takes the keys of a dictionary. */
export function listed(object: BasicObject, isKeys = object.class === DICTIONARY): Value[] {
  const { properties: elements, isLoose } = object
  charge(elements.size * BYTE_WORK)
  keep(elements.size * BYTE_BYTES)
  const all = [...(isKeys ? elements.keys() : elements.values())]
  if (!isLoose || all.length < 2) return all
  const any = joinValues(all.length > ANYWHERE_MAX ? [...all.filter(isTelling), CUT] : all, true)
  return all.map(() => any)
}

const ELEMENT_BYTES = 150

export function callMethod(object: BasicObject, name: string, args: readonly Value[], memory: Memory): Value {
  const elements = elementsOf(object)
  if (elements !== null && ADDERS.has(name)) return addElement(object, name, args, memory)
  if (elements !== null) return callList(object, name, args)
  if (name === 'replace' && /(?:^|\.)regexp$/.test(object.class)) return replaceMatches(object.properties, args)
  const content = ownOf(WRITERS, name)
  if (content !== undefined) {
    write(memory, object.properties, CONTENT, content(args[0]))
    return undefined
  }
  const method = METHODS[name]
  if (method !== undefined) return method(object, args)
  return args.length === 0 ? readMember(object, name) : derivedOf(object, memberAt(object.class, name, args).class)
}

/** With all arguments where they are a place in a table. */
export function memberAt(on: string, name: string, args: readonly Value[]): BasicObject {
  const shown = name === 'cells' || name === 'offset' ? args : args.slice(0, 1)
  return objectOf(`${on === '' ? '' : `${on}.`}${name}(${shown.map(toText).join(',')})`)
}
