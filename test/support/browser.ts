/** A real browser on the dashboard, and the checks that every state of every page must pass. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import type { AxeResults } from 'axe-core'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '#test/support/chromium.ts'
import { buildDashboard } from '#test/support/dashboard.ts'
import { type Service, startService } from '#test/support/service.ts'

/** Generous, because many suites run at the same time. */
const WAIT_MS = 30_000
const WIDE = { width: 1_280, height: 900 }
const NARROW = { width: 360, height: 800 }
/** WCAG 2.2 asks for content without sideways scrolling at this width. */
const NARROWEST = { width: 320, height: 800 }
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The browser reports every response of 400 and above; pages that provoke one are tested as well. */
const FAILED_REQUEST =
  /^Failed to load resource: (?:the server responded with a status of \d+|net::ERR_CONNECTION_RESET)/

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Dashboard {
  service: Service
  /** A page in a new context, without a session. It fails the test that closes it if anything went wrong on it. */
  open(path: string): Promise<Page>
}

/** One service and one browser for all tests of a file. */
export function useDashboard(env: Record<string, string> = {}): Dashboard {
  let service: Service
  let browser: Browser
  before(async () => {
    buildDashboard()
    service = await startService(env)
    const executablePath = findChromium() ?? ''
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  })
  after(async () => {
    await browser.close()
    await service[Symbol.asyncDispose]()
  })
  return {
    get service() {
      return service
    },
    async open(path) {
      const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', baseURL: service.url })
      context.setDefaultTimeout(WAIT_MS)
      const page = await context.newPage()
      watch(page)
      await page.goto(path)
      return page
    },
  }
}

const faults = new WeakMap<Page, string[]>()

function watch(page: Page): void {
  const found: string[] = []
  faults.set(page, found)
  page.on('pageerror', (error) => found.push(`error: ${error.message}`))
  page.on('console', (message) => {
    const isFault = message.type() === 'error' || message.type() === 'warning'
    if (isFault && !FAILED_REQUEST.test(message.text())) found.push(`${message.type()}: ${message.text()}`)
  })
  page.on('request', (request) => {
    const isOwn = new URL(request.url()).hostname === '127.0.0.1'
    if (!isOwn && !/^(?:data|blob):/.test(request.url())) found.push(`request to ${request.url()}`)
  })
}

/** Console errors, violations of the policy and requests to other hosts end up here. */
function assertNoFaults(page: Page, state: string): void {
  assert.deepEqual(faults.get(page), [], state)
}

/** The current state: accessible in both themes, no sideways scrolling, nothing reported by the browser. */
export async function checkState(page: Page, state: string): Promise<void> {
  await page.evaluate(SETTLE)
  assert.deepEqual(await violations(page), [], `${state}, light and wide`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(NARROW)
  await page.evaluate(SETTLE)
  assert.deepEqual(await violations(page), [], `${state}, dark and narrow`)
  await page.setViewportSize(NARROWEST)
  assert.deepEqual(await page.evaluate(FIND_OVERFLOW), [], `${state} scrolls sideways`)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
  assertNoFaults(page, state)
}

// Scripts for the page are texts, because the types of a browser do not exist here.

/** Animations change colours; fonts change sizes. */
const SETTLE = `(async () => {
  await document.fonts.ready
  const finite = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity)
  await Promise.allSettled(finite.map((animation) => animation.finished))
})()`

const RUN_AXE = `${axeSource}; axe.run({ runOnly: ${JSON.stringify(AXE_TAGS)} })`

/** What reaches beyond the window and makes the page scroll. */
const FIND_OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))
})()`

/** Evaluated by the debugger, because the policy of the page allows no other scripts. */
async function violations(page: Page): Promise<string[]> {
  const { violations: found } = await page.evaluate<AxeResults>(RUN_AXE)
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

const MEASURE_LOADING = `new Promise((resolve) => {
  let shift = 0
  const add = (list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shift += value
  }
  new PerformanceObserver(add).observe({ type: 'layout-shift', buffered: true })
  const [paint] = performance.getEntriesByName('first-contentful-paint')
  setTimeout(() => resolve({ paintMs: Math.round(paint?.startTime ?? 0), shift }), 300)
})`

/** The first contentful paint and the cumulative layout shift of the page since it was loaded. */
export function measureLoading(page: Page): Promise<{ paintMs: number; shift: number }> {
  return page.evaluate(MEASURE_LOADING)
}

/** Signs up through the page, and ends on the page that `next` names. */
export async function signUp(page: Page, email: string, password: string, next = '/'): Promise<void> {
  await page.goto(`/sign-up?next=${encodeURIComponent(next)}`)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(next)
}

/** Closes the page after a last look at what the browser reported. */
export async function close(page: Page): Promise<void> {
  assertNoFaults(page, 'at the end')
  await page.context().close()
}
