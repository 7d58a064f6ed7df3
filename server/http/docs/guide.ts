/** The part of the reference that is written by hand: how to begin, and what holds for every operation. */
import { type Html, html } from './html.ts'
import { exampleOf, fieldsOf } from './json-schema.ts'
import { fieldTable, problemLink, type Setting, withAddress } from './operation.ts'
import { heading } from './page.ts'
import { problemExample } from './problems.ts'
import { codeBlock, inline, json, paragraphsOf, prose } from './prose.ts'
import { type Operation, operationsOf, type Reference } from './reference.ts'

export const GUIDE = [
  ['start', 'Start here'],
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

export function intro(reference: Reference, { publicUrl }: Setting): Html {
  return html`
<div class="intro">
<h1>${reference.title} API</h1>
<p class="lead">${inline(paragraphsOf(reference.description)[0] ?? '')} Docvet runs on your own machines, and what it cannot look into completely it refuses with a reason instead of guessing.</p>
<dl class="facts">
<div><dt>Address</dt><dd><code>${publicUrl}</code></dd></div>
<div><dt>Version</dt><dd><code>${reference.version}</code></dd></div>
<div><dt>For tools</dt><dd><a href="/openapi.json"><code>/openapi.json</code></a></dd></div>
</dl>
</div>`
}

/** `read` keeps the key off the screen and out of the history of the shell. */
const KEEP_THE_KEY = 'read -rs DOCVET_KEY && export DOCVET_KEY'

function step(id: string, title: string, words: Html, code: Html | null): Html {
  return html`
<li id="${id}"><div><h3>${title}</h3><p>${words}</p></div>${code}</li>`
}

export function start(reference: Reference, { publicUrl }: Setting): Html {
  const find = (method: string, path: string): Operation | undefined =>
    operationsOf(reference).find((one) => one.method === method && one.path === path)
  const example = (operation: Operation | undefined): Html | null => {
    const source = operation?.samples[0]?.source
    return source === undefined ? null : codeBlock('Shell', withAddress(source, publicUrl))
  }
  const scan = find('post', '/api/v1/scan')
  const seeAll = (operation: Operation | undefined): Html | false =>
    operation !== undefined && html` See <a href="#${operation.id}">${operation.summary}</a>.`
  const signUp = find('post', '/api/v1/signup')
  const usage = find('get', '/api/v1/usage')
  return html`
<section class="guide" id="start">
${heading(2, 'start', titleOf('start'))}
<ol class="steps">
${step('sign-up', 'Sign up', html`Put in your own e-mail address. The answer holds your first API key, as <code>apiKey</code>.${seeAll(signUp)}`, example(signUp))}
${step('keep-the-key', 'Keep the key', html`It is shown this once and cannot be shown again, so store it now. Then run this, paste the key and press Enter: the lines below read it from <code>$DOCVET_KEY</code>, and it stays out of the history of your shell.`, codeBlock('Shell', KEEP_THE_KEY))}
${step('ask-for-usage', 'Ask for your usage', html`If the key works, you see your plan and what is left of this month.${seeAll(usage)}`, example(usage))}
${scan && step('scan', 'Scan a document', html`Send one file, get one verdict.${seeAll(scan)}`, example(scan))}
</ol>
</section>`
}

const WITH_BEARER = `curl "$DOCVET_URL/api/v1/usage" \\
  -H "Authorization: Bearer $DOCVET_KEY"`

export function authentication({ schemes }: Reference, { publicUrl }: Setting): Html {
  const text = html`
<p>Each operation names the credential that it wants. An API key begins with <code>dv_live_</code> and goes in a header, never in the address. Where several credentials are named, one of them is enough.</p>
<table class="fields"><caption class="unseen">Ways to authenticate</caption><tbody>${schemes.map(
    ({ label, usage, description }) => html`
<tr><th scope="row"><code>${usage}</code></th><td>${inline(description || `${label}.`)}</td></tr>`,
  )}</tbody></table>
<p>A missing, malformed, unknown or revoked key gets one and the same answer: 401 ${problemLink('unauthenticated')}. What belongs to another account is 404 ${problemLink('not_found')}, as if it did not exist. The service stores only a hash of each key.</p>`
  return section('authentication', text, codeBlock('curl, the other way', withAddress(WITH_BEARER, publicUrl)))
}

export function errorsGuide({ problemSchema }: Reference, { publicUrl, problems }: Setting): Html {
  const sample = problemExample('invalid_request', problems, publicUrl) ?? exampleOf(problemSchema)
  const text = html`
<p>Every failure, from any address, is <code>application/problem+json</code> as in RFC 9457. Decide by <code>status</code> and <code>code</code>: they are fixed, while <code>title</code> and <code>detail</code> are words for people and may change. When you report a fault, give the <code>requestId</code>.</p>
${problemSchema !== undefined && fieldTable('Fields of a problem', fieldsOf(problemSchema), 'response')}
<p>Further down is <a href="#problems">the list of all codes</a>.</p>`
  return section('errors', text, codeBlock('A problem', json(sample)))
}

const LIMIT_HEADERS = `RateLimit-Policy: "key";q=1200;w=60
RateLimit: "key";r=1198;t=1`

export function limits(reference: Reference): Html {
  const usage = operationsOf(reference).find(({ path }) => path === '/api/v1/usage')
  const text = html`
<p><strong>Rate.</strong> Requests with a credential are counted by it, all others by the address they come from. <code>RateLimit-Policy</code> tells the limit: <code>q</code> requests in <code>w</code> seconds. <code>RateLimit</code> tells how you stand: <code>r</code> requests left, and all of them again in <code>t</code> seconds. Past the limit the answer is 429 ${problemLink('rate_limited')}; wait for the seconds in <code>Retry-After</code>.</p>
<p><strong>Quota.</strong> Each key has a number of scans for the UTC calendar month, by the plan of its account. Only a delivered verdict counts; a refused or failed scan is free. When none are left the answer is 402 ${problemLink('quota_exhausted')}${usage && html`, and <a href="#${usage.id}">usage</a> tells the numbers at any time`}.</p>`
  return section('limits', text, codeBlock('Headers of a response', LIMIT_HEADERS))
}

/** What the document says of itself after its first paragraph, which stands at the top of the page. */
export function conventions({ description }: Reference): Html | null {
  const rest = paragraphsOf(description).slice(1)
  return rest.length === 0 ? null : section('conventions', prose(rest.join('\n\n')), null)
}
