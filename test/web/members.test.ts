/** Members of an account, as people in browsers invite, join, switch and leave. */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { Database } from '#storage/database.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { assertNoTrace, checkForced, checkState, close, useDashboard } from '#test/support/browser.ts'
import { newEmail } from '#test/support/client.ts'
import { type MemberRig, memberRig } from '#test/support/members.ts'
import { openPlace } from '#test/support/seed.ts'
import { needs } from '#test/support/suite.ts'

describe('members in the dashboard', needs('chromium'), () => {
  const dashboard = useDashboard()
  let database: Database
  let rig: MemberRig
  before(async () => {
    database = await openPlace({ url: null, dataDir: dashboard.service.dataDir })
    rig = memberRig(dashboard.service, database)
  })
  after(() => database.close())

  async function invite(page: Page, email: string, role: string): Promise<void> {
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Role', { exact: true }).selectOption(role)
    await page.getByRole('button', { name: 'Send invitation' }).click()
  }

  const bar = (page: Page) => page.getByRole('complementary', { name: 'Account' })

  test('from the invitation to the end of the membership', async () => {
    const [ownerEmail, email] = [newEmail(), newEmail()]
    const owner = await dashboard.openAccount('/members', ownerEmail)
    await owner.getByText(`${ownerEmail} (you)`).waitFor()
    await owner.getByText('Nobody is invited').waitFor()
    await checkState(owner, 'an account without members')
    await invite(owner, email, 'viewer')
    await owner.getByRole('link', { name: 'Prove my address' }).waitFor()
    await checkState(owner, 'an invitation without a proven address')
    await rig.prove(ownerEmail)
    await owner.getByRole('button', { name: 'Send invitation' }).click()
    await owner.getByRole('button', { name: `Revoke the invitation of ${email}` }).waitFor()
    await checkState(owner, 'an open invitation')
    await checkForced(owner, 'an open invitation')

    const token = await rig.tokenFor(email)
    const guest = await dashboard.open(`/join#token=${token}`)
    await guest.getByRole('link', { name: 'Create an account' }).waitFor()
    assert.equal(guest.url(), `${dashboard.service.url}/join`)
    await checkState(guest, 'an invitation without a session')
    await guest.getByRole('link', { name: 'Create an account' }).click()
    await guest.getByLabel('E-mail').fill(email)
    await guest.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await guest.getByRole('button', { name: 'Create account' }).click()
    await guest.getByRole('button', { name: 'Accept the invitation' }).click()
    await guest.getByRole('link', { name: 'Prove my address' }).waitFor()
    await checkState(guest, 'an invitation of an address that is not proven')
    await rig.prove(email)
    await guest.getByRole('button', { name: 'Accept the invitation' }).click()
    await bar(guest).getByText(`You work in the account of ${ownerEmail} as viewer.`).waitFor()
    await checkState(guest, 'the overview of a viewer')
    await assertNoTrace(guest, 'an accepted invitation', [token])
    assert.equal(await guest.getByRole('link', { name: 'API keys' }).count(), 0)
    await guest.goto('/keys')
    await guest.getByText('Not part of your role').waitFor()
    await checkState(guest, 'a page that the role does not include')

    await owner.reload()
    await owner.getByRole('button', { name: `Change role of ${email}` }).click()
    await owner.getByLabel('Role', { exact: true }).selectOption('member')
    await checkState(owner, 'changing a role')
    await checkForced(owner, 'changing a role')
    await owner.getByRole('button', { name: 'Change role', exact: true }).click()
    await owner.getByText('Member', { exact: true }).waitFor()
    await guest.reload()
    await guest.getByRole('button', { name: 'Create key' }).waitFor()

    // By keyboard alone: into the own account, and back by the menu.
    // It is disabled until the list of accounts is there, and then takes no focus.
    await bar(guest).getByRole('button', { disabled: false }).focus()
    await guest.keyboard.press('Enter')
    await bar(guest).waitFor({ state: 'detached' })
    await guest.getByRole('button', { name: 'Account menu' }).focus()
    await guest.keyboard.press('Enter')
    await guest.getByRole('button', { name: ownerEmail }).waitFor()
    await checkState(guest, 'the menu of accounts')
    await guest.getByRole('button', { name: ownerEmail }).focus()
    await guest.keyboard.press('Enter')
    await bar(guest).waitFor()

    await owner.getByRole('button', { name: `Remove ${email}` }).click()
    await checkState(owner, 'removing a person')
    await owner.getByRole('button', { name: 'Remove', exact: true }).click()
    await owner.getByRole('button', { name: `Remove ${email}` }).waitFor({ state: 'detached' })
    await guest.goto('/usage')
    await guest.waitForURL('**/sign-in?*')
    await close(owner)
    await close(guest)
  })

  test('an invitation to another address, and links that do not work', async () => {
    const owner = await rig.person()
    const invited = newEmail()
    const token = await rig.invite(owner, invited)
    const other = await dashboard.openAccount(`/join#token=${token}`)
    await other.getByRole('button', { name: 'Accept the invitation' }).click()
    await other.getByText('was sent to another address').waitFor()
    await checkState(other, 'an invitation to another address')
    await other.goto('/join')
    await other.evaluate('sessionStorage.clear()')
    await other.reload()
    await other.getByText('The link is incomplete').waitFor()
    await other.goto('/join#token=unknown')
    await other.reload()
    await other.getByRole('button', { name: 'Accept the invitation' }).click()
    await other.getByText('This invitation is not valid').waitFor()
    await close(other)
  })

  test('a member leaves', async () => {
    const [owner, email] = [await rig.person(), newEmail()]
    const token = await rig.invite(owner, email, 'admin')
    const page = await dashboard.openAccount(`/join#token=${token}`, email)
    await rig.prove(email)
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await bar(page).waitFor()
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Leave account…' }).click()
    await checkState(page, 'leaving an account')
    await page.getByRole('button', { name: 'Leave account', exact: true }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await bar(page).waitFor({ state: 'detached' })
    await page.goto('/settings')
    await page.getByRole('button', { name: 'Delete account…' }).waitFor()
    await close(page)
  })

  test('the ownership is offered, withdrawn, offered again and accepted, by keyboard alone', async () => {
    const [ownerEmail, email] = [newEmail(), newEmail()]
    const page = await dashboard.openAccount('/members', ownerEmail)
    const guest = await dashboard.openAccount('/', email)
    await rig.prove(email)
    const join = { role: 'member', invited_by: null, created_at: Date.now(), removed_at: null }
    const accountId = await rig.idOf(ownerEmail)
    await database.db
      .insertInto('members')
      .values({ account_id: accountId, member_account_id: await rig.idOf(email), ...join })
      .execute()
    const press = async (on: Page, name: string) => {
      await on.getByRole('button', { name, exact: true }).focus()
      await on.keyboard.press('Enter')
    }
    const enter = async (on: Page, password: string) => {
      const field = on.getByLabel('Your password', { exact: true })
      await field.focus()
      await on.keyboard.press('ControlOrMeta+a')
      await on.keyboard.type(password)
      await on.keyboard.press('Enter')
    }
    await page.reload()
    await press(page, `Offer ownership to ${email}`)
    await checkState(page, 'offering the ownership')
    await enter(page, 'wrong')
    await page.getByText('The password is wrong').waitFor()
    await enter(page, GOOD_PASSWORD)
    await page.getByText('ownership offered until').waitFor()
    await checkState(page, 'an offered ownership')
    await checkForced(page, 'an offered ownership')
    await guest.goto('/settings')
    await guest.getByText(`${ownerEmail} offers you the ownership`).waitFor()
    await checkState(guest, 'settings with an offer')

    await press(page, `Withdraw offer to ${email}`)
    await press(guest, `Accept… the account of ${ownerEmail}`)
    await checkState(guest, 'accepting the ownership')
    await checkForced(guest, 'accepting the ownership')
    await enter(guest, GOOD_PASSWORD)
    await guest.getByText('Nobody offers you the ownership').waitFor()

    await press(page, `Offer ownership to ${email}`)
    await enter(page, GOOD_PASSWORD)
    await page.getByText('ownership offered until').waitFor()
    await guest.reload()
    await press(guest, `Accept… the account of ${ownerEmail}`)
    await enter(guest, GOOD_PASSWORD)
    await guest.getByRole('heading', { name: 'Overview' }).waitFor()
    await guest.goto('/members')
    await guest.getByText(`${email} (you)`).waitFor()
    await guest.getByText('Admin', { exact: true }).waitFor()
    await page.reload()
    await page.waitForURL('**/sign-in?*')
    await close(page)
    await close(guest)
  })

  test('alerts by mail are switched on with the keyboard, once the owner has proven the address', async () => {
    const email = newEmail()
    const page = await dashboard.openAccount('/callbacks', email)
    const box = page.getByLabel('Tell the owner of this account')
    await box.focus()
    await page.keyboard.press('Space')
    await page.getByText('The setting was not changed').waitFor()
    await rig.prove(email)
    await box.focus()
    await page.keyboard.press('Space')
    await page.getByText('Alerts by mail are on').waitFor()
    await page.reload()
    await box.waitFor()
    assert.ok(await box.isChecked())
    await checkState(page, 'alerts by mail')
    await close(page)
  })

  test('a list that cannot be loaded says so', async () => {
    const page = await dashboard.openAccount('/settings')
    await page.route('**/api/v1/members', (route) => route.fulfill({ status: 500, body: '' }))
    await page.route('**/api/v1/invitations', (route) => route.fulfill({ status: 500, body: '' }))
    await page.getByRole('link', { name: 'Members' }).click()
    await page.getByText('The members could not be loaded.').waitFor()
    await page.getByText('The invitations could not be loaded.').waitFor()
    await checkState(page, 'members that cannot be loaded')
    await close(page)
  })
})
