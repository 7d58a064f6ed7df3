/** Texts that the scripts of a job share: its resources, and variables and functions of another language. */

import { decodeEntities } from '#inspect/codecs/xml-tags.ts'
import { charge } from '#inspect/core/work.ts'
import type { Language } from './language.ts'

const RESOURCE =
  /<resource\b[^>]{0,200}?\sid\s{0,4}=\s{0,4}["']?([\w.-]{1,60})[^>]{0,200}>\s{0,200}(<!\[CDATA\[)?([^<\]]{1,10000})/gi
const RESOURCE_USE = /\bgetResource\s{0,4}\(\s{0,4}["']([\w.-]{1,60})["']\s{0,4}\)/gi
const TEXT_WORK = 1_000
const CHARACTER_WORK = 20

interface Writer {
  /** A variable or a function that returns a text. */
  text: RegExp
  read(literal: string): string
  write(text: string): string
  variable(name: string, literal: string): string
  function(name: string, literal: string): string
}

const WRITERS: Partial<Record<Language, Writer>> = {
  vbscript: {
    text: /(?:^|[\n:])[^\S\n]*(?:const\s+)?([a-z]\w{0,60})[^\S\n]*=[^\S\n]*("(?:[^"\r\n]|""){1,2000}")[^\S\n]*(?=[\n:']|$)/gi,
    read: (literal) => literal.slice(1, -1).replaceAll('""', '"'),
    write: (text) => `"${text.replaceAll('"', '""')}"`,
    variable: (name, literal) => `${name} = ${literal}\n`,
    function: (name, literal) => `Function ${name}()\n${name} = ${literal}\nEnd Function\n`,
  },
  javascript: {
    text: /(?:\b([a-z_]\w{0,60})\s{0,4}=|\bfunction\s{1,4}([a-z_]\w{0,60})\s{0,4}\([^)]{0,100}\)\s{0,99}\{\s{0,99}return\b)\s{0,4}("(?:[^"\\\r\n]|\\.){1,2000}"|'(?:[^'\\\r\n]|\\.){1,2000}')\s{0,99}(?=[;}\n]|$)/gi,
    read: (literal) => literal.slice(1, -1).replace(/\\(.)/g, '$1'),
    write: (text) => JSON.stringify(text),
    variable: (name, literal) => `var ${name} = ${literal};\n`,
    function: (name, literal) => `function ${name}() { return ${literal}; }\n`,
  },
}

/** Adds them to the scripts that use them. A definition of their own takes precedence. */
export function shareTexts(text: string, byLanguage: Map<Language, string>): void {
  const resources = new Map<string, string>()
  for (const [, id = '', section, content = ''] of text.matchAll(RESOURCE)) {
    charge(TEXT_WORK)
    const value = section === undefined ? decodeEntities(content) : content
    resources.set(id.toLowerCase(), value.trim().replace(/\s+/g, ' '))
  }
  const own = new Map(byLanguage)
  for (const [language, source] of own) {
    const writer = WRITERS[language]
    if (writer === undefined) continue
    const declared = [...own].filter(([other]) => other !== language).flatMap(([other, from]) => textsOf(other, from))
    const names = foreignNames(source)
    const needed = declared
      .filter(({ name }) => names.has(name.toLowerCase()))
      .map(({ name, value, isFunction }) => (isFunction ? writer.function : writer.variable)(name, writer.write(value)))
    const resolved = source.replace(RESOURCE_USE, (use, id: string) => {
      const value = resources.get(id.toLowerCase())
      return value === undefined ? use : writer.write(value)
    })
    byLanguage.set(language, needed.join('') + resolved)
  }
}

function textsOf(language: Language, source: string): { name: string; value: string; isFunction: boolean }[] {
  const writer = WRITERS[language]
  if (writer === undefined) return []
  charge(source.length * CHARACTER_WORK)
  const functions = new Set([...source.matchAll(FUNCTION)].map(([, name = '']) => name.toLowerCase()))
  return [...source.matchAll(writer.text)].map(([, ...groups]) => {
    const name = groups.slice(0, -1).find((group) => group !== undefined) ?? ''
    return { name, value: writer.read(groups.at(-1) ?? ''), isFunction: functions.has(name.toLowerCase()) }
  })
}

const FUNCTION = /\bfunction\s+(\w{1,60})/gi
const WORD = /\w+/g
const DEFINED = /\b(?:var|dim|const|function|sub|set|let)\s+(\w{1,60})|\b(\w{1,60})\s{0,9}=(?!=)/gi

/** Names in the script that it does not define itself. */
function foreignNames(source: string): ReadonlySet<string> {
  charge(source.length * CHARACTER_WORK)
  const names = new Set(source.toLowerCase().match(WORD))
  for (const [, declared, assigned] of source.matchAll(DEFINED))
    names.delete((declared ?? assigned ?? '').toLowerCase())
  return names
}
