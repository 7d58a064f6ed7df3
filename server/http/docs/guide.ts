/** The handwritten part of the reference: getting started, and rules for all operations. */

import { PROBLEMS } from '#base/errors.ts'
import { BEFORE_ROUTING, problemExample } from '#http/openapi/problems.ts'
import { type Html, html } from './html.ts'
import { fieldsOf } from './json-schema.ts'
import { fieldTable, problemLink, withUrl } from './operation.ts'
import { heading } from './page.ts'
import { codeBlock, inline, json, paragraphsOf, prose } from './prose.ts'
import { type Operation, operationsOf, type Reference } from './reference.ts'

export const GUIDE = [
  ['start', 'Start here'],
  ['formats', 'Accepted formats'],
  ['authentication', 'Authentication'],
  ['errors', 'Errors'],
  ['limits', 'Rate limits and quota'],
  ['conventions', 'Conventions'],
] as const

type GuideId = (typeof GUIDE)[number][0]

const titleOf = (id: GuideId): string => (GUIDE.find(([one]) => one === id) ?? GUIDE[0])[1]

const section = (id: GuideId, text: Html, examples: Html | null): Html => html`
<section class="guide" id="${id}">
${heading(2, id, titleOf(id))}
<div class="two"><div class="text">${text}</div><div class="examples">${examples}</div></div>
</section>`

export function intro({ info }: Reference, publicUrl: string): Html {
  return html`
<div class="intro">
<h1>${info.title} API</h1>
<p class="lead">${inline(paragraphsOf(info.description)[0] ?? '')} Docvet runs on your own machines. Documents it cannot fully inspect are rejected with a reason, never guessed.</p>
<dl class="facts">
<div><dt>URL</dt><dd><code>${publicUrl}</code></dd></div>
<div><dt>Version</dt><dd><code>${info.version}</code></dd></div>
<div><dt>For tools</dt><dd><a href="/openapi.json"><code>/openapi.json</code></a></dd></div>
</dl>
</div>`
}

/** `read` keeps the key off the screen and out of the shell history. */
const KEEP_THE_KEY = 'read -rs DOCVET_KEY && export DOCVET_KEY'

const scanOf = (name: string): string => `curl "$DOCVET_URL/api/v1/scan" \\
  -H "X-API-Key: $DOCVET_KEY" -F 'file=@-;filename=${name}'`
const SCAN_CLEAN = `echo 'Good morning' | ${scanOf('hello.txt')}`
/** The EICAR test file, harmless by definition and detected by every engine. */
const SCAN_INFECTED = `printf '%s' 'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*' | ${scanOf('eicar.txt')}`

function step(id: string, title: string, words: Html, code: Html | Html[]): Html {
  return html`
<li id="${id}"><div><h3>${title}</h3><p>${words}</p></div>${code}</li>`
}

export function start(reference: Reference, publicUrl: string): Html {
  const find = (method: string, path: string): Operation | undefined =>
    operationsOf(reference).find((one) => one.method === method && one.path === path)
  const shell = (source: string): Html => codeBlock('Shell', withUrl(source, publicUrl))
  const example = (operation: Operation | undefined): Html[] =>
    operation?.['x-codeSamples'].map(({ source }) => shell(source)) ?? []
  const seeAlso = (operation: Operation | undefined): Html | false =>
    operation !== undefined && html` See <a href="#${operation.id}">${operation.summary}</a>.`
  const signUp = find('post', '/api/v1/signup')
  const usage = find('get', '/api/v1/usage')
  const scan = find('post', '/api/v1/scan')
  return html`
<section class="guide" id="start">
${heading(2, 'start', titleOf('start'))}
<ol class="steps">
${step('sign-up', 'Sign up', html`Replace the e-mail address with your own. The response contains your first API key as <code>apiKey</code>.${seeAlso(signUp)}`, example(signUp))}
${step('keep-the-key', 'Keep the key', html`The key is shown only once, so store it now. Then run this command, paste the key and press Enter. The commands below read it from <code>$DOCVET_KEY</code>, and it stays out of your shell history.`, codeBlock('Shell', KEEP_THE_KEY))}
${step('check-usage', 'Check your usage', html`If the key works, you see your plan and the scans left this month.${seeAlso(usage)}`, example(usage))}
${scan && step('scan', 'Scan a document', html`The response is <code>clean</code>. To scan a file, replace <code>@-;filename=hello.txt</code> with <code>@</code> and its path.${seeAlso(scan)}`, shell(SCAN_CLEAN))}
${scan && step('scan-infected', 'Scan a test virus', html`EICAR is a harmless file that every engine detects. The response is <code>infected</code> with the name of the threat.`, shell(SCAN_INFECTED))}
</ol>
</section>`
}

const FORMATS = [
  ['PDF', 'PDF'],
  [
    'Office',
    'Word, Excel, PowerPoint, Outlook messages, Visio, Project, Publisher (`.doc`, `.xls`, `.ppt`, `.msg`, `.vsd`, `.mpp`, `.pub`); Office Open XML (`.docx`, `.xlsx`, `.pptx`, `.vsdx`, and their macro and template variants); OpenDocument (`.odt`, `.ods`, `.odp`, …); RTF; OneNote',
  ],
  ['Text', 'Plain text, source code, CSV, HTML, XML, SVG, JSON, Markdown, e-mail (`.eml`), iCalendar, vCard'],
  ['ZIP', 'ZIP archives, EPUB'],
] as const

export const formats = (): Html =>
  section(
    'formats',
    html`
<p>The content decides, not the file name or the declared type. Any other content is rejected with 415 ${problemLink('unsupported_content_type')}, as is a part declared as an image, audio, video, font, 3D model or program. A document has at most 26,214,400 bytes (25 MB).</p>
<table class="fields"><caption class="unseen">Accepted formats</caption>
<thead class="unseen"><tr><th scope="col">Kind</th><th scope="col">Formats</th></tr></thead>
<tbody>${FORMATS.map(([kind, words]) => html`<tr><th scope="row">${kind}</th><td>${inline(words)}</td></tr>`)}</tbody></table>`,
    null,
  )

const WITH_BEARER = `curl "$DOCVET_URL/api/v1/usage" \\
  -H "Authorization: Bearer $DOCVET_KEY"`

export function authentication({ schemes }: Reference, publicUrl: string): Html {
  const text = html`
<p>Each operation names the credentials it accepts; one of them is enough. An API key begins with <code>dv_live_</code> and is sent in a header, never in the URL. Call the service from your own server: a key in a web page is visible to every visitor, and browsers on other origins cannot read the responses.</p>
<table class="fields"><caption class="unseen">Ways to authenticate</caption><tbody>${Object.values(schemes).map(
    ({ type, in: place, name, description }) => html`
<tr><th scope="row"><code>${type === 'http' ? 'Authorization: Bearer …' : place === 'cookie' ? `Cookie: ${name}=…` : `${name}: …`}</code></th><td>${inline(description)}</td></tr>`,
  )}</tbody></table>
<p>A missing, malformed, unknown or revoked key gets the same response: 401 ${problemLink('unauthenticated')}. A resource of another account is 404 ${problemLink('not_found')}. The service stores only a hash of each key.</p>`
  return section('authentication', text, codeBlock('curl with a Bearer token', withUrl(WITH_BEARER, publicUrl)))
}

export function errorsGuide({ problemSchema }: Reference, publicUrl: string): Html {
  const sample = problemExample('invalid_request', PROBLEMS.invalid_request, publicUrl)
  const text = html`
<p>Every error is <code>application/problem+json</code> (RFC 9457). Programs should rely on <code>status</code> and <code>code</code>, which do not change; <code>title</code> and <code>detail</code> are for people and may be reworded. Include the <code>requestId</code> when you report an error.</p>
${fieldTable('Fields of a problem', fieldsOf(problemSchema), 'response')}
<p>Each operation lists its codes. Any request can also fail with ${BEFORE_ROUTING.map((code, i) => [i > 0 && ', ', problemLink(code)])}. See <a href="#problems">the list of all codes</a>.</p>`
  return section('errors', text, codeBlock('A problem', json(sample)))
}

const LIMIT_HEADERS = `RateLimit-Policy: "key";q=1200;w=60
RateLimit: "key";r=1198;t=1`

export function limits(reference: Reference): Html {
  const usage = operationsOf(reference).find(({ path }) => path === '/api/v1/usage')
  const text = html`
<p><strong>Rate limits.</strong> Requests are limited per credential, or per IP address if they have none. <code>RateLimit-Policy</code> describes the limit: <code>q</code> requests in <code>w</code> seconds. <code>RateLimit</code> describes the current state: <code>r</code> requests left, all of them available again in <code>t</code> seconds. Above the limit the response is 429 ${problemLink('rate_limited')}; retry after the seconds in <code>Retry-After</code>.</p>
<p><strong>Quota.</strong> Each key has a monthly number of scans (UTC calendar month), set by the plan of its account. Only a delivered verdict counts; rejected and failed scans are free. When the quota is exhausted the response is 402 ${problemLink('quota_exhausted')}${usage && html`; <a href="#${usage.id}">usage</a> shows the numbers at any time`}.</p>`
  return section('limits', text, codeBlock('Response headers', LIMIT_HEADERS))
}

/** The first paragraph of the description is shown at the top of the page. */
export function conventions({ info }: Reference): Html {
  const rest = paragraphsOf(info.description).slice(1)
  return section('conventions', prose(rest.join('\n\n')), null)
}
