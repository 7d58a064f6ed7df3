/** The panel that sends a request to this server. docs.js reveals it. */

import type { JsonSchema } from '#http/openapi/schemas.ts'
import { type Html, html } from './html.ts'
import { exampleOf, isFile } from './json-schema.ts'
import { jsonText } from './prose.ts'
import { contentOf, type Operation, type Parameter } from './reference.ts'
import { SAMPLE_NAMES } from './sample-files.ts'

const KEYS = 'dv_live_… or dv_test_…'

/** A session comes with the cookie of the reader, so that signed in nobody needs a key. */
const keyField = (acceptsSession: boolean): Html => html`
<label class="field"><span>API key</span>
<input type="password" data-key autocomplete="off" autocapitalize="off" spellcheck="false" placeholder="${KEYS}">
<small>Kept in memory only, until you leave this page.${acceptsSession && html` Empty: with your session, if you are signed in here.`}</small></label>`

/** One request with a document of ours is easier than finding one. */
const sampleField = html`
<label class="field"><span>or a <a href="/samples/">sample</a></span>
<select data-sample><option value="">none</option>${SAMPLE_NAMES.map((name) => html`<option>${name}</option>`)}</select></label>`

const parameterField = ({ name, in: place, required }: Parameter): Html => html`
<label class="field"><span><code>${name}</code> <em>in the ${place}</em></span>
<input type="text" data-parameter="${name}" data-place="${place}"${required && html` required`} autocomplete="off" autocapitalize="off" spellcheck="false"></label>`

const partField = ([name, schema]: [string, JsonSchema], required: readonly string[]): Html => html`
<label class="field"><span><code>${name}</code></span>
<input type="${isFile(schema) ? 'file' : 'text'}" data-part="${name}"${required.includes(name) && !isFile(schema) && html` required`} autocomplete="off"></label>${isFile(schema) && sampleField}`

function bodyFields({ type, schema }: { type: string; schema: JsonSchema }): Html | Html[] {
  const { properties = {}, required = [] } = schema
  if (type === 'multipart/form-data') return Object.entries(properties).map((part) => partField(part, required))
  const text = jsonText(exampleOf(schema))
  return html`
<label class="field"><span>Body <em>${type}</em></span>
<textarea data-body rows="${Math.min(16, Math.max(3, text.split('\n').length))}" autocomplete="off" autocapitalize="off" spellcheck="false">${'\n'}${text}</textarea></label>`
}

export function tryIt({ id, method, path, summary, security, parameters = [], requestBody }: Operation): Html {
  const content = requestBody && contentOf(requestBody)
  return html`
<details class="try" data-try hidden>
<summary>Try it</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}" data-type="${content?.type}" autocomplete="off" aria-label="Try it: ${summary}">
${security.length > 0 && keyField(security.some((each) => Object.keys(each).some((name) => /session/i.test(name))))}${parameters.map(parameterField)}${content && bodyFields(content)}
<button type="submit" class="button" aria-describedby="${id}-title">Send request</button>
</form>
<div class="answer" role="status" data-answer hidden></div>
</details>`
}
