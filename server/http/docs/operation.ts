/** Renders one operation: request, responses and examples. */
import { type ErrorCode, PROBLEMS } from '#base/errors.ts'
import { BEFORE_ROUTING } from '#http/openapi/problems.ts'
import type { JsonSchema } from '#http/openapi/schemas.ts'
import { type Html, html, type Piece } from './html.ts'
import { exampleOf, type Field, fieldsOf, limitsOf, typeWords } from './json-schema.ts'
import { heading, methodBadge } from './page.ts'
import { codeBlock, inline, json, prose } from './prose.ts'
import { codesOf, contentOf, type Operation, type Parameter, type Response } from './reference.ts'
import { tryIt } from './try-it.ts'

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

const parameterRow = ({ name, in: place, required, description, schema }: Parameter): Field => ({
  name,
  type: `${typeWords(schema)}, in the ${place}`,
  required,
  description,
  limits: limitsOf(schema),
})

function bodyFields(caption: string, schema: JsonSchema, direction: Direction): Html {
  const isArray = schema.type === 'array' && schema.items
  const fields = fieldsOf(isArray || schema)
  return html`${isArray && html`<p class="dim">An array. Each item has these fields:</p>`}${fieldTable(caption, fields, direction)}`
}

function request({ requestBody, summary }: Operation): Html | null {
  const content = requestBody && contentOf(requestBody)
  if (!content) return null
  return html`
<h4>Request body <span class="dim">${content.type}${!requestBody.required && ', optional'}</span></h4>
${prose(requestBody.description)}${bodyFields(`Request body: ${summary}`, content.schema, 'request')}`
}

const fieldsKey = (response: Response): string => JSON.stringify(fieldsOf(contentOf(response)?.schema ?? {}))

function successes({ responses, summary }: Operation): Html[] {
  const shown = Object.entries(responses).filter(([, response]) => codesOf(response).length === 0)
  return shown.map(([status, response], i) => {
    const content = contentOf(response)
    const twin = content && shown.slice(0, i).find(([, other]) => fieldsKey(other) === fieldsKey(response))
    const fields = twin
      ? html`<p class="dim">The same fields as ${twin[0]}.</p>`
      : content && bodyFields(`Response ${status}: ${summary}`, content.schema, 'response')
    return html`
<h4>Response ${statusPill(status)} <span class="dim">${content?.type ?? 'no body'}</span></h4>
${prose(response.description)}${fields}`
  })
}

export const statusPill = (status: string): Html =>
  html`<span class="status status-${status.charAt(0)}">${status}</span>`

interface ErrorRow {
  status: string
  code: string
  title: string
}

export const errorTable = (caption: string, rows: readonly ErrorRow[]): Html => html`
<table class="errors"><caption class="unseen">${caption}</caption>
<thead class="unseen"><tr><th scope="col">Status</th><th scope="col">Code and meaning</th></tr></thead>
<tbody>${rows.map(
  ({ status, code, title }) => html`
<tr><td>${statusPill(status)}</td><th scope="row">${problemLink(code)} <span>${title}</span></th></tr>`,
)}</tbody></table>`

function errors({ responses, summary }: Operation): Html {
  const rows = Object.entries(responses).flatMap(([status, response]) =>
    codesOf(response)
      .filter((code) => !BEFORE_ROUTING.includes(code))
      .map((code) => ({ status, code, title: PROBLEMS[code as ErrorCode]?.title })),
  )
  return html`<h4>Errors</h4>${errorTable(`Errors: ${summary}`, rows)}`
}

/** Inserts the URL, so that a command works as copied. Other variables are explained below it. */
export const withUrl = (source: string, publicUrl: string): string => source.replaceAll('$DOCVET_URL', publicUrl)

function meaningOf(variable: string, parameters: readonly Parameter[]): Html | string {
  if (variable === '$DOCVET_KEY') return html`<a href="#keep-the-key">your API key</a>`
  if (variable === '$DOCUMENT') return 'the path of the document'
  const inPath = parameters.filter(({ in: place }) => place === 'path')
  const parameter = inPath.find(({ name }) => variable.replaceAll('_', '').endsWith(name.toUpperCase()))
  return parameter ? html`the <code>${parameter.name}</code> in the path` : 'a value that you set'
}

function variables({ 'x-codeSamples': samples, parameters = [] }: Operation): Html | null {
  const used = new Set(samples.flatMap(({ source }) => source.match(/\$[A-Z][A-Z0-9_]*/g) ?? []))
  used.delete('$DOCVET_URL')
  if (used.size === 0) return null
  return html`<p class="note">${[...used].map((name) => html`<code>${name}</code> is ${meaningOf(name, parameters)}. `)}</p>`
}

function responseExamples({ responses }: Operation): Html[] {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2')) ?? []
  const content = response && contentOf(response)
  if (!content) return []
  const named = Object.entries(content.examples ?? {}).map(([name, { value }]) => [`, ${name}`, value] as const)
  const shown = named.length > 0 ? named : [['', exampleOf(content.schema)] as const]
  return shown.map(([name, value]) => codeBlock(`Response ${status}${name}`, json(value)))
}

/** A key can be sent in two ways, but is one credential. */
function credentialWords({ security }: Operation): string {
  const names = security.flatMap((scheme) => Object.keys(scheme))
  const words = [...(names.includes('apiKey') ? ['API key'] : []), ...(names.includes('session') ? ['session'] : [])]
  return capital(words.join(' or ') || 'no credential')
}

export function renderOperation(operation: Operation, publicUrl: string): Html {
  const { id, method, path, summary, description, parameters = [], 'x-codeSamples': samples } = operation
  return html`
<section class="operation" id="${id}">
${heading(3, id, summary)}
<p class="endpoint">${methodBadge(method)}<code>${breakable(path, '/')}</code><a class="pill" href="#authentication">${credentialWords(operation)}</a></p>
<div class="two">
<div class="text">${prose(description)}
${parameters.length > 0 && html`<h4>Parameters</h4>${fieldTable(`Parameters: ${summary}`, parameters.map(parameterRow), 'request')}`}${request(operation)}
${successes(operation)}${errors(operation)}</div>
<div class="examples">
${samples.map(({ label, source }) => codeBlock(label, withUrl(source, publicUrl)))}${variables(operation)}${responseExamples(operation)}${tryIt(operation)}
</div>
</div>
</section>`
}
