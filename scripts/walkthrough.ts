/** Takes the pictures of docs/walkthrough.md from a service with sample data. Run it after changes of these pages. */

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { chromium, type Locator, type Page } from 'playwright-core'
import { pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { signUpPerson } from '#test/support/auth-client.ts'
import { findChromium } from '#test/support/chromium.ts'
import { buildDashboard } from '#test/support/dashboard.ts'
import { startService } from '#test/support/service.ts'

const FOLDER = path.resolve('docs/images/walkthrough')
const EMAIL = 'ada@example.com'
/** Readable, and small enough for a repository. */
const JPEG_QUALITY = 60
const VIEWPORT = { width: 1_040, height: 700 }

const SHORTCUT = Buffer.concat([Buffer.from('4c0000000114020000000000c000000000000046', 'hex'), Buffer.alloc(60)])
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])
const FILES = [
  { name: 'Quarterly report.pdf', mimeType: 'application/pdf', buffer: pdf(['<< /Type /Catalog >>']) },
  {
    name: 'Order 4711.zip',
    mimeType: 'application/zip',
    buffer: writeZip([{ name: 'Invoice.pdf.lnk', data: SHORTCUT }]),
  },
  { name: 'Salaries.zip', mimeType: 'application/zip', buffer: LOCKED },
]

async function shoot(what: Page | Locator, name: string): Promise<void> {
  await what.screenshot({
    path: path.join(FOLDER, `${name}.jpg`),
    type: 'jpeg',
    quality: JPEG_QUALITY,
    animations: 'disabled',
  })
}

async function reportOf(page: Page, fileName: string): Promise<void> {
  await page.goto('/history')
  await page.getByRole('link', { name: fileName }).click()
  await page.getByRole('heading', { name: 'What to do now' }).waitFor()
}

mkdirSync(FOLDER, { recursive: true })
buildDashboard()
await using service = await startService()
await using browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })
const context = await browser.newContext({ baseURL: service.url, viewport: VIEWPORT, colorScheme: 'light' })
const [cookie = '', value = ''] = (await signUpPerson(service.port, EMAIL)).cookie.split('=')
await context.addCookies([{ name: cookie, value, url: service.url }])
await context.addInitScript("localStorage.setItem('docvet.signed-in', '1')")
const page = await context.newPage()

await page.goto('/scan')
await page.locator('input[type=file]').setInputFiles(FILES)
await page.getByText('3 documents: 1 infected, 1 not scanned, 1 clean').waitFor()
await page.getByText('It contains a program that looks harmless').waitFor()
await page.getByRole('region', { name: 'All documents' }).scrollIntoViewIfNeeded()
await page.evaluate('scrollTo(0, 400)')
await shoot(page, 'safe')

await reportOf(page, 'Order 4711.zip')
await shoot(page, 'effect')
await shoot(page.getByRole('region', { name: 'What to do now' }), 'opened')
await page.getByRole('button', { name: 'Allow this document…' }).click()
await page.getByLabel('Why do you trust it?').fill('Shortcut of our own installer, asked IT')
await page.getByRole('button', { name: 'Allow it' }).click()
await page.getByText('Exactly this document').waitFor()
await page.goto('/allowed')
await page.getByRole('link', { name: 'Order 4711.zip' }).waitFor()
await shoot(page.getByRole('main'), 'allowed')

await reportOf(page, 'Salaries.zip')
await shoot(page, 'not-scanned')

await page.goto('/')
await page.getByText('498 left').waitFor()
await shoot(page.getByRole('region', { name: 'This month' }), 'left')
await page.getByRole('tab', { name: 'PHP' }).click()
await shoot(page.getByRole('region', { name: 'Scan from code' }), 'php')

await page.goto('/keys')
await page.getByRole('button', { name: 'Create key' }).click()
await page.getByLabel('Name').fill('Grace, invoice upload')
await page.keyboard.press('Enter')
await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
// A picture must not look as if it contained a secret.
await page.evaluate("document.querySelector('dialog code').textContent = 'dv_live_…'")
await shoot(page.getByRole('dialog'), 'key')

await page.goto('/settings')
await page.getByRole('button', { name: 'Delete account…' }).click()
await shoot(page.getByRole('alertdialog'), 'delete')

await page.goto('/forgot-password')
await page.getByLabel('E-mail').fill(EMAIL)
await page.getByRole('button', { name: 'Send reset link' }).click()
await page.getByText('This service has no mail server').waitFor()
await shoot(page.locator('.card'), 'mail')
