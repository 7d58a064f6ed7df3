/** Renders the API reference. */
import { authentication, conventions, errorsGuide, formats, GUIDE, intro, limits, start } from './guide.ts'
import { type Html, html } from './html.ts'
import { renderOperation } from './operation.ts'
import { heading, methodBadge, type NavGroup, renderPage } from './page.ts'
import { problemTable } from './problems.ts'
import { prose } from './prose.ts'
import type { Reference, Tag } from './reference.ts'

function navOf(tags: readonly Tag[]): NavGroup[] {
  return [
    { title: 'Guide', links: GUIDE.map(([id, label]) => ({ href: `#${id}`, label })) },
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
}

const tagSection = ({ id, name, description, operations }: Tag, publicUrl: string): Html => html`
<section class="tag" id="${id}">
${heading(2, id, name)}
${prose(description)}${operations.map((operation) => renderOperation(operation, publicUrl))}
</section>`

export function renderReference(reference: Reference, publicUrl: string): Html {
  const { title, version } = reference.info
  return renderPage({
    title: `API reference · ${title}`,
    description: `How to use the ${title} API: every operation, with working examples.`,
    version,
    nav: navOf(reference.tags),
    main: html`
${intro(reference, publicUrl)}${start(reference, publicUrl)}${formats()}${authentication(reference, publicUrl)}${errorsGuide(reference, publicUrl)}${limits(reference)}${conventions(reference)}
${reference.tags.map((tag) => tagSection(tag, publicUrl))}
<section class="guide" id="problems">
${heading(2, 'problems', 'All problems')}
<p>Each code has a page with its cause and remedy.</p>
<div class="card">${problemTable()}</div>
</section>`,
  })
}
