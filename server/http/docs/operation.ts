/** Renders one operation: request, responses and examples. */
import { BEFORE_ROUTING } from '#http/openapi/problems.ts'
import type { ProblemKind } from '#http/problem-kinds.ts'
import { type Html, html, type Piece } from './html.ts'
import { exampleOf, type Field, fieldsOf, limitsOf, loose, textOf, typeWords } from './json-schema.ts'
import { heading, methodBadge } from './page.ts'
import { codeBlock, inline, json, prose } from './prose.ts'
import type { Answer, Operation, Parameter } from './reference.ts'
import { tryIt } from './try-it.ts'

export type Problems = Readonly<Record<string, ProblemKind>>

export interface Setting {
  publicUrl: string
  problems: Problems
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

export const problemLink = (code: string): Html =>
  html`<a class="code-link" href="/problems/${encodeURIComponent(code)}"><code>${code}</code></a>`

/** Lets a long name wrap after each separator. */
const breakable = (text: string, separator: string): Piece =>
  text.split(separator).map((part, i) => (i === 0 ? part : [separator, html`<wbr>`, part]))

/** Marks only the exceptions: required fields of a request, optional fields of a response. */
type Direction = 'request' | 'response'
const mark = (required: boolean, direction: Direction): Html | false => {
  if (direction === 'request') return required && html` <span class="required">required</span>`
  return !required && html`<span class="type">, optional</span>`
}

const row = ({ name, type, required, description, limits }: Field, direction: Direction): Html => html`
<tr><th scope="row"><code>${breakable(name, '.')}</code> <span class="type">${type}</span>${mark(required, direction)}</th>
<td>${description && html`<p>${inline(description)}</p>`}${limits.length > 0 && html`<p class="limits">${inline(`${capital(limits.join(', '))}.`)}</p>`}</td></tr>`

export const fieldTable = (caption: string, fields: readonly Field[], direction: Direction): Html => html`
<table class="fields"><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">Field and type</th><th scope="col">Meaning and limits</th></tr></thead>
<tbody>${fields.map((field) => row(field, direction))}</tbody></table>`

const parameterRow = ({ name, place, required, description, schema }: Parameter): Field => ({
  name,
  type: `${typeWords(schema)}, in the ${place}`,
  required,
  description: description || textOf(loose(schema).description),
  limits: limitsOf(schema),
})

function shape(caption: string, schema: unknown, direction: Direction): Html {
  const list = loose(schema).type === 'array'
  const fields = fieldsOf(list ? loose(schema).items : schema)
  if (fields.length === 0) return html`<p class="dim">${capital(typeWords(schema))}.</p>`
  return html`${list && html`<p class="dim">An array. Each item has these fields:</p>`}${fieldTable(caption, fields, direction)}`
}

function requestBody({ body, summary }: Operation): Html | null {
  if (!body) return null
  return html`
<h4>Request body <span class="dim">${body.type}${body.optional && ', optional'}</span></h4>
${prose(body.description)}${shape(`Request body: ${summary}`, body.schema, 'request')}`
}

function answer({ status, description, content }: Answer, summary: string, before: readonly Answer[]): Html {
  const twin = content && before.find((other) => JSON.stringify(other.content) === JSON.stringify(content))
  const fields = twin
    ? html`<p class="dim">The same fields as ${twin.status}.</p>`
    : content && shape(`Response ${status}: ${summary}`, content.schema, 'response')
  return html`
<h4>Response ${statusPill(status)} <span class="dim">${content?.type ?? 'no body'}</span></h4>
${prose(description)}${fields}`
}

export const statusPill = (status: string): Html =>
  html`<span class="status status-${status.charAt(0)}">${status}</span>`

export interface ErrorRow {
  status: string
  code: string
  title: string | undefined
}

export const errorTable = (caption: string, rows: readonly ErrorRow[]): Html => html`
<table class="errors"><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">Status</th><th scope="col">Code and meaning</th></tr></thead>
<tbody>${rows.map(
  ({ status, code, title }) => html`
<tr><td>${statusPill(status)}</td><th scope="row">${problemLink(code)} <span>${title}</span></th></tr>`,
)}</tbody></table>`

function errors({ answers, summary }: Operation, problems: Problems): Html | null {
  const rows = answers.flatMap(({ status, problems: codes }) =>
    codes
      .filter((code) => !BEFORE_ROUTING.includes(code))
      .map((code) => ({ status, code, title: Object.hasOwn(problems, code) ? problems[code]?.title : '' })),
  )
  return rows.length === 0 ? null : html`<h4>Errors</h4>${errorTable(`Errors: ${summary}`, rows)}`
}

/** Inserts the URL, so that a command works as copied. Other variables are explained below it. */
export const withUrl = (source: string, publicUrl: string): string => source.replaceAll('$DOCVET_URL', publicUrl)

function variables({ samples, parameters }: Operation): Html | null {
  const used = new Set(samples.flatMap(({ source }) => source.match(/\$[A-Z][A-Z0-9_]*/g) ?? []))
  used.delete('$DOCVET_URL')
  if (used.size === 0) return null
  const notes = [...used].map((name) => {
    if (name === '$DOCVET_KEY') return html`<code>${name}</code> is <a href="#keep-the-key">your API key</a>. `
    const parameter = parameters.find((one) => name.endsWith(`_${one.name.toUpperCase()}`))
    return html`<code>${name}</code> is ${parameter ? html`the <code>${parameter.name}</code> in the path` : name === '$DOCUMENT' ? 'the path of the document' : 'a value that you set'}. `
  })
  return html`<p class="note">${notes}</p>`
}

function responseExample({ answers }: Operation): Html | null {
  const success = answers.find(({ status }) => status.startsWith('2'))
  if (!success?.content?.type.includes('json') || success.content.schema === undefined) return null
  const { schema, examples } = success.content
  const named = Object.entries(examples).map(([name, example]) => [`, ${name}`, loose(example).value] as const)
  const shown = named.length > 0 ? named : [['', exampleOf(schema)] as const]
  return html`${shown.map(([name, value]) => codeBlock(`Response ${success.status}${name}`, json(value)))}`
}

/** Each label once: a key can be sent in two ways, but is one credential. */
const credentialWords = ({ credentials }: Operation): string =>
  [...new Set(credentials.map(({ label }) => label))]
    .map((label, i) => (i === 0 ? label : label.toLowerCase()))
    .join(' or ') || 'No credential'

export function renderOperation(operation: Operation, { publicUrl, problems }: Setting): Html {
  const { id, method, path, summary, description, parameters, answers, samples, deprecated } = operation
  const expected = answers.filter((one) => one.problems.length === 0)
  const other = parameters.filter(({ place }) => place !== 'cookie')
  return html`
<section class="operation" id="${id}">
${heading(3, id, summary)}
<p class="endpoint">${methodBadge(method)}<code>${breakable(path, '/')}</code><a class="pill" href="#authentication">${credentialWords(operation)}</a>${deprecated && html`<span class="pill pill-warn">Deprecated</span>`}</p>
<div class="two">
<div class="text">${prose(description)}
${other.length > 0 && html`<h4>Parameters</h4>${fieldTable(`Parameters: ${summary}`, other.map(parameterRow), 'request')}`}${requestBody(operation)}
${expected.map((one, i) => answer(one, summary, expected.slice(0, i)))}${errors(operation, problems)}</div>
<div class="examples">
${samples.map(({ label, source }) => codeBlock(label, withUrl(source, publicUrl)))}${variables(operation)}${responseExample(operation)}${tryIt(operation)}
</div>
</div>
</section>`
}
