/** The pages about findings: what each one is, why it is dangerous, and what to do. */
import { AppError } from '#base/errors.ts'
import type { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { type Html, html } from './html.ts'
import { type NavGroup, renderPage } from './page.ts'
import { prose } from './prose.ts'
import type { Reference } from './reference.ts'

type Catalogue = typeof CATALOGUE
type Definition = NonNullable<ReturnType<Catalogue['get']>>

const VERDICTS: Record<Definition['severity'], string> = {
  malicious: 'A document with this finding is `infected`.',
  suspicious: 'A document with this finding is `infected` only if the service is set to strict.',
  notice: 'For information only. It does not change the verdict.',
}

/** The test file. */
const HARMLESS = /^Docvet\.Test\./
const OPENED =
  'If you opened it already: disconnect the computer from the network, leave it switched on, and call your IT department at once. Change your passwords on another computer.'

/** `Pdf` in `Docvet.Pdf.JavaScript`. */
const familyOf = (id: string): string => id.split('.')[1] ?? ''
const urlOf = (id: string): string => `/findings/${encodeURIComponent(id)}`

function byFamily(catalogue: Catalogue): [string, Definition[]][] {
  const families = Map.groupBy(catalogue.values(), ({ id }) => familyOf(id))
  return [...families].sort(([a], [b]) => a.localeCompare(b, 'en'))
}

const severityPill = (severity: Definition['severity']): Html =>
  html`<span class="pill pill-${severity}">${severity}</span>`

const table = (family: string, definitions: readonly Definition[]): Html => html`
<div class="card"><table class="errors"><caption class="unseen">Findings: ${family}</caption>
<thead class="unseen"><tr><th scope="col">Severity</th><th scope="col">Finding</th></tr></thead>
<tbody>${definitions.map(
  ({ id, severity, title }) => html`
<tr><td>${severityPill(severity)}</td><th scope="row"><a href="${urlOf(id)}"><code>${id}</code></a> <span>${title}</span></th></tr>`,
)}</tbody></table></div>`

const REFERENCE: NavGroup = {
  title: 'Reference',
  links: [
    { href: '/docs', label: 'API reference' },
    { href: '/findings', label: 'All findings' },
    { href: '/problems', label: 'All problems' },
  ],
}

export function renderFindingIndex(catalogue: Catalogue, { info: { title, version } }: Reference): Html {
  const families = byFamily(catalogue)
  const links = families.map(([family]) => ({ href: `#${family}`, label: family }))
  return renderPage({
    title: `Findings · ${title}`,
    description: 'Everything that the embedded engine recognises in documents.',
    version,
    nav: [REFERENCE, { title: 'Families', links }],
    main: html`
<div class="intro"><h1>Findings</h1>
<p class="lead">Everything that the embedded engine recognises. The <code>id</code> of a malicious finding is the <code>threat</code> of the scan.</p></div>
${families.map(
  ([family, definitions]) => html`
<section class="guide" id="${family}"><h2>${family}</h2>${table(family, definitions)}</section>`,
)}`,
  })
}

/** `effect`: what a document with it does, in plain words, where there are some. */
export function renderFinding(id: string, catalogue: Catalogue, { info }: Reference, effect: string | undefined): Html {
  const definition = catalogue.get(id)
  if (definition === undefined)
    throw new AppError('not_found', 'No finding has this id. `/findings` lists all of them.')
  const { severity, title, reason, technique, article } = definition
  const family = byFamily(catalogue).find(([name]) => name === familyOf(id))?.[1] ?? []
  const links = family.map((each) => ({ href: urlOf(each.id), label: each.title, current: each.id === id }))
  return renderPage({
    title: `${title} · ${info.title}`,
    description: reason,
    version: info.version,
    nav: [REFERENCE, { title: familyOf(id), links }],
    main: html`
<div class="intro"><p class="endpoint">${severityPill(severity)}<code>${id}</code></p>
<h1>${title}</h1>${prose(VERDICTS[severity])}</div>
${effect !== undefined && html`<section class="guide"><h2>What such a document does</h2>${prose(effect)}</section>`}
<section class="guide"><h2>What to do</h2>${prose(article.advice)}
${severity === 'malicious' && !HARMLESS.test(id) && prose(OPENED)}</section>
<section class="guide"><h2>What was found</h2>${prose(reason)}${prose(article.danger)}
${technique !== null && html`<p>MITRE ${technique.startsWith('AML.') ? 'ATLAS' : 'ATT&CK'} technique <code>${technique}</code></p>`}</section>
<section class="guide"><h2>Legitimate causes</h2>${prose(article.cause ?? 'None is known.')}</section>`,
  })
}
