/** Renders the API reference. */
import { authentication, conventions, errorsGuide, formats, GUIDE, intro, limits, start } from './guide.ts'
import { type Html, html } from './html.ts'
import { renderOperation, type Setting } from './operation.ts'
import { heading, methodBadge, type NavGroup, renderPage } from './page.ts'
import { problemTable } from './problems.ts'
import { prose } from './prose.ts'
import type { Reference, Tag } from './reference.ts'

function navOf(tags: readonly Tag[], hasConventions: boolean): NavGroup[] {
  const guide = GUIDE.filter(([id]) => id !== 'conventions' || hasConventions)
  return [
    { title: 'Guide', links: guide.map(([id, label]) => ({ href: `#${id}`, label })) },
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

const tagSection = ({ id, name, description, operations }: Tag, setting: Setting): Html => html`
<section class="tag" id="${id}">
${heading(2, id, name)}
${prose(description)}${operations.map((operation) => renderOperation(operation, setting))}
</section>`

export function renderReference(reference: Reference, setting: Setting): Html {
  const more = conventions(reference)
  return renderPage({
    title: `API reference · ${reference.title}`,
    description: `How to use the ${reference.title} API: every operation, with working examples.`,
    version: reference.version,
    nav: navOf(reference.tags, more !== null),
    main: html`
${intro(reference, setting)}${start(reference, setting)}${formats()}${authentication(reference, setting)}${errorsGuide(reference, setting)}${limits(reference)}${more}
${reference.tags.map((tag) => tagSection(tag, setting))}
<section class="guide" id="problems">
${heading(2, 'problems', 'All problems')}
<p>Each code has a page with its cause and remedy.</p>
<div class="card">${problemTable(setting.problems)}</div>
</section>`,
  })
}
