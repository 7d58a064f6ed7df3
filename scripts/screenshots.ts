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
import { readArguments } from './arguments.ts'

const EMAIL = 'ada@example.com'
/** Has bought a plan and not confirmed it yet. */
const BUYER_EMAIL = 'grace@example.com'
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
  recover: '/recover',
  join: '/join#token=sample',
  reset: '/reset-password#token=sample',
  'reset-invalid': '/reset-password',
  'not-found': '/nothing',
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
  connect: '/connect',
  keys: '/keys',
  callbacks: '/callbacks',
  usage: '/usage',
  assistant: '/assistant',
  subscription: '/subscription',
  plans: '/plans',
  members: '/members',
  settings: '/settings',
  'landing-active': '/marketplace/landing',
  'landing-unknown': '/marketplace/landing?token=unknown',
}

const CLEAN_PDF = pdf(['<< /Type /Catalog >>'])
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])

/** Documents that a small team would have scanned. */
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

interface Filled {
  /** The sessions of the account and of the buyer. */
  account: string
  buyer: string
  /** Where the marketplace sends the buyer. */
  landing: string
}

/** An account with keys, scans, an allowed document and a subscription, and another one with a purchase. */
async function fill(service: Service): Promise<Filled> {
  const call = createClient(service)
  const { cookie } = await call('POST', '/api/v1/auth/signup', { email: EMAIL, password: PASSWORD }, BROWSER)
  const session = { headers: { cookie } }
  const keys: string[] = []
  for (const name of ['Invoice upload', 'CI pipeline', 'Mail gateway']) {
    const { json } = await call('POST', '/api/v1/keys', { name }, session)
    keys.push((json as { apiKey: string }).apiKey)
  }
  const buy = async (planId: string, email: string) => {
    const { json } = await call('POST', '/sandbox/purchases', { planId, email }, { headers: {} })
    return json as { token: string; subscriptionId: string }
  }
  const { token, subscriptionId } = await buy('starter', EMAIL)
  await call('POST', '/api/v1/marketplace/resolve', { token }, session)
  await call('POST', '/api/v1/marketplace/activate', { subscriptionId }, session)
  for (const [index, [fileName, content]] of DOCUMENTS.entries()) {
    const key = keys[index % 2] ?? ''
    const headers = { 'x-api-key': key, 'content-type': FORM_TYPE }
    await call('POST', '/api/v1/scan', form(filePart(content, { fileName, type: null })), { headers })
  }
  const note = 'Test macro of the accounting department'
  await call('PUT', `/api/v1/allowed/${'5e'.repeat(32)}`, { note }, session)
  addEarlierDays(service)
  const { cookie: buyer } = await call(
    'POST',
    '/api/v1/auth/signup',
    { email: BUYER_EMAIL, password: PASSWORD },
    BROWSER,
  )
  const purchase = await buy('pro', BUYER_EMAIL)
  return { account: cookie, buyer, landing: `/marketplace/landing?token=${encodeURIComponent(purchase.token)}` }
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
  await page.getByRole('heading', { name: 'Finding your purchase…' }).waitFor({ state: 'detached' })
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

/** The account's pages, two reports, a purchase that it cannot have as well, and a verdict on the scan page. */
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
  await shoot(page, landing, path.join(folder, `landing-conflict-${name}.png`), true)
  await page.goto('/scan')
  await page.getByRole('button', { name: 'Try the EICAR test file' }).click()
  await page.getByRole('link', { name: 'Open report' }).waitFor()
  await page.getByRole('button', { name: 'Ask the assistant' }).click()
  await page.getByRole('button', { name: 'What does Docvet do?' }).click()
  await page.screenshot({ path: path.join(folder, `verdict-and-panel-${name}.png`), animations: 'disabled' })
  await page.close()
}

/** All pages, for reviewing them. */
async function shootForReview(open: (session: string | null) => Promise<BrowserContext>, folder: string, name: string) {
  await using account = await open(filled.account)
  await shootAccount(account, folder, name)
  await using buyer = await open(filled.buyer)
  await shootAll(buyer, { 'landing-confirm': filled.landing }, folder, name)
  await using guest = await open(null)
  await shootAll(guest, OPEN_PAGES, folder, name)
}

async function shootForReadme(context: BrowserContext, folder: string, theme: string) {
  await shoot(await context.newPage(), '/', path.join(folder, `overview-${theme}.png`), false)
}

const [given] = readArguments('npm run screenshots [-- FOLDER]', { max: 1 }).positionals
const folder = path.resolve(given ?? README_FOLDER)
mkdirSync(folder, { recursive: true })
buildDashboard()
await using service = await startService()
const filled = await fill(service)
await using browser = await chromium.launch({ executablePath: findChromium() ?? '', args: ['--no-sandbox'] })

async function openContext(options: BrowserContextOptions, session: string | null): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: service.url, ...options })
  if (session === null) return context
  const [name = '', value = ''] = session.split('=')
  await context.addCookies([{ name, value, url: service.url }])
  await context.addInitScript("localStorage.setItem('docvet.signed-in', '1')")
  return context
}

for (const colorScheme of THEMES) {
  if (given === undefined) {
    await using context = await openContext({ colorScheme, viewport: SIZES.wide }, filled.account)
    await shootForReadme(context, folder, colorScheme)
    continue
  }
  for (const [size, viewport] of Object.entries(SIZES)) {
    const open = (session: string | null) => openContext({ colorScheme, viewport }, session)
    await shootForReview(open, folder, `${size}-${colorScheme}`)
  }
}
