/** The pages behind the `type` of a problem. */
import { STATUS_CODES } from 'node:http'
import { AppError, type ErrorCode, PROBLEMS, type ProblemKind } from '#base/errors.ts'
import { BEFORE_ROUTING, firstSentence, problemExample, REQUEST_ID } from '#http/openapi/problems.ts'
import { type Html, html } from './html.ts'
import { errorTable, statusPill } from './operation.ts'
import { methodBadge, type NavGroup, renderPage } from './page.ts'
import { codeBlock, json, prose } from './prose.ts'
import { codesOf, operationsOf, type Reference } from './reference.ts'

const BY_STATUS = Object.entries<ProblemKind>(PROBLEMS).sort(([, a], [, b]) => a.status - b.status)

export const problemTable = (): Html => {
  const rows = BY_STATUS.map(([code, { status, title }]) => ({ status: String(status), code, title }))
  return errorTable('All problems', rows)
}

const navOf = (open: string): NavGroup[] => [
  {
    title: 'Reference',
    links: [
      { href: '/docs', label: 'API reference' },
      { href: '/docs#errors', label: 'Errors' },
      { href: '/problems', label: 'All problems', current: open === '' },
    ],
  },
  {
    title: 'Problems',
    links: BY_STATUS.map(([code, { status }]) => ({
      href: `/problems/${encodeURIComponent(code)}`,
      label: code,
      badge: html`<span class="method">${status}</span>`,
      current: code === open,
    })),
  },
]

export const renderProblemIndex = ({ info: { title, version } }: Reference): Html =>
  renderPage({
    title: `Problems · ${title}`,
    description: 'All error codes of the API, with causes and remedies.',
    version,
    nav: navOf(''),
    main: html`
<div class="intro"><h1>Problems</h1>
<p class="lead">All error codes of the API. The URL of each page is the <code>type</code> of its problem.</p></div>
<div class="card">${problemTable()}</div>`,
  })

function occurrences(code: string, reference: Reference): Html | null {
  if (BEFORE_ROUTING.includes(code)) return html`<p>Any request can fail with this code.</p>`
  const found = operationsOf(reference).filter(({ responses }) =>
    Object.values(responses).some((response) => codesOf(response).includes(code)),
  )
  if (found.length === 0) return null
  return html`
<h3>Where it occurs</h3>
<ul class="operations">${found.map(
    ({ id, method, path, summary }) => html`
<li>${methodBadge(method)}<a href="/docs#${id}"><code>${path}</code></a><span class="dim">${summary}</span></li>`,
  )}</ul>`
}

export function renderProblem(code: string, reference: Reference, publicUrl: string): Html {
  if (!Object.hasOwn(PROBLEMS, code)) {
    throw new AppError('not_found', 'No problem has this code. `/problems` lists all codes.')
  }
  const problem = PROBLEMS[code as ErrorCode]
  const { status, title, help } = problem
  const response = html`HTTP/1.1 ${status} ${STATUS_CODES[status]}
Content-Type: application/problem+json
X-Request-Id: ${REQUEST_ID}

${json(problemExample(code, problem, publicUrl))}`
  return renderPage({
    title: `${title} · ${reference.info.title}`,
    description: firstSentence(help).replaceAll('`', ''),
    version: reference.info.version,
    nav: navOf(code),
    main: html`
<div class="intro"><p class="endpoint">${statusPill(String(status))}<code>${code}</code></p>
<h1>${title}</h1></div>
<section class="guide"><h2>Cause and remedy</h2><div class="two"><div class="text">${prose(help)}${occurrences(code, reference)}</div>
<div class="examples">${codeBlock('Example', response)}</div></div></section>`,
  })
}
