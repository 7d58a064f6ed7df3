/** The page of the documents for tests. */
import { type Html, html } from './html.ts'
import { problemLink, statusPill, withUrl } from './operation.ts'
import { type NavGroup, renderPage } from './page.ts'
import { codeBlock } from './prose.ts'
import type { Reference } from './reference.ts'
import type { Sample } from './sample-files.ts'

const NAV: NavGroup[] = [
  {
    title: 'Reference',
    links: [
      { href: '/docs', label: 'API reference' },
      { href: '/samples/', label: 'Samples', current: true },
      { href: '/problems', label: 'All problems' },
    ],
  },
]

const COMMAND = (name: string): string => `curl -s "$DOCVET_URL/samples/${name}" | curl -s "$DOCVET_URL/api/v1/scan" \\
  -H "X-API-Key: $DOCVET_KEY" -F 'file=@-;filename=${name}'`

const TEST_KEY = 'dv_test_…'

const rowOf = ({ name, status, outcome, about, bytes }: Sample): Html => html`
<tr><th scope="row"><a href="/samples/${name}" download><code>${name}</code></a></th>
<td>${statusPill(String(status))} ${status === 200 ? html`<code>${outcome}</code>` : problemLink(outcome)}</td>
<td><p>${about}</p><p class="limits">${bytes.length.toLocaleString('en-US')} bytes</p></td></tr>`

export const renderSamples = (
  samples: readonly Sample[],
  { info: { title, version } }: Reference,
  publicUrl: string,
): Html =>
  renderPage({
    title: `Samples · ${title}`,
    description: 'Harmless documents for tests, one for each outcome of a scan.',
    version,
    nav: NAV,
    main: html`
<div class="intro"><h1>Samples</h1>
<p class="lead">Harmless documents for tests of your program, one for each outcome. With a test key (<code>${TEST_KEY}</code>), their scans are not charged.</p></div>
<section class="guide"><div class="two"><div class="text">
<table class="fields"><caption class="unseen">Samples</caption>
<thead class="unseen"><tr><th scope="col">File</th><th scope="col">Answer</th><th scope="col">About</th></tr></thead>
<tbody>${samples.map(rowOf)}</tbody></table></div>
<div class="examples">${codeBlock('Shell', withUrl(COMMAND('infected.zip'), publicUrl))}</div></div></section>`,
  })
