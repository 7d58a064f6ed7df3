/** Switches the session to another account. */
import { call } from './api/client.ts'
import { goTo } from './go-to.ts'

/** Written at each switch, so that other tabs notice: their pages are those of another account now. */
const SWITCHED = 'docvet.switched'

export async function enterAccount(accountId: string): Promise<void> {
  await call('POST /api/v1/auth/act', { body: { accountId } })
  try {
    localStorage.setItem(SWITCHED, String(Date.now()))
  } catch {
    // Without storage, other tabs notice with their next page.
  }
  goTo('/')
  // Keeps the button busy until the page is there.
  await new Promise(() => {})
}

/** Returns the function that ends it. */
export function reloadAfterSwitch(): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === SWITCHED) goTo('/')
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
