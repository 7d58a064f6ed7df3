/** The panel that sends a request to this server. docs.js reveals it. */
import { type Html, html } from './html.ts'
import { exampleOf, isFile, type Loose, loose } from './json-schema.ts'
import { jsonText } from './prose.ts'
import type { Operation, Parameter } from './reference.ts'

const PLACES = ['path', 'query', 'header']

const keyField = html`
<label class="field"><span>API key</span>
<input type="password" data-key autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="dv_live_…">
<small>Kept in memory only, until you leave this page.</small></label>`

const parameterField = ({ name, place, required }: Parameter): Html => html`
<label class="field"><span><code>${name}</code> <em>in the ${place}</em></span>
<input type="text" data-parameter="${name}" data-place="${place}"${required && html` required`} autocomplete="off" autocapitalize="off" spellcheck="false"></label>`

const partField = ([name, schema]: [string, unknown], required: readonly unknown[]): Html => html`
<label class="field"><span><code>${name}</code></span>
<input type="${isFile(schema) ? 'file' : 'text'}" data-part="${name}"${required.includes(name) && html` required`} autocomplete="off"></label>`

function bodyField(body: NonNullable<Operation['body']>): Html {
  if (body.type === 'multipart/form-data') {
    const { properties, required }: Loose = loose(body.schema)
    return html`${Object.entries(loose(properties)).map((part) => partField(part, Array.isArray(required) ? required : []))}`
  }
  const text = body.type.includes('json') ? jsonText(exampleOf(body.schema)) : ''
  return html`
<label class="field"><span>Body <em>${body.type}</em></span>
<textarea data-body rows="${Math.min(16, Math.max(3, text.split('\n').length))}" autocomplete="off" autocapitalize="off" spellcheck="false">${'\n'}${text}</textarea></label>`
}

export function tryIt({ id, method, path, summary, credentials, parameters, body }: Operation): Html {
  const shown = parameters.filter(({ place }) => PLACES.includes(place))
  return html`
<details class="try" data-try hidden>
<summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}" data-type="${body?.type}" autocomplete="off" aria-label="Try it: ${summary}">
${credentials.length > 0 && keyField}${shown.map(parameterField)}${body && bodyField(body)}
<button type="submit" class="button" aria-describedby="${id}-title">Send request</button>
</form>
<div class="answer" role="status" data-answer hidden></div>
</details>`
}
