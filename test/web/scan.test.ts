/** Scanning in the dashboard: progress, verdicts, and documents without a verdict. */

import assert from 'node:assert/strict'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { GOOD_PASSWORD } from '#test/support/auth-client.ts'
import { checkState, close, useDashboard } from '#test/support/browser.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const PDF = pdf(['<< /Type /Catalog >>'])
const DOCUMENT_BYTES_MAX = 26_214_400

const RATE_LIMITED = {
  status: 429,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '1' },
  body: JSON.stringify({ title: 'Rate limit exceeded', status: 429, detail: 'Too many scans.', code: 'rate_limited' }),
}

const USED_UP = {
  status: 402,
  contentType: 'application/problem+json',
  headers: { 'retry-after': '1209600' },
  body: JSON.stringify({ title: 'Quota exhausted', status: 402, detail: 'It is used up.', code: 'quota_exhausted' }),
}

const document = (name: string, buffer: Buffer, mimeType = 'application/pdf') => ({ name, buffer, mimeType })

describe('scanning in the dashboard', needs('chromium'), () => {
  const dashboard = useDashboard()

  async function openScan(): Promise<Page> {
    const page = await dashboard.openAccount('/scan')
    await page.getByRole('heading', { name: 'Scan', exact: true }).waitFor()
    return page
  }

  const choose = (page: Page, ...files: ReturnType<typeof document>[]) =>
    page.locator('input[type=file]').setInputFiles(files)

  test('a clean document and the EICAR test file get their verdicts, and count toward the quota', async () => {
    const page = await openScan()
    await checkState(page, 'nothing scanned')
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Waiting for your first scan…').waitFor()
    await checkState(page, 'overview of a new account')
    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await choose(page, document('invoice.pdf', PDF))
    await page.getByText('No malware found', { exact: true }).waitFor()
    await checkState(page, 'a clean document')
    await page.getByRole('button', { name: 'Try the EICAR test file' }).click()
    await page.getByText('Harmless test file', { exact: true }).waitFor()
    await page.getByText('2 documents: 1 test file, 1 clean').waitFor()
    assert.equal(await page.getByText('Malware found', { exact: true }).count(), 0, 'a test file is no malware')
    await checkState(page, 'the EICAR test file')

    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('of 500 scans used').waitFor()
    await page.getByRole('region', { name: 'This month' }).getByText('2', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Scans per day' }).waitFor()
    assert.equal(await page.getByText('First steps').count(), 0)
    await page.getByRole('tab', { name: 'curl' }).press('ArrowRight')
    await page.getByText('openAsBlob').first().waitFor()
    await checkState(page, 'overview')
    await close(page)
  })

  test('an encrypted document is scanned with its password', async () => {
    const page = await openScan()
    await choose(page, document('locked.docx', lockAgile(docx(), { password: 'open sesame' })))
    await page.getByText('It is protected with a password').waitFor()
    await checkState(page, 'an encrypted document')
    const [article] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: /^What this means.*opens in a new tab/ }).click(),
    ])
    await article.waitForURL('/problems/encrypted_document')
    await article.close()
    const field = page.getByLabel('Password of locked.docx')
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    await page
      .getByText(/password/i)
      .first()
      .waitFor()
    await field.fill('open sesame')
    await page.keyboard.press('Enter')
    await page.getByText('No malware found', { exact: true }).waitFor()
    await close(page)
  })

  test('a document is allowed in its report, clean in the next scan, and removed from the list again', async () => {
    const page = await openScan()
    const shortcut = Buffer.concat([Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), Buffer.alloc(60)])
    const infected = document('order.zip', writeZip([{ name: 'order.lnk', data: shortcut }]))
    await choose(page, infected)
    await page.getByText('Malware found', { exact: true }).waitFor()
    await page.getByText('It contains a program that looks harmless').waitFor()
    await page.getByText('If you opened it already:').waitFor()
    await checkState(page, 'an infected document')
    await page.getByRole('link', { name: 'Open report' }).click()
    await page.getByRole('heading', { name: 'What it would have done' }).waitFor()
    await page.getByText('Found in order.lnk').waitFor()
    await page.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text }')
    await page.getByRole('button', { name: 'Copy a message for IT' }).click()
    assert.match(
      await page.evaluate<string>('window.copied'),
      /malware in "order\.zip"[\s\S]+Docvet\.Embedded\.Shortcut[\s\S]+\/history\/[0-9a-f-]{36}$/,
    )
    assert.equal(
      await page.getByText('In order.lnk', { exact: true }).isVisible(),
      false,
      'technical findings are folded',
    )
    await checkState(page, 'the report of an infected document')
    await page.getByText('Technical findings').click()
    await page.getByText('In order.lnk', { exact: true }).waitFor()
    await checkState(page, 'technical findings')
    await page.getByRole('button', { name: 'Allow this document…' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByText('Nobody is warned again.').waitFor()
    assert.equal(await page.locator(':focus').textContent(), 'Keep it blocked')
    await question.getByLabel('Why do you trust it?').fill('From accounting')
    await checkState(page, 'a question before a document is allowed')
    await question.getByRole('button', { name: 'Allow it' }).click()
    await page.getByText('Exactly this document is now on your').waitFor()

    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await choose(page, infected)
    await page.getByText('No malware found', { exact: true }).waitFor()

    await page.getByRole('link', { name: 'Allow list' }).click()
    await page.getByText('“From accounting”').waitFor()
    await page.getByText(/^Allowed by person.*although Docvet\.Embedded\.Shortcut was found$/).waitFor()
    await checkState(page, 'the allow list')
    await page.getByRole('link', { name: 'order.zip' }).click()
    await page.getByRole('heading', { name: 'Malware found', exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Remove order.zip' }).click()
    await page.getByText('No documents yet').waitFor()
    await checkState(page, 'an empty allow list')
    await close(page)
  })

  test('documents without a verdict are never shown as clean', async () => {
    const page = await openScan()
    // From a file, because the debugger would take long to pass that many bytes.
    const folder = temporaryFolder('large')
    const large = path.join(folder, 'large.pdf')
    writeFileSync(large, '')
    truncateSync(large, DOCUMENT_BYTES_MAX + 1)
    await page.locator('input[type=file]').setInputFiles(large)
    await choose(
      page,
      document('empty.pdf', Buffer.alloc(0)),
      document('picture.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'),
    )
    await page.getByText('It is larger than 25 MB.').waitFor()
    await page.getByText('The file is empty: it has 0 bytes.').waitFor()
    await page.getByText('It is not a document').waitFor()
    await page.getByText('3 documents: 3 not scanned').waitFor()
    assert.equal(await page.getByText('No malware found').count(), 0)
    await checkState(page, 'documents without a verdict')
    rmSync(folder, { recursive: true })

    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'picture.png' }).waitFor()
    await page.getByRole('link', { name: 'large.pdf' }).waitFor()
    await page.getByLabel('File name').fill('EMPTY')
    await page.waitForURL('/history?name=EMPTY')
    await page.getByRole('link', { name: 'picture.png' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'empty.pdf' }).click()
    await page.getByRole('heading', { name: 'What to do now' }).waitFor()
    assert.equal(await page.getByText('SHA-256').count(), 0, 'nothing was read')
    await close(page)
  })

  test('many documents: in order, with a summary, a filter and a warning; those that need attention first when done', async () => {
    const page = await openScan()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/scan', async (route) => {
      await held.promise
      await route.continue()
    })
    const shortcut = Buffer.concat([Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), Buffer.alloc(60)])
    await choose(
      page,
      document('1.pdf', PDF),
      document('2.zip', writeZip([{ name: 'order.lnk', data: shortcut }])),
      document('3.png', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), 'image/png'),
      document('4.pdf', PDF),
    )
    const names = async () => {
      const rows = await page.getByRole('list', { name: 'Scanned documents' }).getByRole('listitem').allInnerTexts()
      return rows.flatMap((row) => /\d\.\w+/.exec(row) ?? [])
    }
    await page.getByText('0 of 4 documents done').waitFor()
    assert.deepEqual(await names(), ['1.pdf', '2.zip', '3.png', '4.pdf'])
    await checkState(page, 'several documents are being scanned')
    const asked = page.waitForEvent('dialog')
    // Not awaited: it waits for the answer.
    const leaving = page.close({ runBeforeUnload: true })
    const warning = await asked
    assert.equal(warning.type(), 'beforeunload')
    await warning.dismiss()
    await leaving
    held.resolve()
    await page.getByText('4 documents: 1 infected, 1 not scanned, 2 clean').waitFor()
    assert.deepEqual(await names(), ['2.zip', '3.png', '1.pdf', '4.pdf'])
    await checkState(page, 'several documents')
    await page.getByRole('button', { name: '2 clean' }).click()
    assert.deepEqual(await names(), ['1.pdf', '4.pdf'])
    await page.getByRole('button', { name: 'Clear finished' }).click()
    await page.getByText('4 documents').waitFor({ state: 'detached' })
    assert.deepEqual(await names(), [])
    await close(page)
  })

  test('a session that ends elsewhere asks for the password in place, and keeps the chosen files', async () => {
    const page = await openScan()
    const held = Promise.withResolvers<void>()
    await page.route('**/api/v1/scan', async (route) => {
      await held.promise
      await route.continue()
    })
    await choose(page, document('first.pdf', PDF), document('second.pdf', PDF))
    await page.getByText('0 of 2 documents done').waitFor()
    await page.context().clearCookies()
    held.resolve()
    const again = page.getByRole('region', { name: 'Sign in again' })
    await again.getByText('Your files are still here.').waitFor()
    await checkState(page, 'a session that ended during scans')
    // Another tab was signed out as well, and other pages notice it.
    await page.evaluate('localStorage.clear()')
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await again.getByLabel('Password').fill('not the password')
    await page.keyboard.press('Enter')
    await again.getByRole('alert').getByText('The e-mail address or the password is wrong.').waitFor()
    await again.getByLabel('Password').fill(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('2 documents: 2 clean').waitFor()
    assert.equal(await again.count(), 0)
    await close(page)
  })

  test('a quota that is used up says until when and what to do, and offers no second try', async () => {
    const page = await openScan()
    await page.route('**/api/v1/scan', (route) => route.fulfill(USED_UP))
    await choose(page, document('late.pdf', PDF), document('later.pdf', PDF))
    await page.getByText('2 documents: 2 not scanned').waitFor()
    await page.getByText('You can scan again from').waitFor()
    assert.equal(await page.getByText('You can scan again from').count(), 1, 'said once')
    assert.equal(await page.getByText('It is used up.').count(), 0, 'not in the words of the API')
    assert.equal(await page.getByRole('button', { name: /^Try again/ }).count(), 0)
    await checkState(page, 'a used up quota')
    await page.getByRole('link', { name: 'Get more scans' }).click()
    await page.getByRole('heading', { name: 'Plans and limits' }).waitFor()
    await page.getByRole('row', { name: /^Free Your plan 500 5 1, at times 10$/ }).waitFor()
    await checkState(page, 'plans of an account')
    await close(page)
  })

  // The marketplace is all that differs, so the answer of the service is replaced instead of starting another one.
  test('where nothing can be bought, a used up quota leads to the operator, and no page offers a plan', async () => {
    const page = await openScan()
    const settings = await (await page.request.get('/dashboard/settings')).json()
    const usage = { plan: 'free', period: '2026-11', scansUsed: 6, scansQuota: 6, scansRemaining: 0 }
    await page.route('**/dashboard/settings', (route) => route.fulfill({ json: { ...settings, marketplace: 'off' } }))
    await page.route('**/api/v1/scan', (route) => route.fulfill(USED_UP))
    await page.route('**/api/v1/usage', (route) => route.fulfill({ json: usage }))
    await page.goto('/scan')
    await choose(page, document('late.pdf', PDF))
    await page.getByText('If you need more scans, ask the operator of this service.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Get more scans' }).count(), 0)
    await page.goto('/')
    await page.getByText('If you need more scans, ask the operator of this service.').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Get more scans' }).count(), 0)
    await page.goto('/subscription')
    await page.getByRole('heading', { name: 'Plans and limits' }).waitFor()
    await page.getByText('Plans cannot be bought here.').waitFor()
    await page.getByRole('link', { name: 'Plans and limits' }).waitFor()
    await close(page)
  })

  test('the queue outlives its page, waits for the rate limit, and reports a file that is gone', async () => {
    const page = await openScan()
    let requests = 0
    await page.route('**/api/v1/scan', (route) => {
      requests++
      return requests === 1 ? route.fulfill(RATE_LIMITED) : route.continue()
    })
    const folder = temporaryFolder('gone')
    const files = ['first.pdf', 'gone.pdf'].map((name) => path.join(folder, name))
    for (const file of files) writeFileSync(file, PDF)
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByText('Waiting for the rate limit of your plan').waitFor()
    rmSync(path.join(folder, 'gone.pdf'))
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await page.getByText('No malware found', { exact: true }).waitFor()
    await page.getByText('This file cannot be read').waitFor()
    await checkState(page, 'a file that is gone')
    rmSync(folder, { recursive: true })

    const dropped = await page.evaluateHandle(`(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['text'], 'invoice\u202Efdp.txt', { type: 'text/plain' }))
      return transfer
    })()`)
    await page.getByRole('heading', { name: 'Scan', exact: true }).dispatchEvent('drop', { dataTransfer: dropped })
    await page.getByRole('button', { name: 'Remove invoicefdp.txt from the list' }).waitFor()
    await close(page)
  })

  test('documents wait for each other, can be cancelled, and a lost connection can be retried', async () => {
    const page = await openScan()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/v1/scan', async (route) => {
      await held
      await route.abort('connectionreset')
    })
    await choose(page, document('first.pdf', PDF), document('second.pdf', PDF))
    await page.getByText('Waiting', { exact: true }).waitFor()
    await checkState(page, 'a document is being scanned, another one waits')
    await page.getByRole('button', { name: 'Cancel second.pdf' }).click()
    release()
    await page.getByText('Upload interrupted.').waitFor()
    await checkState(page, 'an interrupted upload')
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No malware found', { exact: true }).waitFor()
    assert.equal(await page.getByText('second.pdf').count(), 0)
    await close(page)
  })

  test('the assistant answers suggested questions and searches its articles without a language model', async () => {
    const page = await dashboard.openAccount('/keys')
    await page.getByRole('button', { name: 'Ask the assistant' }).click()
    const panel = page.getByRole('dialog', { name: 'Assistant' })
    await panel.getByRole('button', { name: 'What does Docvet do?' }).click()
    await panel.getByRole('log').getByText('Docvet').last().waitFor()
    await checkState(page, 'assistant beside a page')
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await page.getByRole('navigation').getByRole('link', { name: 'Assistant' }).click()
    await page.getByText('What would you like to know?').waitFor()
    await page.getByText('No language model is set up on this server').waitFor()
    await checkState(page, 'assistant without a language model')
    const input = page.getByLabel('Your question')
    for (const [question, answer] of [
      ['Hello', 'Hello! I am an automated assistant'],
      ['how do I call it from PHP', 'CURLFile'],
      ['delete everything about me', 'settings of the dashboard'],
    ] as const) {
      await input.fill(question)
      await input.press('Enter')
      await page.getByRole('log').getByText(answer).first().waitFor()
    }
    await page.getByRole('button', { name: 'More questions' }).click()
    for (const question of [
      'What does it cost?',
      'How do I scan from PHP?',
      'What does 422 mean?',
      'How do I delete my account?',
    ])
      await page.getByRole('button', { name: question }).waitFor()
    await page.getByRole('button', { name: 'Are my documents stored?' }).click()
    await page.getByRole('log').getByText('never written to permanent storage').last().waitFor()
    await checkState(page, 'a suggested question')
    await close(page)
  })
})
