/** Commands of Unix shells that change the text they read. */

import { ownOf } from '#inspect/core/own.ts'
import { charge } from '#inspect/core/work.ts'
import type { Node } from '../../javascript/syntax.ts'
import { call, constant, helper, list, named, sequence } from '../tree.ts'
import { unescaped } from './escapes.ts'

/** null: an argument that is not known. */
type Filter = (texts: readonly (string | null)[], input: Node) => Node

/** A text that is not computed. What it is made of may run all the same. */
const unknown = (input: Node): Node => sequence([input, named('sh_changed')])

export const FILTERS: Readonly<Record<string, Filter>> = {
  rev: (_, input) => helper('reverse', input),
  tac: (_, input) => helper('lines', input),
  base64: (texts, input) =>
    texts.some((text) => /^(?:-[dDi]+|--decode)$/.test(text ?? '')) ? helper('base64', input) : unknown(input),
  openssl: (texts, input) =>
    texts.includes('-d') && texts.some((text) => /base64|-a/.test(text ?? ''))
      ? helper('base64', input)
      : unknown(input),
  base32: (texts, input) =>
    texts.some((text) => /^(?:-d|--decode)$/.test(text ?? '')) ? helper('base32', input) : unknown(input),
  xxd: (texts, input) =>
    texts.some((text) => /^-[ps]*r/.test(text ?? '')) ? helper('fromHex', input) : unknown(input),
  tr(texts, input) {
    const [first, ...rest] = texts
    if (first === '-d') return helper('translate', input, constant(setOf(rest[0] ?? '')), constant(null))
    const [from, to] = [first, rest[0]].map((text) => setOf(text ?? ''))
    return helper('translate', input, constant(from ?? ''), constant(to ?? ''))
  },
  sed(texts, input) {
    const commands = texts.filter((text) => text !== null && /^s\W/.test(text))
    const changes = commands.flatMap((text) => [...(text ?? '').matchAll(SUBSTITUTION)])
    return changes.length === 0
      ? unknown(input)
      : changes.reduce(
          (text, [, , from = '', to = '', flags = '']) =>
            helper('replace', text, constant(from), constant(to.replaceAll('\\', '')), constant(flags)),
          input,
        )
  },
  gunzip: (_, input) => call(named('sh_inflate'), [input]),
  zcat: (_, input) => call(named('sh_inflate'), [input]),
  gzip: (texts, input) =>
    texts.some((text) => /^-\w*d/.test(text ?? '')) ? call(named('sh_inflate'), [input]) : unknown(input),
  fold(texts, input) {
    const [, width] = /-w ?(\d{1,4})/.exec(texts.join(' ')) ?? []
    return width === undefined ? input : helper('fold', input, constant(Number(width)))
  },
  grep: (texts, input) => (texts.join(' ') === '-o .' ? helper('fold', input, constant(1)) : unknown(input)),
  paste: (texts, input) =>
    texts[0] === '-sd' ? helper('swap', input, constant('\n'), constant(texts[1] ?? '')) : unknown(input),
  head(texts, input) {
    const [, how, count] = /-(c|n?) ?(-?\d{1,9})/.exec(texts.join(' ')) ?? []
    return helper(how === 'c' ? 'first' : 'firstRows', input, constant(Number(count ?? 10)))
  },
  cut(texts, input) {
    const all = texts.join(' ')
    const [, from, dash, to] = /-c ?(\d{1,6})(-?)(\d{0,6})/.exec(all) ?? []
    if (from !== undefined) {
      const count = dash === '' ? 1 : Number(to) - Number(from) + 1
      const rest = dash === '-' && to === '' ? [] : [constant(count)]
      return helper('part', input, constant(Number(from) - 1), ...rest)
    }
    const [, separator] = /-d ?(\S)/.exec(all) ?? []
    const [, field] = /-f ?(\d{1,3})(?![-,\d])/.exec(all) ?? []
    return field === undefined
      ? unknown(input)
      : helper('column', input, constant(separator ?? '\t'), constant(Number(field)))
  },
  awk(texts, input) {
    const [, format = '', values = ''] = WRITING.exec(texts.find((text) => text?.includes('BEGIN')) ?? '') ?? []
    if (format === '') return unknown(input)
    const items = [...values.matchAll(/,\s{0,9}(?:"((?:[^"\\]|\\.)*)"|(\d{1,9}))/g)].map(([, text, number]) =>
      number !== undefined && format.includes('%c')
        ? constant(String.fromCharCode(Number(number)))
        : constant(text?.replace(/\\(["\\])/g, '$1') ?? number ?? ''),
    )
    return helper('printf', constant(format), list(items))
  },
}

const SUBSTITUTION = /s([^\w\\\s])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1([gi]*)\s{0,9}(?:;\s{0,9}|$)/gsy
/** `BEGIN { printf "%s", "a" }` */
const WRITING = /BEGIN\s{0,9}\{\s{0,9}printf\s{0,9}\(?"([^"\\{}]{1,200})"([^{}]{0,400})\}/

/** Bytes. */
const SET_MAX = 256
const SIGN_WORK = 50

/** `A-Za-z`, as `tr` reads it. */
function setOf(text: string): string {
  return unescaped(text.replace(/\[:(\w+):\]/g, (_, name: string) => ownOf(CLASSES, name) ?? '')).replace(
    /([\s\S])-([\s\S])/g,
    (_, from: string, to: string) => {
      const length = Math.max(0, to.charCodeAt(0) - from.charCodeAt(0) + 1)
      if (length > SET_MAX) return ''
      charge(length * SIGN_WORK)
      return Array.from({ length }, (__, i) => String.fromCharCode(from.charCodeAt(0) + i)).join('')
    },
  )
}

const CLASSES: Readonly<Record<string, string>> = {
  lower: 'a-z',
  upper: 'A-Z',
  digit: '0-9',
  alpha: 'A-Za-z',
  alnum: 'A-Za-z0-9',
  space: ' \\t\\n',
}
