/** A purchase in the sandbox marketplace: from Buy through activation to suspension, as a buyer sees it. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { checkState, close, useDashboard } from '#test/support/browser.ts'
import { newEmail } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { needs } from '#test/support/suite.ts'

describe('the marketplace in the dashboard', needs('chromium'), () => {
  const dashboard = useDashboard()

  test('a buyer without an account signs up, confirms, activates, and is suspended', async () => {
    const page = await dashboard.open('/sandbox')
    await page.getByText('No purchases yet').waitFor()
    await checkState(page, 'sandbox without purchases')
    await page.getByRole('button', { name: 'Buy pro' }).click()
    await page.getByText('to link your purchase to it').waitFor()
    await checkState(page, 'sign-in after a purchase')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('E-mail').fill(newEmail())
    await page.getByLabel('Password', { exact: true }).fill(GOOD_PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()

    await page.getByRole('heading', { name: 'Confirm your subscription' }).waitFor()
    await page.waitForURL('/marketplace/landing')
    await checkState(page, 'confirm a purchase')
    await page.goto('/subscription')
    await page.getByText('Not activated').first().waitFor()
    await checkState(page, 'subscription that is not activated')
    await page.getByRole('link', { name: 'Activate subscription' }).click()
    await page.getByRole('button', { name: 'Activate subscription' }).click()
    await page.getByRole('heading', { name: 'You are all set' }).waitFor()
    await checkState(page, 'activated')
    assert.equal(await page.locator('[class*="-ok"]').count(), 0, 'green is for verdicts')
    await page.reload()
    await page.getByRole('heading', { name: 'This subscription is already active' }).waitFor()
    await checkState(page, 'already active')

    await page.goto('/sandbox')
    await page.getByText('Active', { exact: true }).waitFor()
    await checkState(page, 'sandbox with a purchase')
    assert.equal(await page.locator('[class*="-ok"]').count(), 0, 'green is for verdicts')
    await page.getByLabel('Change the plan').selectOption('business')
    await page.getByText('ChangePlan: Succeeded').waitFor()
    await page.getByRole('button', { name: /^Suspend/ }).click()
    await page.getByText('Suspend: Succeeded').waitFor()
    await page.goto('/marketplace/landing')
    await page.getByRole('heading', { name: 'This subscription is suspended' }).waitFor()
    await checkState(page, 'suspended')
    await page.goto('/subscription')
    await page.getByText('Settle it there').waitFor()
    await checkState(page, 'subscription that is suspended')

    await page.goto('/sandbox')
    await page.getByRole('button', { name: /^Cancel/ }).click()
    await page.getByText('Unsubscribe: Succeeded').waitFor()
    await page.goto('/marketplace/landing')
    await page.getByRole('heading', { name: 'No purchase to confirm' }).waitFor()
    await checkState(page, 'no purchase')
    await close(page)
  })

  test('an unknown token and a purchase of another account are explained', async () => {
    const page = await dashboard.openAccount('/marketplace/landing?token=nothing')
    await page.getByRole('heading', { name: 'We could not identify this purchase' }).waitFor()
    await checkState(page, 'an unknown purchase')
    await page.getByRole('link', { name: 'Open the dashboard' }).waitFor()

    const sold = await request(dashboard.service.port, 'POST', '/sandbox/purchases', { body: { planId: 'starter' } })
    const { landingUrl } = JSON.parse(sold.body) as { landingUrl: string }
    await page.goto(landingUrl)
    await page.getByRole('heading', { name: 'Confirm your subscription' }).waitFor()
    const other = await dashboard.openAccount(new URL(landingUrl).pathname + new URL(landingUrl).search)
    await other.getByRole('heading', { name: 'This purchase cannot be linked to your account' }).waitFor()
    await checkState(other, 'a purchase of another account')
    assert.equal(await other.getByRole('list', { name: 'Steps' }).count(), 0, 'nothing is in progress')
    await other.getByRole('button', { name: 'Use another account' }).click()
    await other.getByText('to link your purchase to it').waitFor()
    assert.match(other.url(), /next=%2Fmarketplace%2Flanding%3Ftoken/)
    await close(other)
    await close(page)
  })
})
