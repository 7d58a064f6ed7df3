/** Takes pictures of every page with sample data, light and dark, wide and narrow. */

import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { findChromium } from '#test/support/chromium.ts'
import { buildDashboard } from '#test/support/dashboard.ts'
import { request } from '#test/support/raw-http.ts'
import { FORM_TYPE, filePart, form } from '#test/support/scanning.ts'
import { type Service, startService } from '#test/support/service.ts'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a meadow full of crickets'
const SIZES = { wide: { width: 1_280, height: 800 }, narrow: { width: 360, height: 740 } }
const THEMES = ['light', 'dark'] as const
/** Without another folder as the argument, only the pictures of the README are taken. */
const README_FOLDER = 'docs/images'

const OPEN_PAGES = {
  front: '/',
  'sign-in': '/sign-in',
  'sign-up': '/sign-up',
  forgot: '/forgot-password',
  docs: '/docs',
  problems: '/problems',
  problem: '/problems/encrypted_document',
  findings: '/findings',
  finding: '/findings/Docvet.Embedded.Shortcut',
  sandbox: '/sandbox',
}
const ACCOUNT_PAGES = {
  overview: '/',
  scan: '/scan',
  history: '/history',
  allowed: '/allowed',
  keys: '/keys',
  usage: '/usage',
  assistant: '/assistant',
  subscription: '/subscription',
  settings: '/settings',
}

const CLEAN_PDF = pdf(['<< /Type /Catalog >>'])
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])

/** What a small team would have scanned. */
const DOCUMENTS: readonly [name: string, content: string | Uint8Array][] = [
  ['Quarterly report.pdf', CLEAN_PDF],
  ['minutes-2026-11-10.txt', 'Everyone agreed.'],
  ['salaries (confidential).zip', LOCKED],
  ['Invoice 4711.pdf', CLEAN_PDF],
  ['order.zip', writeZip([{ name: 'scan/invoice.txt', data: EICAR }])],
  ['Contract draft 3.pdf', CLEAN_PDF],
]
const DAILY = [38, 112, 126, 131, 98, 20, 14, 141, 117, 152, 133, 96, 18, 11, 104, 128, 119, 137, 101, 16, 12]

const BROWSER = { headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0' } }

interface Caller {
  headers: Record<string, string>
}

function createClient({ port, url }: Service) {
  return async (method: string, target: string, body: unknown, { headers }: Caller) => {
    const answer = await request(port, method, target, { headers: { origin: url, ...headers }, body })
    return { cookie: answer.headers['set-cookie']?.split(';')[0] ?? '', json: answer.body ? answer.json() : null }
  }
}

/** An account with keys, scans and a subscription. Returns its cookie. */
async function fill(service: Service): Promise<string> {
  const call = createClient(service)
  const { cookie } = await call('POST', '/api/v1/auth/signup', { email: EMAIL, password: PASSWORD }, BROWSER)
  const session = { headers: { cookie } }
  const keys: string[] = []
  for (const name of ['Invoice upload', 'CI pipeline', 'Mail gateway']) {
    const { json } = await call('POST', '/api/v1/keys', { name }, session)
    keys.push((json as { apiKey: string }).apiKey)
  }
  const { json: sold } = await call('POST', '/sandbox/purchases', { planId: 'starter', email: EMAIL }, { headers: {} })
  const { token, subscriptionId } = sold as { token: string; subscriptionId: string }
  await call('POST', '/api/v1/marketplace/resolve', { token }, session)
  await call('POST', '/api/v1/marketplace/activate', { subscriptionId }, session)
  for (const [index, [fileName, content]] of DOCUMENTS.entries()) {
    const key = keys[index % 2] ?? ''
    const headers = { 'x-api-key': key, 'content-type': FORM_TYPE }
    await call('POST', '/api/v1/scan', form(filePart(content, { fileName, type: null })), { headers })
  }
  addEarlierDays(service)
  return cookie
}

/** Scans of the past two weeks, which nobody can make today. */
function addEarlierDays({ dataDir }: Service): void {
  const database = new DatabaseSync(path.join(dataDir, 'docvet.sqlite'))
  const today = new Date().getUTCDate()
  const counters = database.prepare('select key_id, used, days from usage_counters').all() as {
    key_id: string
    used: number
    days: string
  }[]
  for (const [index, { key_id: keyId, used, days }] of counters.entries()) {
    const all = JSON.parse(days ?? '{}') as Record<string, number>
    const past = DAILY.slice(0, today - 1).map((scans) => Math.round(scans / (index + 1)))
    for (const [day, scans] of past.entries()) all[String(day + 1).padStart(2, '0')] = scans
    const total = used + past.reduce((sum, scans) => sum + scans, 0)
    const update = 'update usage_counters set used = ?, days = ? where key_id = ?'
    database.prepare(update).run(total, JSON.stringify(all), keyId)
  }
  database.close()
}

/** Fonts are loaded, and nothing moves or loads. */
const SETTLED = `(async () => {
  await document.fonts.ready
  while (document.querySelector('.animate-pulse')) await new Promise((done) => setTimeout(done, 50))
})()`

async function shoot(page: Page, target: string, file: string, fullPage: boolean): Promise<void> {
  await page.goto(target)
  await page.waitForLoadState('networkidle')
  await page.evaluate(SETTLED)
  await page.screenshot({ path: file, fullPage, animations: 'disabled' })
}

async function shootAll(
  context: BrowserContext,
  pages: Readonly<Record<string, string>>,
  folder: string,
  name: string,
) {
  const page = await context.newPage()
  for (const [title, target] of Object.entries(pages))
    await shoot(page, target, path.join(folder, `${title}-${name}.png`), true)
  await page.close()
}

/** The account's pages, two reports, the landing page of a purchase, and a verdict on the scan page. */
async function shootAccount(context: BrowserContext, folder: string, name: string): Promise<void> {
  await shootAll(context, ACCOUNT_PAGES, folder, name)
  const page = await context.newPage()
  for (const [title, status] of [
    ['report-infected', 'infected'],
    ['report-refused', 'refused'],
  ]) {
    await page.goto(`/history?status=${status}`)
    const link = page.getByRole('row').getByRole('link').first()
    const target = (await link.getAttribute('href')) ?? '/history'
    await shoot(page, target, path.join(folder, `${title}-${name}.png`), true)
  }
  const headers = { origin: new URL(page.url()).origin }
  const sold = await page.request.post('/sandbox/purchases', { headers, data: { planId: 'starter', email: EMAIL } })
  const { token } = (await sold.json()) as { token: string }
  const landing = `/marketplace/landing?token=${encodeURIComponent(token)}`
  await shoot(page, landing, path.join(folder, `landing-${name}.png`), true)
  await page.goto('/scan')
  await page.getByRole('button', { name: 'Try the EICAR test file' }).click()
  await page.getByRole('link', { name: 'Open report' }).waitFor()
  await page.getByRole('button', { name: 'Ask the assistant' }).click()
  await page.getByRole('button', { name: 'What does Docvet do?' }).click()
  await page.screenshot({ path: path.join(folder, `verdict-and-panel-${name}.png`), animations: 'disabled' })
  await page.close()
}

/** All pages, for reviewing them. */
async function shootForReview(open: (isGuest: boolean) => Promise<BrowserContext>, folder: string, name: string) {
  await using account = await open(false)
  await shootAccount(account, folder, name)
  await using guest = await open(true)
  await shootAll(guest, OPEN_PAGES, folder, name)
}

async function shootForReadme(open: (isGuest: boolean) => Promise<BrowserContext>, folder: string, theme: string) {
  await using context = await open(false)
  await shoot(await context.newPage(), '/', path.join(folder, `overview-${theme}.png`), false)
}

const [given] = process.argv.slice(2)
const folder = path.resolve(given ?? README_FOLDER)
mkdirSync(folder, { recursive: true })
buildDashboard()
await using service = await startService()
const [cookieName = '', value = ''] = (await fill(service)).split('=')
await using browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })

async function openContext(options: BrowserContextOptions, isGuest: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: service.url, ...options })
  if (isGuest) return context
  await context.addCookies([{ name: cookieName, value, url: service.url }])
  await context.addInitScript("localStorage.setItem('docvet.signed-in', '1')")
  return context
}

for (const colorScheme of THEMES) {
  if (given === undefined) {
    const open = (isGuest: boolean) => openContext({ colorScheme, viewport: SIZES.wide }, isGuest)
    await shootForReadme(open, folder, colorScheme)
    continue
  }
  for (const [size, viewport] of Object.entries(SIZES)) {
    const open = (isGuest: boolean) => openContext({ colorScheme, viewport }, isGuest)
    await shootForReview(open, folder, `${size}-${colorScheme}`)
  }
}
