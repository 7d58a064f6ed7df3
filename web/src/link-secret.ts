/** Secrets of links. They are in the fragment, which browsers do not send to servers, and are taken out of the history at once. */

const taken = new Map<string, string>()

/** Empty without one. The same for every call until the page is loaded again. */
export function takeSecret(name: string): string {
  const given = new URLSearchParams(location.hash.slice(1)).get(name)
  if (given !== null) {
    taken.set(name + location.pathname, given)
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return taken.get(name + location.pathname) ?? ''
}

/** Before the page is left: what it was opened with may contain the token of a purchase. */
export function forgetQuery(): void {
  history.replaceState(history.state, '', location.pathname)
}
