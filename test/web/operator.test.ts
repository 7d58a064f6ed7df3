/** The operator's page in a browser: nobody else sees it, and what it offers works with the keyboard. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkForced, checkState, close, tabTo, useDashboard } from '#test/support/browser.ts'
import { newEmail, signUp } from '#test/support/client.ts'
import { openDatabaseOf } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const OPERATOR = 'root@example.com'

describe("the operator's page in the dashboard", needs('chromium'), () => {
  const dashboard = useDashboard({ DOCVET_OPERATORS: OPERATOR })

  function change(sql: string, ...values: string[]): void {
    const database = openDatabaseOf(dashboard.service)
    database.prepare(sql).run(...values)
    database.close()
  }

  test('other people find nothing there', async () => {
    const page = await dashboard.openAccount('/operator', newEmail())
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    await checkState(page, "the operator's page of somebody else")
    await page.goto('/')
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('link', { name: 'Settings' }).last().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Operator' }).count(), 0)
    await close(page)
  })

  test('an operator manages accounts, sees scans without names and the audit log, and signs in again later', async () => {
    const { email } = await signUp(dashboard.service.port)
    const page = await dashboard.openAccount('/operator', OPERATOR)
    change('update accounts set email_proven_at = 1 where email = ?', OPERATOR)
    // By keyboard alone, from the menu of the account.
    await page.goto('/')
    await page.getByRole('button', { name: 'Account menu' }).focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'Operator')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Manage ${email}` }).waitFor()
    await checkState(page, 'accounts')
    await checkForced(page, 'accounts')
    await page.getByLabel('search').fill(email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Manage ${OPERATOR}` }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: `Manage ${email}` }).click()
    await page.getByRole('button', { name: 'accounts set-plan' }).waitFor()
    await checkState(page, 'the commands of an account')
    await checkForced(page, 'the commands of an account')
    await page.getByRole('button', { name: 'accounts set-plan' }).click()
    await page.getByRole('textbox', { name: 'PLAN', exact: true }).fill('nonsense')
    await page.keyboard.press('Enter')
    await page.getByText('is not a plan').waitFor()
    await checkState(page, 'a command that was refused')
    await page.getByRole('textbox', { name: 'PLAN', exact: true }).fill('pro')
    await page.keyboard.press('Enter')
    await page.getByText('is on the plan pro').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: `Manage ${email}` }).click()
    await page.getByRole('button', { name: 'keys list' }).click()
    await page.getByRole('button', { name: 'Run' }).click()
    await page.getByRole('button', { name: 'keys roll' }).waitFor()
    await checkState(page, 'the keys of an account')
    await page.keyboard.press('Escape')

    const tabs = ['Subscriptions', 'Jobs', 'Scans', 'Audit log', 'Engines']
    await page.getByRole('tab', { name: 'Accounts' }).focus()
    for (const name of tabs) {
      await page.keyboard.press('ArrowRight')
      assert.equal(await page.getByRole('tab', { name }).getAttribute('aria-selected'), 'true')
      if (name === 'Audit log') await page.getByText('account.plan_changed').first().waitFor()
      if (name === 'Engines') await page.getByText('embedded').waitFor()
      await checkState(page, name)
    }

    change('update sessions set created_at = created_at - 1860000')
    await page.reload()
    await page.getByRole('link', { name: 'Sign in again' }).waitFor()
    await checkState(page, 'a sign-in that is too old')
    await close(page)
  })
})
