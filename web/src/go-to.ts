/** Every full navigation of the dashboard: to one of its own pages, never to another site. */
import { PATHS } from './paths.ts'

const PAGES = [...PATHS, '/sandbox'].map((path) => path.split('/'))

function isPage(path: string): boolean {
  const segments = path.split('/')
  return PAGES.some(
    (page) =>
      page.length === segments.length &&
      page.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index])),
  )
}

/** The path, query and fragment of a page of the dashboard; the overview if the text names none. */
export function pagePath(text: string): string {
  const url = text.startsWith('/') ? URL.parse(text, location.origin) : null
  // The resolved path decides: `/.//host` becomes `//host`, which is another site when it is resolved again.
  if (url?.origin !== location.origin || !isPage(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}

/** Loads a page anew, so that nothing of an earlier account stays in memory. */
export function goTo(text: string): void {
  location.assign(location.origin + pagePath(text))
}

/** The one way to another site: the page of a provider of sign-in, as the service names it. */
export function leaveFor(url: string): void {
  if (/^https?:$/.test(URL.parse(url)?.protocol ?? '')) location.assign(url)
}

/** The same, where Back must not lead to the current page. */
export function replaceWith(text: string): void {
  location.replace(location.origin + pagePath(text))
}
