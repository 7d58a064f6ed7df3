/** Collects the JavaScript of a page. */

import { unreferenced } from '#inspect/codecs/character-references.ts'
import { charge } from '#inspect/core/work.ts'
import type { Tag } from './markup.ts'

const JAVASCRIPT = /^(?:$|module$|(?:text|application)\/(?:x-)?(?:java|ecma|j|live)script|(?:java|j|ecma|live)script)/i
const EVENT = /^on[a-z]+$/
export const SCRIPT_URL = /^[\0-\x20]*(?:j[\t\r\n]*)(?:a[\t\r\n]*)(?:v[\t\r\n]*)(?:a[\t\r\n]*)script[\t\r\n]*:/i
const DATA_SCRIPT = /^\s*data:(?=[^,]*,)[^,]*(?:java|ecma|j)script/i

/** All of it as one script, because its parts share variables. */
export function scriptOf(tags: readonly Tag[], isDrawing: boolean): string {
  const elements = tags.filter(({ name }) => name === 'script')
  const scripts = elements.flatMap(({ attributes, content }) => {
    if (!isJavaScript(attributes)) return []
    const inner = [...attributes.values()].filter((value) => DATA_SCRIPT.test(value)).map(dataText)
    return [isDrawing ? xmlText(content) : content, ...inner]
  })
  const all = [...scripts, ...handlersIn(tags)]
  return [...all, ...all.flatMap(addressedIn)].join('\n;\n')
}

/** Code in an address that a script imports, or gives to an element. */
const ADDRESSED = /(["'`])(data:(?:text|application)\/(?:x-)?(?:java|ecma)script[^,"'`]{0,60},[^"'`\s]+)\1/gi
const SEARCH_WORK = 2

function addressedIn(script: string): string[] {
  charge(script.length * SEARCH_WORK)
  return Array.from(script.matchAll(ADDRESSED), ([, , address = '']) => dataText(address))
}

function handlersIn(tags: readonly Tag[]): string[] {
  const handlers: string[] = []
  for (const { attributes } of tags)
    for (const [key, value] of attributes) {
      if (key.startsWith('on') && EVENT.test(key)) handlers.push(withOwnTexts(value, attributes))
      else if (SCRIPT_URL.test(value)) handlers.push(percentDecoded(value.replace(SCRIPT_URL, '')))
    }
  return handlers
}

const OWN_TEXT =
  /\bthis\.(?:(?:attributes\.)?([a-z]{2,20})(?:\.value)?|dataset\.([a-z]\w{0,40})|getAttribute\(\s{0,4}["']([\w-]{1,40})["']\s{0,4}\))(?![\w.(]|\s{0,4}=[^=])/gi

/** Handlers read code from other attributes of their element. */
function withOwnTexts(code: string, attributes: Tag['attributes']): string {
  if (!RUNS.test(code)) return code
  return code.replace(OWN_TEXT, (whole, member?: string, data?: string, key?: string) => {
    const name = key ?? (data === undefined ? (member ?? '') : `data-${data.replace(/[A-Z]/g, '-$&')}`)
    const text = attributes.get(name.toLowerCase())
    return text === undefined ? whole : JSON.stringify(text)
  })
}

const RUNS = /\b(?:eval|Function|constructor|atob|unescape|setTimeout|fromCharCode)\b/

function isJavaScript(attributes: Tag['attributes']): boolean {
  const type = attributes.get('type') ?? attributes.get('language') ?? ''
  return JAVASCRIPT.test(type.trim())
}

/** In XML, references in a script are resolved, and CDATA sections are text. */
function xmlText(content: string): string {
  const sections = content.split(/<!\[CDATA\[|\]\]>/)
  return sections.map((text, i) => (i % 2 === 1 ? text : unreferenced(text))).join('')
}

function dataText(url: string): string {
  const comma = url.indexOf(',')
  const body = url.slice(comma + 1)
  return /;\s*base64\s*$/i.test(url.slice(0, comma))
    ? Buffer.from(body, 'base64').toString('latin1')
    : percentDecoded(body)
}

function percentDecoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
