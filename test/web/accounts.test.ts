/** Signing up, in and out, and resetting a password, as a person in a browser does it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createInviteStore } from '#accounts/invite-store.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { assertNoTrace, checkState, close, measureLoading, signUp, useDashboard } from '#test/support/browser.ts'
import { newEmail } from '#test/support/client.ts'
import { FOREIGN, OWN } from '#test/support/next-pages.ts'
import { resetPathIn } from '#test/support/outbox.ts'
import { openPlace } from '#test/support/seed.ts'
import { needs } from '#test/support/suite.ts'

/** Limits that Web Vitals call good. */
const SHIFT_MAX = 0.1
/** Signs in with each value of `next`, and tells where the page would go instead of going there. */
const STAY_AND_TELL = `
  let told
  navigation.addEventListener('navigate', (event) => {
    if (event.destination.sameDocument) return
    event.preventDefault()
    told(event.destination.url)
  })
  window.signInWith = async (all) => {
    const ends = []
    for (const next of all) {
      history.replaceState(null, '', '/sign-in?' + new URLSearchParams({ next }))
      ends.push(await new Promise((resolve) => {
        told = resolve
        // A URL that cannot be parsed leads nowhere, and fails the comparison.
        setTimeout(resolve, 3000, 'nowhere')
        document.querySelector('form').requestSubmit()
      }))
    }
    return ends
  }`
const NEW_PASSWORD = 'the owl left the barn'

describe('accounts in the dashboard', needs('chromium'), () => {
  const dashboard = useDashboard()

  test('a visitor sees the front page and can create an account', async () => {
    const page = await dashboard.open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await checkState(page, 'front page')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('E-mail').waitFor()
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'MAIN')
    await page.getByLabel('E-mail').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill('password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('too common').waitFor()
    await checkState(page, 'sign-up with a common password')
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    assert.equal(await page.title(), 'Overview · Docvet')
    await close(page)
  })

  test('a page that needs a session leads to the sign-in page and back', async () => {
    const email = newEmail()
    const page = await dashboard.openAccount('/', email)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Docvet' }).waitFor()
    await checkState(page, 'sign-in')

    await page.goto('/keys')
    await page.getByText('Sign in to continue.').waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    assert.equal(await page.locator(':focus').getAttribute('name'), 'password')
    await checkState(page, 'sign-in with a wrong password')

    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await close(page)
  })

  test('a session that ends is noticed by the next request', async () => {
    const page = await dashboard.openAccount('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Too late')
    // Only here: the overview of a new account asks every three seconds, and would notice first.
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await page.getByText('Your session ended. Sign in to continue.').waitFor()
    assert.match(page.url(), /\/sign-in\?next=%2Fkeys/)
    await close(page)
  })

  test('pages keep their layout while they load', async (t) => {
    const page = await dashboard.open('/')
    const loaded = async (path: string, heading: string) => {
      await page.goto(path)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      const { paintMs, shift } = await measureLoading(page)
      t.diagnostic(`${path}: first contentful paint ${paintMs} ms, layout shift ${shift.toFixed(3)}`)
      assert.ok(shift <= SHIFT_MAX, `${path}: ${shift}`)
    }
    await loaded('/', 'Have documents scanned for malware')
    await loaded('/sign-in', 'Sign in to Docvet')
    await signUp(page, newEmail(), GOOD_PASSWORD)
    await loaded('/', 'Overview')
    await loaded('/keys', 'API keys')
    await loaded('/history', 'History')
    await loaded('/usage', 'Usage')
    await loaded('/settings', 'Settings')
    await loaded('/subscription', 'Subscription')
    await close(page)
  })

  test('signing in leads only to pages of the dashboard', async () => {
    const page = await dashboard.open('/sign-in')
    await page.route('**/api/v1/auth/login', (route) => route.fulfill({ json: {} }))
    await page.getByLabel('E-mail').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.evaluate(STAY_AND_TELL)
    const tried = [...FOREIGN.map((next) => [next, '/'] as const), ...Object.entries(OWN)]
    const ends = await page.evaluate<string[]>(`signInWith(${JSON.stringify(tried.map(([next]) => next))})`)
    assert.deepEqual(
      tried.map(([next], index) => [next, ends[index]]),
      tried.map(([next, end]) => [next, dashboard.service.url + end]),
    )
    await close(page)
  })

  test('the mailed link sets a new password, once', async () => {
    const email = newEmail()
    const page = await dashboard.openAccount('/forgot-password', email)
    await page.getByRole('heading', { name: 'Reset your password' }).waitFor()
    await checkState(page, 'forgot password')
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByText('If that address has an account').waitFor()
    await page.getByText('This service has no mail server').waitFor()
    await checkState(page, 'reset link requested')

    const link = await resetPathIn(dashboard.service, email)
    await page.goto(link)
    assert.ok(await page.getByLabel('Revoke all API keys').isChecked())
    const [, token = ''] = link.split('#token=')
    await assertNoTrace(page, 'the link of a reset', [token])
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await checkState(page, 'choose a new password')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('Your password is changed').waitFor()
    await assertNoTrace(page, 'after a reset', [token, NEW_PASSWORD])
    await checkState(page, 'sign-in after a reset')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    await page.goto('/sign-in')
    await page.goto(link)
    await page.getByLabel('New password').fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
    await checkState(page, 'a used reset link')
    await close(page)
  })

  // The mode of sign-up is all that differs, so the answer of the service is replaced instead of starting another one.
  test('visitors are told whom to ask, and get no button that cannot work', async () => {
    const page = await dashboard.open('/sign-in')
    const settings = await (await page.request.get('/dashboard/settings')).json()
    const closed = { ...settings, signup: 'closed', marketplace: 'off', contact: 'mailto:it@example.com' }
    await page.route('**/dashboard/settings', (route) => route.fulfill({ json: closed }))
    await page.goto('/')
    await page.getByText('Sign-up is closed.').waitFor()
    await checkState(page, 'front page with closed sign-up')
    assert.equal(await page.getByRole('link', { name: 'Create an account' }).count(), 0)
    await page.getByRole('link', { name: 'Plans and limits' }).click()
    await page.getByText('Plans cannot be bought here.').waitFor()
    await checkState(page, 'plans for visitors')
    await page.goto('/sign-in')
    await page.getByText('Ask the operator of this service for an account.').waitFor()
    await page.goto('/sign-up')
    await page.getByRole('heading', { name: 'Sign-up is closed' }).waitFor()
    const link = page.getByRole('link', { name: 'the operator of this service' })
    assert.equal(await link.getAttribute('href'), 'mailto:it@example.com')
    assert.equal(await page.getByLabel('E-mail').count(), 0)
    await checkState(page, 'closed sign-up')
    await close(page)
  })
})

describe('sign-up by invitation', needs('chromium'), () => {
  const dashboard = useDashboard({ DOCVET_SIGNUP: 'invite' })

  test('the page asks for the code, and takes it from the link', async () => {
    await using database = await openedDatabase(dashboard.service.dataDir)
    const { code } = await database.invite()
    const page = await dashboard.open('/sign-up')
    await page.getByLabel('Invite code').fill('wrong')
    await checkState(page, 'sign-up by invitation')
    await page.getByLabel('E-mail').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('This invite code is not valid').waitFor()

    await page.goto('about:blank')
    await page.goto(`/sign-up#invite=${code}`)
    assert.equal(await page.getByLabel('Invite code').inputValue(), code)
    await assertNoTrace(page, 'the link with a code', [code])
    await page.getByLabel('E-mail').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await close(page)
  })
})

async function openedDatabase(dataDir: string) {
  const database = await openPlace({ url: null, dataDir })
  return {
    invite: () => database.audit.change((trx) => createInviteStore(database).create(trx)),
    [Symbol.asyncDispose]: () => database.close(),
  }
}
