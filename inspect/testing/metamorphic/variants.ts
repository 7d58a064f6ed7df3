/** Programs that mean the same: each technique in each form that its language has, alone and two forms at a time. */
import { randomFrom } from '../random.ts'
import type { Kit } from './kits.ts'
import { type Language, languages, type Technique } from './techniques.ts'

export interface Variant {
  language: string
  technique: string
  /** Names of the forms. */
  forms: string[]
  program: string | Buffer
}

interface Program {
  definitions: string[]
  lines: string[]
}

/** The text as a value, and what must come before. */
interface Made {
  definitions?: string[]
  before: string[]
  value: string
}

type Fresh = () => string
type ValueForm = (kit: Kit, value: string, harmless: string, fresh: Fresh) => Made
type FlowForm = (kit: Kit, program: Program, harmless: () => string[]) => Program

const assigned =
  (lines: (name: string) => string[]) =>
  (kit: Kit, _value: string, _harmless: string, fresh: Fresh): Made => {
    const name = fresh()
    return { before: lines(name), value: kit.name(name) }
  }

function setting(
  lines: (kit: Kit, set: (value: string) => string, value: string, harmless: string) => string[],
): ValueForm {
  return (kit, value, harmless, fresh) =>
    assigned((name) => lines(kit, (each) => kit.set(name, kit.text(each)), value, harmless))(
      kit,
      value,
      harmless,
      fresh,
    )
}

/** For every language. */
const VALUE_FORMS: Record<string, ValueForm> = {
  'a variable': setting((_kit, set, value) => [set(value)]),
  'parts added': (kit, value) => ({
    before: [],
    value: kit.add(kit.text(value.slice(0, 7)), kit.text(value.slice(7))),
  }),
  'a harmless value before': setting((_kit, set, value, harmless) => [set(harmless), set(value)]),
  'a branch that never runs': setting((kit, set, value, harmless) => [
    set(value),
    ...kit.when(kit.never, [set(harmless)]),
  ]),
  'a branch that runs': setting((kit, set, value, harmless) => [set(harmless), ...kit.when(kit.always, [set(value)])]),
  'the first arm': setting((kit, set, value, harmless) => kit.when(kit.always, [set(value)], [set(harmless)])),
  'the second arm': setting((kit, set, value, harmless) => kit.when(kit.never, [set(harmless)], [set(value)])),
  'an arm of several': setting((kit, set, value, harmless) =>
    kit.choose(1, [[set(harmless)], [set(value)], [set(harmless)]]),
  ),
  'a loop that sets it': setting((kit, set, value, harmless) => [set(harmless), ...kit.once([set(value)])]),
  'branches in branches': setting((kit, set, value, harmless) =>
    kit.when(kit.always, kit.when(kit.never, [set(harmless)], [set(value)]), [set(harmless)]),
  ),
}

const FUNCTION_FORMS: Record<string, ValueForm> = {
  'a function': (kit, value, _harmless, fresh) => {
    const name = fresh()
    return { definitions: kit.define(name, [], [], kit.text(value)), before: [], value: kit.call(name) }
  },
  'a function of two parts': (kit, value, _harmless, fresh) => {
    const name = fresh()
    return {
      definitions: kit.define(name, ['p', 'q'], [], kit.add(kit.name('p'), kit.name('q'))),
      before: [],
      value: kit.call(name, kit.text(value.slice(0, 7)), kit.text(value.slice(7))),
    }
  },
  'a function that calls another': (kit, value, _harmless, fresh) => {
    const [one, two] = [fresh(), fresh()]
    return {
      definitions: [
        ...kit.define(two, ['p'], [], kit.name('p')),
        ...kit.define(one, [], [], kit.call(two, kit.text(value))),
      ],
      before: [],
      value: kit.call(one),
    }
  },
  'a function with branches': (kit, value, harmless, fresh) => {
    const [name, local] = [fresh(), fresh()]
    const lines = kit.when(kit.never, [kit.set(local, kit.text(harmless))], [kit.set(local, kit.text(value))])
    return { definitions: kit.define(name, [], lines, kit.name(local)), before: [], value: kit.call(name) }
  },
}

const HANDLER_FORMS: Record<string, ValueForm> = {
  'a handler that sets it': setting((kit, set, value, harmless) => [
    set(harmless),
    ...(kit.attempt?.([kit.fail ?? ''], [set(value)]) ?? []),
  ]),
  'a handler that never runs': setting((kit, set, value, harmless) => [
    set(value),
    ...(kit.attempt?.([kit.set('unused', kit.text('a'))], [set(harmless)]) ?? []),
  ]),
}

const flow =
  (lines: (kit: Kit, lines: string[], harmless: () => string[]) => string[]): FlowForm =>
  (kit, program, harmless) => ({ ...program, lines: lines(kit, program.lines, harmless) })

const FLOW_FORMS: Record<string, FlowForm> = {
  'inside a branch': flow((kit, lines) => kit.when(kit.always, lines)),
  'inside the second arm': flow((kit, lines, harmless) => kit.when(kit.never, harmless(), lines)),
  'inside a loop': flow((kit, lines) => kit.repeat('i', 1, lines)),
  'inside a loop that cannot be counted': flow((kit, lines) => kit.once(lines)),
  'inside an arm of several': flow((kit, lines, harmless) => kit.choose(1, [harmless(), lines, harmless()])),
  'behind code that never runs': flow((kit, lines, harmless) => [...kit.when(kit.never, harmless()), ...lines]),
  'before something harmless': flow((_kit, lines, harmless) => [...lines, ...harmless()]),
}

const PROCEDURE_FORMS: Record<string, FlowForm> = {
  'inside a procedure': (kit, { definitions, lines }) => ({
    definitions: [...definitions, ...kit.procedure('work', lines)],
    lines: [kit.run('work')],
  }),
  'two procedures deep': (kit, { definitions, lines }) => ({
    definitions: [...definitions, ...kit.procedure('inner', lines), ...kit.procedure('work', [kit.run('inner')])],
    lines: [kit.run('work')],
  }),
}

const ATTEMPT_FORMS: Record<string, FlowForm> = {
  'inside an attempt': flow((kit, lines, harmless) => kit.attempt?.(lines, harmless()) ?? lines),
  'inside a handler': flow((kit, lines) => kit.attempt?.([kit.fail ?? ''], lines) ?? lines),
}

const hasFunctions = (kit: Kit): boolean => kit.define('a', [], [], '').length > 0

function valueForms(kit: Kit): Record<string, ValueForm> {
  const forms = { ...VALUE_FORMS, ...(hasFunctions(kit) && FUNCTION_FORMS), ...(kit.attempt && HANDLER_FORMS) }
  for (const [name, write] of Object.entries(kit.values))
    forms[name] = (_kit, value) => ({ before: [], value: write(value) })
  for (const [name, write] of Object.entries(kit.made))
    forms[name] = (_kit, value, _harmless, fresh) => write(value, fresh)
  return forms
}

function flowForms(kit: Kit): Record<string, FlowForm> {
  const forms = { ...FLOW_FORMS, ...(hasFunctions(kit) && PROCEDURE_FORMS), ...(kit.attempt && ATTEMPT_FORMS) }
  for (const [name, write] of Object.entries(kit.evaluate))
    forms[`code from text: ${name}`] = (_kit, { definitions, lines }) => ({
      definitions,
      lines: write(lines.join('\n')),
    })
  return forms
}

function freshNames(): Fresh {
  let count = 0
  return () => `nm${++count}`
}

interface Choice {
  value?: string
  flow?: string
  text?: string
}

function write(
  { kit }: Language,
  { texts, harmless, use }: Technique,
  choice: Choice,
  last = texts.at(-1) ?? '',
): string | Buffer {
  const fresh = freshNames()
  const made = choice.value === undefined ? undefined : valueForms(kit)[choice.value]
  const values = [...texts.slice(0, -1), last].map(
    (text): Made => made?.(kit, text, harmless || 'about:blank', fresh) ?? { before: [], value: kit.text(text) },
  )
  let program: Program = {
    definitions: values.flatMap(({ definitions = [] }) => definitions),
    lines: [...values.flatMap(({ before }) => before), ...use(...values.map(({ value }) => value))],
  }
  const inert = (): string[] =>
    harmless === '' ? [kit.set('idle', kit.text('a'))] : use(...texts.slice(0, -1).map(kit.text), kit.text(harmless))
  if (choice.flow !== undefined) program = flowForms(kit)[choice.flow]?.(kit, program, inert) ?? program
  const written = kit.program(program.definitions, program.lines)
  return choice.text === undefined ? written : (kit.texts[choice.text]?.(written) ?? written)
}

function* choicesOf({ kit }: Language): Generator<Choice> {
  for (const value of Object.keys(valueForms(kit))) yield { value }
  for (const name of Object.keys(flowForms(kit))) yield { flow: name }
  for (const text of Object.keys(kit.texts)) yield { text }
}

/** Every form alone. */
export function* singleVariants(): Generator<Variant> {
  for (const [language, each] of Object.entries(languages))
    for (const [technique, row] of Object.entries(each.techniques))
      for (const choice of choicesOf(each))
        yield { language, technique, forms: Object.values(choice), program: write(each, row, choice) }
}

export function plainProgram(language: string, technique: string): string | Buffer {
  const { of, row } = at(language, technique)
  return write(of, row, {})
}

/** Code that the program runs as it stands there. */
const isOpenCode = (name: string): boolean => /^code from text: (?:eval|new Function|Execute(?:Global)?)$/.test(name)

/** A PDF that runs text when it opens, and opens an address, is judged by that. */
const openFlows = (language: string, { kit }: Language): string[] =>
  language === 'PDF'
    ? Object.keys(FLOW_FORMS)
    : [...Object.keys(FLOW_FORMS), ...Object.keys(flowForms(kit)).filter(isOpenCode)]

/** The harmless twin in forms that hide nothing. */
export function* openTwins(): Generator<Variant> {
  for (const [language, each] of Object.entries(languages))
    for (const [technique, row] of Object.entries(each.techniques)) {
      if (row.harmless === '') continue
      const open = [...Object.keys(VALUE_FORMS), ...(hasFunctions(each.kit) ? Object.keys(FUNCTION_FORMS) : [])]
      for (const value of open)
        yield { language, technique, forms: [value], program: write(each, row, { value }, row.harmless) }
      for (const name of openFlows(language, each))
        yield { language, technique, forms: [name], program: write(each, row, { flow: name }, row.harmless) }
    }
}

/** Two or three forms at a time, at random. */
export function* pairedVariants(seed: number, count: number): Generator<Variant> {
  const random = randomFrom(seed)
  const pick = <T>(items: readonly T[]): T => items[random(items.length)] as T
  for (let i = 0; i < count; i++) {
    const [language, each] = pick(Object.entries(languages))
    const [technique, row] = pick(Object.entries(each.techniques))
    // Batch replaces variables of a block before it runs it: set and use in one block mean something else.
    const isBatch = !hasFunctions(each.kit)
    const choice: Choice = { value: pick(Object.keys(valueForms(each.kit))) }
    if (isBatch || random(2) === 0) choice.text = pick(Object.keys(each.kit.texts))
    else choice.flow = pick(Object.keys(flowForms(each.kit)))
    yield { language, technique, forms: Object.values(choice), program: write(each, row, choice) }
  }
}

function at(language: string, technique: string): { of: Language; row: Technique } {
  const of = languages[language]
  const row = of?.techniques[technique]
  if (of === undefined || row === undefined) throw new Error(`No technique ${technique} of ${language}`)
  return { of, row }
}
