/** Renders the API reference: reference.html, with the operations of the OpenAPI document. */
import { readFileSync } from 'node:fs'
import { PROBLEMS } from '#base/errors.ts'
import { BEFORE_ROUTING, problemExample } from '#http/openapi/problems.ts'
import { type Html, html, readTemplate } from './html.ts'
import { fieldsOf } from './json-schema.ts'
import { fieldTable, problemLink, renderOperation, withUrl } from './operation.ts'
import { heading, methodBadge, type NavGroup, renderPage } from './page.ts'
import { problemTable } from './problems.ts'
import { renderPrograms } from './programs.ts'
import { codeBlock, inline, json, paragraphsOf, prose } from './prose.ts'
import { operationsOf, type Reference, type SecurityScheme, type Tag } from './reference.ts'

const fillReference = readTemplate('reference.html')

const GUIDE: Record<string, string> = {
  start: 'Start here',
  programs: 'From your program',
  callbacks: 'Results by callback',
  formats: 'Accepted formats',
  authentication: 'Authentication',
  errors: 'Errors',
  limits: 'Limits',
  conventions: 'Conventions',
}

const scanOf = (name: string): string => `curl "$DOCVET_URL/api/v1/scan" \\
  -H "X-API-Key: $DOCVET_KEY" -F 'file=@-;filename=${name}'`

const example = (file: string): string => readFileSync(new URL(`callbacks/${file}`, import.meta.url), 'utf8').trimEnd()

const CODE: Record<string, [label: string, source: string]> = {
  // `read` keeps the key off the screen and out of the shell history.
  keepKey: ['Shell', 'read -rs DOCVET_KEY && export DOCVET_KEY'],
  scanClean: ['Shell', `echo 'Good morning' | ${scanOf('hello.txt')}`],
  scanInfected: ['Shell', `curl -s "$DOCVET_URL/samples/infected.zip" | ${scanOf('infected.zip')}`],
  receiver: ['receiver.mjs', example('receiver.mjs')],
  startReceiver: ['Shell', 'DOCVET_WEBHOOK_SECRET=whsec_… node receiver.mjs'],
  testWebhook: [
    'Shell',
    `curl -X POST "$DOCVET_URL/api/v1/webhooks/$WEBHOOK_ID/test" \\\n  -H "X-API-Key: $DOCVET_KEY"`,
  ],
  scanAsync: ['Shell', `echo 'Good morning' | ${scanOf('hello.txt')} \\\n  -H 'Prefer: respond-async'`],
  callbackBody: ['A callback', example('callback.json')],
  bearer: ['curl with a Bearer token', 'curl "$DOCVET_URL/api/v1/usage" \\\n  -H "Authorization: Bearer $DOCVET_KEY"'],
  limitHeaders: ['Response headers', 'RateLimit-Policy: "key";q=1200;w=60\nRateLimit: "key";r=1198;t=1'],
}

const navOf = (tags: readonly Tag[]): NavGroup[] => [
  { title: 'Guide', links: Object.entries(GUIDE).map(([id, label]) => ({ href: `#${id}`, label })) },
  ...tags.map(({ name, operations }) => ({
    title: name,
    links: operations.map(({ id, summary, method }) => ({
      href: `#${id}`,
      label: summary,
      badge: methodBadge(method),
    })),
  })),
  { title: 'Problems', links: [{ href: '#problems', label: 'All problems' }] },
]

function schemeRow({ type, in: place, name, description }: SecurityScheme): Html {
  const sent = place === 'cookie' ? `Cookie: ${name}=…` : `${name}: …`
  return html`
<tr><th scope="row"><code>${type === 'http' ? 'Authorization: Bearer …' : sent}</code></th><td>${inline(description)}</td></tr>`
}

const tagSection = ({ id, name, description, operations }: Tag, publicUrl: string): Html => html`
<section class="tag" id="${id}">
${heading(2, id, name)}
${prose(description)}${operations.map((operation) => renderOperation(operation, publicUrl))}
</section>`

export function renderReference(reference: Reference, publicUrl: string): Html {
  const { info, tags, schemes, problemSchema } = reference
  const { title, version } = info
  const [summary = '', ...conventions] = paragraphsOf(info.description)
  const find = (id: string) => operationsOf(reference).find(({ operationId }) => operationId === id)
  const code = (label: string, source: string): Html => codeBlock(label, withUrl(source, publicUrl))
  const main = fillReference({
    title,
    version,
    url: publicUrl,
    summary: inline(summary),
    conventions: prose(conventions.join('\n\n')),
    heading: (id) => heading(2, id, GUIDE[id] ?? ''),
    operation: (id) => html`<a href="#op-${id}">${find(id)?.summary}</a>`,
    curl: (id) => find(id)?.['x-codeSamples'].map(({ source }) => code('Shell', source)),
    programs: renderPrograms(publicUrl),
    code: (name) => CODE[name] && code(...CODE[name]),
    problem: problemLink,
    schemes: Object.values(schemes).map(schemeRow),
    problemFields: fieldTable('Fields of a problem', fieldsOf(problemSchema), 'response'),
    problemExample: codeBlock(
      'A problem',
      json(problemExample('invalid_request', PROBLEMS.invalid_request, publicUrl)),
    ),
    beforeRouting: BEFORE_ROUTING.map((each, i) => [i > 0 && ', ', problemLink(each)]),
    tags: tags.map((tag) => tagSection(tag, publicUrl)),
    problemTable: problemTable(),
  })
  return renderPage({
    title: `API reference · ${title}`,
    description: `How to use the ${title} API: every operation, with working examples.`,
    version,
    nav: navOf(tags),
    main,
  })
}
