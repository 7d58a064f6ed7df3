/** The layout of all pages. */
import { type Html, html } from './html.ts'

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

export interface Page {
  title: string
  description: string
  nav: readonly NavGroup[]
  version: string
  main: Html
}

const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8"/><path d="M10.5 7.5h7.5l4.5 4.5v12.5h-12z"/><path d="M6.5 17h19"/></svg>`
const MOON = html`<svg class="icon for-light" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 14.6A8.4 8.4 0 0 1 9.4 4 8.4 8.4 0 1 0 20 14.6z"/></svg>`
const SUN = html`<svg class="icon for-dark" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="4"/><path d="M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"/></svg>`

const brand = html`<a class="brand" href="/docs">${MARK}Docvet</a>`

export const methodBadge = (method: string): Html =>
  html`<span class="method method-${method}">${method.toUpperCase()}</span>`

/** A heading that links to itself. */
export const heading = (level: 2 | 3, id: string, text: string): Html =>
  html`<h${level} id="${id}-title"><a class="self" href="#${id}">${text}</a></h${level}>`

const navLink = ({ href, label, badge, current }: NavLink): Html => html`
<li><a href="${href}"${current && html` aria-current="page"`}><span>${label}</span>${badge}</a></li>`

const navGroups = (groups: readonly NavGroup[]): Html =>
  html`${groups.map(
    ({ title, links }) => html`
<p class="nav-title">${title}</p>
<ul>${links.map(navLink)}</ul>`,
  )}`

/** Contains the navigation twice: a sidebar for wide screens, a menu for narrow ones. */
export const renderPage = ({ title, description, nav, version, main }: Page): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title}</title>
<link rel="icon" type="image/svg+xml" href="/docs/favicon.svg">
<link rel="stylesheet" href="/docs/docs.css">
<script src="/docs/docs.js"></script>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<div class="shell">
<aside class="side" aria-label="Sidebar">${brand}<nav aria-label="Contents">${navGroups(nav)}</nav></aside>
<div class="column">
<header class="bar">
<div class="narrow-only">${brand}</div>
<p class="wide-only">API reference <span class="dim">· ${version}</span></p>
<div class="bar-end">
<a class="bar-link wide-only" href="/openapi.json">OpenAPI document</a>
<details class="menu narrow-only"><summary>Contents</summary><nav aria-label="Contents">${navGroups(nav)}</nav></details>
<button type="button" class="icon-button" data-theme-switch hidden aria-label="Switch between light and dark">${MOON}${SUN}</button>
</div>
</header>
<main id="main" tabindex="-1">${main}</main>
<footer class="foot"><p>Generated from the <a href="/openapi.json">OpenAPI document</a> of this server. See also <a href="/problems">all problems</a>.</p></footer>
</div>
</div>
</body>
</html>
`
