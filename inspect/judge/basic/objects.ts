/** Objects that obfuscated code uses to decode data, or whose results matter. */

import { arrayOf, type BasicObject, GAP, isArray, objectOf, toNumber, toText, type Value } from './values.ts'

/** Classes that are addressed by number where their name would be noticed. */
const CLASSES: Readonly<Record<string, string>> = {
  '72c24dd5-d70a-438b-8a42-98424b88afb8': 'wscript.shell',
  'f935dc22-1cf0-11d0-adb9-00c04fd58a0b': 'wscript.shell',
  '13709620-c279-11ce-a49e-444553540000': 'shell.application',
  '9ba05972-f6a8-11cf-a442-00a0c90a8f39': 'shell.application',
  'c08afd90-f2a1-11d1-8455-00a0c91f3880': 'shell.application',
  '0d43fe01-f093-11cf-8940-00a0c9054228': 'scripting.filesystemobject',
  '88d96a0a-f192-11d4-a65f-0040963251e5': 'msxml2.xmlhttp',
  '2087c2f4-2cef-4953-a8ab-66779b670495': 'winhttp.winhttprequest.5.1',
  '49b2791a-b1ae-4c90-9b8e-e860ba07f889': 'mmc20.application',
  '0e59f1d5-1fbe-11d0-8ff2-00a0d10038bc': 'msscriptcontrol.scriptcontrol',
  '00000566-0000-0010-8000-00aa006d2ea4': 'adodb.stream',
}

export function createObject(name: string): BasicObject {
  const clsid = /^(?:new:)?\{?([0-9a-f-]{36})\}?$/i.exec(name.trim())?.[1]
  return objectOf((clsid && CLASSES[clsid.toLowerCase()]) ?? name.trim())
}

/** Monikers: `winmgmts:…`, `new:{…}`, `script:…`. */
export function getObject(moniker: string): BasicObject {
  if (/^new:/i.test(moniker)) return createObject(moniker)
  const wmi = /^winmgmts:(?:(?:.*[:\\!])?(win32_\w+))?/is.exec(moniker)
  if (wmi !== null) return objectOf(`winmgmts:${wmi[1] === undefined ? '' : `.get(${wmi[1]})`}`)
  return objectOf(`getobject:${moniker}`)
}

/** Values of properties that follow from others. */
const DERIVED: Readonly<Record<string, (object: BasicObject) => Value>> = {
  nodetypedvalue: (object) => {
    const type = toText(object.properties.get('datatype')).toLowerCase()
    const text = toText(object.properties.get('text'))
    if (type !== 'bin.base64' && type !== 'bin.hex') return object.properties.get('nodetypedvalue')
    return arrayOf([...Buffer.from(text.replace(/\s/g, ''), type === 'bin.hex' ? 'hex' : 'base64')])
  },
  responsebody: (object) => objectOf(`${object.class}.response`),
  responsetext: (object) => objectOf(`${object.class}.response`),
  responsestream: (object) => objectOf(`${object.class}.response`),
  startuppath: () => START_FOLDER,
  altstartuppath: () => START_FOLDER,
}

export function readMember(object: BasicObject, name: string): Value {
  const derived = DERIVED[name]
  if (derived !== undefined) return derived(object)
  if (object.properties.has(name)) return object.properties.get(name)
  return METHODS[name]?.(object, []) ?? objectOf(`${object.class}.${name}`)
}

/** Excel and Word open everything in theirs when they start. */
const START_FOLDER = '%appdata%\\microsoft\\excel\\xlstart'
const WORD_START_FOLDER = 8

const FOLDERS: readonly string[] = ['%windir%', '%windir%\\system32', '%temp%']

const METHODS: Readonly<Record<string, (object: BasicObject, args: readonly Value[]) => Value>> = {
  createobject: (_, args) => createObject(toText(args[0])),
  // Of LibreOffice.
  createinstance: (_, args) => createObject(toText(args[0])),
  getobject: (_, args) => getObject(toText(args[0])),
  createelement: () => objectOf('xml.element'),
  expandenvironmentstrings: (_, args) => args[0],
  specialfolders: (_, args) => (args.length === 0 ? undefined : `%${toText(args[0]).toLowerCase()}%`),
  environment: (object, args) => objectOf(`${object.class}.environment(${toText(args[0])})`),
  getspecialfolder: (_, args) => FOLDERS[toNumber(args[0]) ?? 2],
  defaultfilepath: (object, args) =>
    toNumber(args[0]) === WORD_START_FOLDER ? START_FOLDER : objectOf(`${object.class}.defaultfilepath`),
  loadfromfile: (object, args) => {
    object.properties.set('(content)', objectOf(`file:${toText(args[0])}`))
    return undefined
  },
  gettempname: () => `${GAP}.tmp`,
  buildpath: (_, args) => `${toText(args[0])}\\${toText(args[1])}`,
  write: store,
  writetext: store,
  readtext: (object) => streamText(object),
  readall: (object) => (object.class.includes('.opentextfile') ? objectOf(`file:${object.class}`) : undefined),
  read: (object) => object.properties.get('(content)'),
  nodetypedvalue: () => undefined,
  getstring: (_, args) => decodedText(args[0]),
  getstring_2: (_, args) => decodedText(args[0]),
  getbytes_4: (_, args) => arrayOf([...Buffer.from(toText(args[0]))]),
  frombase64string: (_, args) => arrayOf([...Buffer.from(toText(args[0]), 'base64')]),
}

function store(object: BasicObject, args: readonly Value[]): Value {
  object.properties.set('(content)', args[0])
  return undefined
}

function streamText(object: BasicObject): Value {
  return decodedText(object.properties.get('(content)'))
}

function decodedText(content: Value): Value {
  if (!isArray(content)) return content
  return Buffer.from(content.items.map((item) => toNumber(item) ?? 0)).toString('latin1')
}

export function callMethod(object: BasicObject, name: string, args: readonly Value[]): Value {
  const method = METHODS[name]
  if (method !== undefined) return method(object, args)
  if (args.length === 0) return readMember(object, name)
  return objectOf(`${object.class}.${name}(${toText(args[0])})`)
}
