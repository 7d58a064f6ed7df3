/** Scanning in the dashboard: progress, verdicts, and documents without a verdict. */

import assert from 'node:assert/strict'
import { rmSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lockAgile } from '#inspect/testing/office-lock.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
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
    await page.getByRole('heading', { name: 'No malware found' }).waitFor()
    await checkState(page, 'a clean document')
    await page.getByRole('button', { name: 'Try the EICAR test file' }).click()
    await page.getByRole('heading', { name: 'Malware found', exact: true }).waitFor()
    await page.getByRole('list', { name: 'Findings' }).getByText('EICAR test file').first().waitFor()
    await checkState(page, 'an infected document')

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
    await page.getByRole('heading', { name: /^Not scanned: / }).waitFor()
    await checkState(page, 'an encrypted document')
    const field = page.getByLabel('Password of locked.docx')
    await field.fill('wrong')
    await page.keyboard.press('Enter')
    await field.waitFor()
    await field.fill('open sesame')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No malware found' }).waitFor()
    await close(page)
  })

  test('a document is allowed in its report, clean in the next scan, and removed from the list again', async () => {
    const page = await openScan()
    const shortcut = Buffer.concat([Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), Buffer.alloc(60)])
    const infected = document('order.zip', writeZip([{ name: 'order.lnk', data: shortcut }]))
    await choose(page, infected)
    await page.getByRole('heading', { name: 'Malware found', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Open report' }).click()
    await page.getByText('In order.lnk').waitFor()
    await page.getByLabel('Note').fill('From accounting')
    await checkState(page, 'the report of an infected document')
    await page.getByRole('button', { name: 'Allow this document' }).click()
    await page.getByText('Exactly this document is now on your').waitFor()

    await page.getByRole('link', { name: 'Scan', exact: true }).click()
    await choose(page, infected)
    await page.getByRole('heading', { name: 'No malware found' }).waitFor()
    await page.getByText('On the allow list of the account').first().waitFor()
    await checkState(page, 'an allowed document')

    await page.getByRole('link', { name: 'Allow list' }).click()
    await page.getByText('From accounting').first().waitFor()
    await checkState(page, 'the allow list')
    await page.getByRole('button', { name: 'Remove From accounting' }).click()
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
    await page.getByRole('heading', { name: 'Not scanned: Unsupported content type' }).waitFor()
    await page.getByRole('heading', { name: 'Not scanned: This file is too large' }).waitFor()
    await page.getByRole('heading', { name: 'Not scanned: This file is empty' }).waitFor()
    assert.equal(await page.getByText('No malware found').count(), 0)
    await checkState(page, 'documents without a verdict')
    rmSync(folder, { recursive: true })
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
    await page.getByRole('heading', { name: 'No malware found' }).waitFor()
    await page.getByRole('heading', { name: 'Not scanned: This file cannot be read' }).waitFor()
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
    await page.getByText('Waiting').waitFor()
    await checkState(page, 'a document is being scanned, another one waits')
    await page.getByRole('button', { name: 'Cancel second.pdf' }).click()
    release()
    await page.getByRole('heading', { name: 'Not scanned: upload interrupted' }).waitFor()
    await checkState(page, 'an interrupted upload')
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'No malware found' }).waitFor()
    assert.equal(await page.getByText('second.pdf').count(), 0)
    await close(page)
  })

  test('the assistant answers suggested questions without a language model, and says why others are off', async () => {
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
    await page.getByText('not set up on this server').waitFor()
    assert.ok(await page.getByLabel('Your question').isDisabled())
    await checkState(page, 'assistant without a language model')
    await page.getByRole('button', { name: 'More questions' }).click()
    await page.getByRole('button', { name: 'Are my documents stored?' }).click()
    await page.getByRole('log').getByText('never written to permanent storage').waitFor()
    await checkState(page, 'a suggested question')
    await close(page)
  })
})
