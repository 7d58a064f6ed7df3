/** Passkeys with chromium's own authenticator, as a person uses them. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CDPSession, Page } from 'playwright-core'
import { assertNoTrace, checkState, close, useDashboard } from '#test/support/browser.ts'
import { newEmail } from '#test/support/client.ts'
import { needs } from '#test/support/suite.ts'

const PASSWORD = 'a meadow full of crickets'

interface Device {
  verifiesUser(verifies: boolean): Promise<unknown>
  /** Signatures counted by each passkey on it. */
  counters(): Promise<number[]>
}

/** A device with a lock that has passkeys. */
async function plugIn(page: Page): Promise<Device> {
  const devtools: CDPSession = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  const credentials = async () => (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials
  return {
    verifiesUser: (isUserVerified) => devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    counters: async () => (await credentials()).map(({ signCount }) => signCount),
  }
}

async function addPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Add passkey' }).click()
}

describe('passkeys in the dashboard', needs('chromium'), () => {
  const dashboard = useDashboard({}, 'localhost')

  test('a passkey is added, signs in with the keyboard alone, confirms its owner and is removed', async () => {
    const page = await dashboard.openAccount('/settings', newEmail())
    const device = await plugIn(page)
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await checkState(page, 'adding a passkey')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await addPasskey(page)
    await page.getByText('never used').waitFor()
    await checkState(page, 'settings with a passkey')

    // The device has one already.
    await addPasskey(page)
    await page.getByText('already has a passkey of your account').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.context().clearCookies()
    await page.goto('/sign-in?next=/settings')
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    await checkState(page, 'sign-in with a passkey')
    await device.verifiesUser(false)
    await button.click()
    await page.getByText('No passkey was used').waitFor()
    await checkState(page, 'a passkey that did not verify its user')
    await device.verifiesUser(true)
    await button.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/settings')
    await page.getByText('last used').first().waitFor()
    assert.deepEqual((await device.counters()).length, 1)
    await page.getByRole('button', { name: /^Remove/ }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Remove passkey' }).click()
    await page.getByText('last used').first().waitFor({ state: 'detached' })
    await close(page)
  })

  test('only passkeys: codes are shown once, a password no longer works, a code is the way back', async () => {
    const email = newEmail()
    const page = await dashboard.openAccount('/settings', email)
    await plugIn(page)
    await addPasskey(page)
    await page.getByRole('button', { name: 'Let only passkeys sign in' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Show recovery codes' }).click()
    await page.getByText('Save your recovery codes now').waitFor()
    await checkState(page, 'recovery codes')
    const codes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts()
    assert.equal(codes.length, 10)
    await page.getByRole('button', { name: 'I have saved them' }).click()
    await page.getByText('10 of 10 recovery codes are left').waitFor()
    await page.getByText('Only way').waitFor()
    await checkState(page, 'settings of an account with passkeys only')

    await page.context().clearCookies()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('is wrong').waitFor()
    await page.getByRole('link', { name: 'Lost your passkeys?' }).click()
    await page.getByLabel('Recovery code').waitFor()
    await checkState(page, 'recovery')
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Recovery code').fill((codes[3] ?? '').toLowerCase())
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('9 of 10 recovery codes are left').waitFor()
    const visited = (await page.evaluate('JSON.stringify(performance.getEntries().map(({ name }) => name))')) as string
    for (const code of codes) assert.ok(!visited.includes(code))
    await assertNoTrace(page, 'a recovery code', [...codes, (codes[3] ?? '').toLowerCase()])

    // The session is fresh, so nothing more is asked for; without the password, the passkey confirms.
    await page.getByRole('button', { name: 'Allow other ways again' }).click()
    await page.getByRole('button', { name: 'Allow other ways', exact: true }).click()
    await page.getByText('recovery codes are left').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByLabel('Your password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Delete account', exact: true }).click()
    await page.waitForURL('**/?deleted')
    await close(page)
  })
})
