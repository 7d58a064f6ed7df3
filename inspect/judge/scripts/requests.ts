/** Finds scripts of servers that run what a visitor sends (web shells), whatever way the text takes through their variables. */

import { anyCase } from '#inspect/core/pattern.ts'
import { charge, keep } from '#inspect/core/work.ts'
import { SHELLS, UNIX_SHELLS } from '#inspect/windows/programs.ts'
import { codedTexts } from './coded.ts'
import { SERVER_LANGUAGES, type ServerLanguage } from './server-languages.ts'

const CHARACTER_WORK = 60
const VALUE_WORK = 4_000
/** For each place where something may be run. */
const RUN_WORK = 25_000
const NAME_BYTES = 120
/** Characters of a value that are read, and steps before what it begins with. */
const VALUE_MAX = 400
const STEPS_MAX = 24
/** A text passes on through so many variables against the order of the script. */
const ROUNDS_MAX = 4
const BODY_MAX = 4_000
/** Code in code. */
const DEPTH_MAX = 3

/** What a value may have before the text: casts, brackets, a shell with its switches, and literals without words. */
const BEFORE = [
  /\(\s{0,4}(?:string|array|object)\s{0,4}\)\s{0,4}/iy,
  /[\s@([{!\\]+/y,
  /(?:new|await|return|my|clone)\s{1,4}(?:[\w.]{1,60}(?:\[\])?\s{0,4}(?=[({]))?/y,
  /["'](?:\?>|<\?(?:php|=)?|[^\w"'$#{}]{0,8})\s{0,4}["']\s{0,4}[.,+&]{1,2}/y,
  new RegExp(
    anyCase`["'](?:(?:/bin/|/usr/bin/)?(?:${SHELLS}|${UNIX_SHELLS})(?:\.exe)?(?:\s{1,4}[-/][a-z]{1,12}){0,6}|(?:[-/][a-z]{1,12}\s{0,4}){1,6})\s{0,4}(?:["']\s{0,4}[.,+&]{1,2}\s{0,4})?`
      .source,
    'iy',
  ),
  /["'\x60](?=\{?\$|#)[{#]?/y,
  /\$\{/y,
]
/** Calls that return another text than they were given, or only tell something about it. */
const CHECKER =
  /(?:isset|empty|in_array|is_\w{1,20}|count|strlen|strcmp|md5|sha1|crc32|hash|hash_equals|password_\w{1,20}|intval|floatval|int|float|Number|parseInt|Integer\.parseInt|escapeshell\w{1,4}|htmlspecialchars|htmlentities|basename|realpath|sanitize_\w{1,40}|esc_\w{1,20}|filter_\w{1,20}|ctype_\w{1,12}|preg_match|preg_replace|strtotime|date|number_format|json_encode|sprintf|printf|strpos|stripos|substr_count|array_key_exists|array_keys|http_build_query|quote|shlex\.\w{1,10}|len|CLng|CInt|Server\.HTMLEncode|Server\.MapPath|MapPath|dirname|function_exists|method_exists|file_exists|defined|print|echo)\s{0,4}\(/iy
const CALL = /[\w$.:>\\-]{1,80}?\s{0,4}\(/y
const NEXT_ARGUMENT = /["'][^\w"']{0,8}["']\s{0,4},/y

type Names = ReadonlySet<string>

/** Whether a value begins with such a text, so that it says what is run. */
function leads(value: string, { request, name }: ServerLanguage, names: Names): boolean {
  let at = 0
  const takes = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(value)
    if (found === null || found[0] === '') return false
    at = pattern.lastIndex
    return true
  }
  for (let step = 0; step < STEPS_MAX; step++) {
    if (takes(request)) return true
    const from = at
    if (takes(CHECKER)) return false
    if (BEFORE.some(takes) || takes(NEXT_ARGUMENT)) continue
    if (takes(name) && names.has(value.slice(from, at))) return true
    at = from
    if (!takes(CALL)) return false
  }
  return false
}

/** Of a condition, each of its results. */
const CHOICE = /\?\?|\|\||\?(?!>)|(?<!:):(?!:)|\s(?:if|else|or)\s/

const mayLead = (value: string, language: ServerLanguage, names: Names): boolean =>
  leads(value, language, names) || value.split(CHOICE).some((part) => leads(part, language, names))

function mentions(value: string, { request, name }: ServerLanguage, names: Names): boolean {
  const any = new RegExp(request.source, request.flags.replace('y', ''))
  if (any.test(value)) return true
  return value.matchAll(new RegExp(name.source, 'g')).some(([each]) => names.has(each))
}

/** To the end of the statement. */
function valueAt(text: string, at: number): string {
  const value = text.slice(at, at + VALUE_MAX)
  return value.slice(0, (/[;\r\n]|%>/.exec(value)?.index ?? VALUE_MAX) || VALUE_MAX)
}

/** To the bracket that closes the call. */
function argumentsAt(text: string, at: number): string {
  let open = 1
  for (let end = at; end < Math.min(text.length, at + VALUE_MAX); end++) {
    const sign = text[end]
    if (sign === '(') open += 1
    else if (sign === ')' && --open === 0) return text.slice(at, end)
  }
  return text.slice(at, at + VALUE_MAX)
}

/** The beginning, and each function with what follows it: they share no names but those of the beginning. */
function scopesOf(text: string, { functions }: ServerLanguage): [string, ...string[]] {
  const starts = Array.from(text.matchAll(functions), ({ index }) => index)
  charge(starts.length * VALUE_WORK)
  return [text.slice(0, starts[0]), ...starts.map((start, i) => text.slice(start, starts[i + 1]))]
}

/** Names that a value of the request is given. */
function namesIn(text: string, language: ServerLanguage, known: Names = new Set()): Set<string> {
  const names = new Set(known)
  const add = (name: string): void => {
    if (!names.has(name)) keep(NAME_BYTES)
    names.add(name)
  }
  for (let round = 0, before = -1; round < ROUNDS_MAX && names.size !== before; round++) {
    before = names.size
    for (const { index, 0: whole, 1: name = '' } of text.matchAll(language.sets)) {
      charge(VALUE_WORK)
      if (!names.has(name) && mayLead(valueAt(text, index + whole.length), language, names)) add(name)
    }
    for (const name of loopNames(text, language, names)) add(name)
  }
  return names
}

function* loopNames(text: string, language: ServerLanguage, names: Names): Generator<string> {
  if (language.loops === undefined) return
  for (const [, value = '', given = ''] of text.matchAll(language.loops)) {
    charge(VALUE_WORK)
    if (leads(value, language, names)) yield* given.match(/\$\w{1,60}/g) ?? []
  }
}

type Runs = (text: string, language: ServerLanguage, names: Names) => boolean

/** Names of functions whose parameters are run. */
function runnersIn(scopes: readonly string[], language: ServerLanguage, runs: Runs): string[] {
  return scopes.flatMap((text) => {
    const [found] = text.matchAll(language.functions)
    const [whole = '', type = '', name = '', given = ''] = found ?? []
    const names = new Set(Array.from(given.matchAll(/\$?\b[A-Za-z_]\w{0,60}(?=\s{0,4}(?:[,=:]|$))/g), ([each]) => each))
    if (names.size === 0 || !runs(text.slice(whole.length, BODY_MAX), language, names)) return []
    const called = name !== '' && !/^__/.test(name) ? name : type
    return called === '' ? [] : [called]
  })
}

function runsAny(text: string, language: ServerLanguage, names: Names): boolean {
  charge(text.length * CHARACTER_WORK)
  return text.matchAll(language.runs).some(({ index, 0: whole, 1: name = '' }) => {
    if (language.called?.has(name) === false) return false
    charge(RUN_WORK)
    return mayLead(argumentsAt(text, index + whole.length), language, names)
  })
}

/** Runs bytes of a request as a program, decrypted or not. */
function loadsAny(text: string, language: ServerLanguage, names: Names): boolean {
  if (language.loads === undefined) return false
  charge(text.length * CHARACTER_WORK)
  return text.matchAll(language.loads).some(({ index, 0: whole, 1: name = '' }) => {
    if (language.called?.has(name) === false) return false
    charge(RUN_WORK)
    return mentions(argumentsAt(text, index + whole.length), language, names)
  })
}

/** Functions that run what they are given, whose names nobody writes in pieces. */
const RUNNING = /^(?:eval|assert|system|exec|shell_exec|passthru|popen|proc_open|create_function)$/
const DECODERS =
  /^\s{0,4}@?(?:\w{0,40}\s{0,4}\(\s{0,4})?(?:str_rot13|strrev|base64_decode|hex2bin|urldecode|str_i?replace|chr|gzinflate|pack|implode|join)\s{0,4}\(|^\s{0,4}\$\w{1,60}\s{0,4}[[{]\s{0,4}\d{1,4}\s{0,4}[\]}]\s{0,4}\./i

/** Whether a value is the name of such a function, or one that only a decoder shows. */
function hidesRunner(value: string): boolean {
  if (DECODERS.test(value)) return true
  const parts = value.match(/"[^"]*"|'[^']*'/g) ?? []
  return RUNNING.test(parts.map((part) => part.slice(1, -1)).join('')) && /^[\s"'.\w]*$/.test(value)
}

/** Functions that call the one that they are given: first, or behind a list. */
const CALLERS =
  /(?<![\w$>:])(?:(array_map|call_user_func(?:_array)?|register_(?:shutdown|tick)_function|ob_start|forward_static_call|set_error_handler|ReflectionFunction)|array_(?:filter|walk|reduce)|u[ak]?sort|preg_replace_callback|iterator_apply)\s{0,4}\(/gi
const RUNNER_LITERAL = /["'](?:assert|system|exec|shell_exec|passthru|popen|proc_open|eval|create_function)["']/i

const GUARD =
  /\b(?:in_array|array_key_exists|function_exists|is_callable|method_exists|isset|switch)\s{0,4}\(([^;{]{0,120})/g

/** Names that the script compares with what it allows, or asks whether they can be called. */
function guardedIn(text: string): Names {
  charge(text.length * CHARACTER_WORK)
  return new Set(text.matchAll(GUARD).flatMap(([, given = '']) => given.match(/\$\w{1,60}/g) ?? []))
}

/** Calls a function whose name the visitor sends, or the script hides, with something else that he sends. */
function callsHidden(text: string, language: ServerLanguage, names: Names): boolean {
  if (language.calls === undefined) return false
  const values = new Map<string, string>()
  for (const found of text.matchAll(language.sets)) {
    const [whole, name = ''] = found
    keep(NAME_BYTES)
    if (!values.has(name)) values.set(name, valueAt(text, found.index + whole.length))
  }
  const importsAll = language.imports?.test(text) === true
  const guarded = guardedIn(text)
  const isCalled = text.matchAll(language.calls).some(({ index, 0: whole, 1: name = '' }) => {
    charge(RUN_WORK)
    const given = argumentsAt(text, index + whole.length)
    if (importsAll && !values.has(name)) return true
    if (!mentions(given, language, names)) return false
    return hidesRunner(values.get(name) ?? '') || (names.has(name) && !guarded.has(name))
  })
  if (isCalled) return true
  return text.matchAll(CALLERS).some(({ index, 0: whole, 1: first }) => {
    charge(RUN_WORK)
    const given = argumentsAt(text, index + whole.length).split(',')
    const [called = ''] = given.splice(first === undefined ? 1 : 0, 1)
    const isSent = given.some((each) => mentions(each, language, names))
    if (RUNNER_LITERAL.test(called)) return isSent
    return leads(called, language, names) && (isSent || /^Reflection/i.test(whole))
  })
}

/** Calls of functions by their name, also as an object before what it is given. */
const CALLS = /(?<!function\s{1,4})(?<!def\s{1,4})\b([A-Za-z_]\w{0,60})\s{0,4}\((?:\s{0,4}\)\s{0,4},)?/g

/** Whether a script of a server runs what a visitor sends, also in what it decodes. */
export function runsRequests(text: string, depth = 0): boolean {
  charge(text.length * CHARACTER_WORK)
  return SERVER_LANGUAGES.filter(({ starts }) => starts.test(text)).some((language) => {
    const [head, ...others] = scopesOf(text, language)
    const known = namesIn(head, language)
    const scopes = [
      { text: head, names: known },
      ...others.map((each) => ({ text: each, names: namesIn(each, language, known) })),
    ]
    const runners = {
      runs: { ...language, runs: CALLS, called: new Set(runnersIn(others, language, runsAny)) },
      loads: { ...language, loads: CALLS, called: new Set(runnersIn(others, language, loadsAny)) },
    }
    const any = scopes.some(
      ({ text: part, names }) =>
        [runsAny, loadsAny, callsHidden].some((runs) => runs(part, language, names)) ||
        (runners.runs.called.size > 0 && runsAny(part, runners.runs, names)) ||
        (runners.loads.called.size > 0 && loadsAny(part, runners.loads, names)),
    )
    const { decoded } = language
    if (any || decoded === undefined || depth >= DEPTH_MAX || !/\beval\b|\bassert\b/.test(text)) return any
    return codedTexts(text).some((code) => runsRequests(decoded + code, depth + 1))
  })
}
