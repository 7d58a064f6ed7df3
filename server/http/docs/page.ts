/** The layout of all pages. */
import { type Html, html, readTemplate } from './html.ts'

interface NavLink {
  href: string
  label: string
  badge?: Html
  current?: boolean
}

export interface NavGroup {
  title: string
  links: readonly NavLink[]
}

interface Page {
  title: string
  description: string
  nav: readonly NavGroup[]
  version: string
  main: Html
}

const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M10.5 7.5h7.5l4.5 4.5v12.5h-12z"/><path d="M6.5 17h19"/></svg>`

const brand = html`<a class="brand" href="/">${MARK}Docvet</a>`

export const methodBadge = (method: string): Html =>
  html`<span class="method method-${method}">${method.toUpperCase()}</span>`

/** A heading that links to itself. */
export const heading = (level: 2 | 3, id: string, text: string): Html =>
  html`<h${level} id="${id}-title"><a class="self" href="#${id}">${text}</a></h${level}>`

const navLink = ({ href, label, badge, current }: NavLink): Html => html`
<li><a href="${href}"${current && html` aria-current="page"`}><span>${label}</span>${badge}</a></li>`

/** The way back to the dashboard. */
const HOME: NavLink = { href: '/', label: '← Dashboard' }

const navGroups = (groups: readonly NavGroup[]): Html =>
  html`<ul class="nav-home">${navLink(HOME)}</ul>${groups.map(
    ({ title, links }) => html`
<p class="nav-title">${title}</p>
<ul>${links.map(navLink)}</ul>`,
  )}`

const fillPage = readTemplate('page.html')

export const renderPage = (page: Page): Html => fillPage({ ...page, brand, nav: navGroups(page.nav) })
