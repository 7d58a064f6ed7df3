/** A real browser on the dashboard, and the checks that every state of every page must pass. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, before } from 'node:test'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { signUpPerson } from '#test/support/auth-client.ts'
import { findChromium } from '#test/support/chromium.ts'
import { buildDashboard } from '#test/support/dashboard.ts'
import { freePort, type Service, startService } from '#test/support/service.ts'

/** Generous, because many suites run at the same time. */
const WAIT_MS = 30_000
const WIDE = { width: 1_280, height: 900 }
const NARROW = { width: 360, height: 800 }
/** WCAG 2.2 asks for content without sideways scrolling at this width. */
const NARROWEST = { width: 320, height: 800 }
/** A window of 1,280 pixels at 200 %. */
const ZOOMED = { width: 640, height: 450 }
/**
 * The popups of an address bar that nobody sees took more CPU time than the pages. The others are of Playwright's own
 * list, which this switch replaces: they change how pages load, or ask the Internet.
 */
const DISABLED_FEATURES = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync'],
  ...[
    'DestroyProfileOnBrowserClose',
    'HttpsFirstBalancedModeAutoEnable',
    'HttpsUpgrades',
    'LensOverlay',
    'MediaRouter',
  ],
  ...['NetworkTimeServiceQuerying', 'OptimizationHints', 'PaintHolding', 'PreconnectToSearch'],
  'ThirdPartyStoragePartitioning',
]
const BROWSER_ARGS = ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${DISABLED_FEATURES.join(',')}`]
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
/** The browser reports every response of 400 and above, and lost connections; pages that provoke them are tested as well. */
const FAILED_REQUEST =
  /^(?:Failed to load resource: (?:the server responded with a status of \d+|net::ERR_(?:CONNECTION_RESET|INTERNET_DISCONNECTED))|TypeError: Failed to fetch dynamically imported module)/

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Dashboard {
  service: Service
  /** A page in a new context, without a session. It fails the test that closes it if anything went wrong on it. */
  open(path: string): Promise<Page>
  /** The same with the session of a new account, without the page loads of a sign-up. */
  openAccount(path: string, email?: string): Promise<Page>
}

/** One service and one browser for all tests of a file. Passkeys need the name of a host. */
export function useDashboard(env: Record<string, string> = {}, host = '127.0.0.1'): Dashboard {
  let service: Service
  let browser: Browser
  before(async () => {
    buildDashboard()
    const executablePath = findChromium() ?? ''
    const launched = chromium.launch({ executablePath, args: BROWSER_ARGS })
    const port = await freePort()
    const named = host === '127.0.0.1' ? {} : { DOCVET_PUBLIC_URL: `http://${host}:${port}` }
    ;[service, browser] = await Promise.all([startService({ ...env, ...named }, { port }), launched])
  })
  after(async () => {
    await browser.close()
    await service[Symbol.asyncDispose]()
  })
  async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
    const baseURL = `http://${host}:${service.port}`
    const context = await browser.newContext({ viewport: WIDE, colorScheme: 'light', baseURL, ...options })
    context.setDefaultTimeout(WAIT_MS)
    const page = await context.newPage()
    watch(page)
    await page.goto(path)
    return page
  }

  return {
    get service() {
      return service
    },
    open: (path) => open(path),
    async openAccount(path, email) {
      const [name = '', value = ''] = (await signUpPerson(service.port, email)).cookie.split('=')
      const cookie = { name, value, domain: host, path: '/', expires: -1, httpOnly: true, secure: false }
      const signedIn = {
        origin: `http://${host}:${service.port}`,
        localStorage: [{ name: 'docvet.signed-in', value: '1' }],
      }
      return await open(path, { storageState: { cookies: [{ ...cookie, sameSite: 'Lax' }], origins: [signedIn] } })
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
    const isOwn = ['127.0.0.1', 'localhost'].includes(new URL(request.url()).hostname)
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
  assert.deepEqual(await page.evaluate(FIND_WEAK_BORDERS), [], `${state}, borders of fields in light`)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(NARROW)
  await page.evaluate(SETTLE)
  assert.deepEqual(await violations(page), [], `${state}, dark and narrow`)
  assert.deepEqual(await page.evaluate(FIND_WEAK_BORDERS), [], `${state}, borders of fields in dark`)
  assert.deepEqual(await page.evaluate(FIND_SMALL_TARGETS), [], `${state}, targets`)
  for (const size of [NARROWEST, ZOOMED]) {
    await page.setViewportSize(size)
    assert.deepEqual(await page.evaluate(FIND_OVERFLOW), [], `${state} scrolls sideways at ${size.width}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize(WIDE)
  assertNoFaults(page, state)
}

// Scripts for the page are texts, because the types of a browser do not exist here.

/** Longer than any animation takes: the browser does not always tell that one has finished. */
const SETTLE_MS = 3_000

/** Animations change colours; fonts change sizes. */
const SETTLE = `(async () => {
  await document.fonts.ready
  const finite = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity)
  const ends = Promise.allSettled(finite.map((animation) => animation.finished))
  await Promise.race([ends, new Promise((resolve) => setTimeout(resolve, ${SETTLE_MS}))])
})()`

const RUN_AXE = `axe.run({ runOnly: ${JSON.stringify(AXE_TAGS)}, resultTypes: ['violations'] })`

/** Fields whose border has less than 3:1 against what is around them, which axe does not check. */
const FIND_WEAK_BORDERS = `(() => {
  const MIN = 3
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number)
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const backgroundOf = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const { backgroundColor } = getComputedStyle(each)
      if ((channels(backgroundColor)[3] ?? 1) > 0) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const ratio = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((one, other) => other - one)
    return (light + 0.05) / (dark + 0.05)
  }
  return [...document.querySelectorAll('.field')]
    .filter((field) => ratio(getComputedStyle(field).borderTopColor, backgroundOf(field.parentElement)) < MIN)
    .map((field) => field.outerHTML.slice(0, 120))
})()`

/** Buttons and links smaller than 24 by 24 pixels, except links inside a sentence. */
const FIND_SMALL_TARGETS = `(() => {
  const MIN = 24
  const isInSentence = (element) => getComputedStyle(element).display === 'inline'
  return [...document.querySelectorAll('button, a[href], select, summary, input:not([type=hidden])')]
    .filter((element) => element.checkVisibility() && !isInSentence(element) && !element.closest('.sr-only, label'))
    .filter((element) => element.className !== 'sr-only' && !element.matches('[type=checkbox], [type=radio]'))
    .filter((element) => {
      const { width, height } = element.getBoundingClientRect()
      return width > 1 && (width < MIN || height < MIN)
    })
    .map((element) => element.outerHTML.slice(0, 120))
})()`

/** Elements that reach beyond the window and make the page scroll. */
const FIND_OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement
  if (scrollWidth <= clientWidth) return []
  return [...document.querySelectorAll('body *')]
    .filter((element) => element.getBoundingClientRect().right > clientWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))
})()`

/** Evaluated by the debugger, because the policy of the page allows no other scripts. */
async function violations(page: Page): Promise<string[]> {
  // Its source is large, so each document gets it once.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(axeSource)
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

const TABS_MAX = 60

/** The accessible name of what has the focus, whether its outline shows as a whole, and whether it comes after the last one. */
const READ_FOCUS = `(() => {
  // An ancestor that scrolls or hides its overflow cuts an outline that reaches beyond it.
  const isCut = (element) => {
    const { outlineOffset, outlineWidth } = getComputedStyle(element)
    const ring = Math.max(0, parseFloat(outlineOffset) + parseFloat(outlineWidth)) - 0.5
    const rect = element.getBoundingClientRect()
    for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(each)
      const left = each.getBoundingClientRect().left + each.clientLeft
      const top = each.getBoundingClientRect().top + each.clientTop
      if (overflowX !== 'visible' && (rect.left - ring < left || rect.right + ring > left + each.clientWidth)) return true
      const isHidden = overflowY === 'hidden' || overflowY === 'clip'
      if (isHidden && (rect.top - ring < top || rect.bottom + ring > top + each.clientHeight)) return true
      if (position === 'fixed') return false
    }
    return false
  }
  const element = document.activeElement
  const last = window.lastFocused
  window.lastFocused = element
  const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ')
  const name = element.getAttribute('aria-label') ?? (labels || element.textContent)
  const { outlineStyle, outlineWidth } = getComputedStyle(element)
  const isAfter = !last?.isConnected || Boolean(last.compareDocumentPosition(element) & 4)
  const isShown = outlineStyle !== 'none' && outlineWidth !== '0px'
  const isUnseen = element.getBoundingClientRect().width <= 1
  const isBody = element === document.body
  return { name: name.trim(), isShown, isWhole: isBody || isUnseen || !isCut(element), isAfter, isBody }
})()`

interface Focus {
  name: string
  isShown: boolean
  isWhole: boolean
  isAfter: boolean
  isBody: boolean
}

/** Presses Tab until the element with this name has the focus. Each stop must be visible and after the one before. */
export async function tabTo(page: Page, name: string): Promise<void> {
  await page.evaluate('window.lastFocused = undefined')
  for (let presses = 0; presses < TABS_MAX; presses++) {
    await page.keyboard.press('Tab')
    const focus = await page.evaluate<Focus>(READ_FOCUS)
    if (focus.isBody) continue
    assert.ok(focus.isShown, `the focus on "${focus.name}" is not visible`)
    assert.ok(focus.isAfter, `the focus jumps back to "${focus.name}"`)
    assert.ok(focus.isWhole, `the focus ring of "${focus.name}" is cut`)
    if (focus.name === name) return
  }
  assert.fail(`"${name}" cannot be reached with the Tab key`)
}

/** Everything that Tab can reach, one after the other. */
const FOCUS_ALL = `(() => {
  const all = document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')
  const cut = []
  for (const element of all) {
    if (!element.checkVisibility() || element.disabled) continue
    element.focus()
    const { name, isShown, isWhole } = ${READ_FOCUS}
    if (document.activeElement === element && !(isShown && isWhole)) cut.push(name.slice(0, 40))
  }
  return cut
})()`

/** The names of everything on the page whose focus ring is missing or cut. */
export async function cutRings(page: Page): Promise<string[]> {
  // Browsers show the ring after a key, not after a click.
  await page.keyboard.press('Tab')
  return await page.evaluate<string[]>(FOCUS_ALL)
}

/** Where Back and Forward could lead, and what the page keeps. */
const READ_KEPT =
  'JSON.stringify([location.href, history.state, document.referrer, document.title, { ...localStorage }, { ...sessionStorage }])'

/** No part of these secrets is in the browser's history, the state of the page or its storage. */
export async function assertNoTrace(page: Page, state: string, secrets: readonly string[]): Promise<void> {
  assert.ok(
    secrets.every((secret) => secret.length > 5),
    'these are secrets',
  )
  const debug = await page.context().newCDPSession(page)
  const { entries } = await debug.send('Page.getNavigationHistory')
  await debug.detach()
  // Not the address that was typed, which the browser keeps beside the one of the entry.
  const traces =
    entries.map(({ url, title }) => `${url} ${title}`).join('\n') + (await page.evaluate<string>(READ_KEPT))
  for (const secret of secrets)
    for (const form of [secret, encodeURIComponent(secret)])
      assert.ok(!traces.includes(form), `${state}: a secret is in ${traces}`)
}

/** Buttons, fields, marks and the current choice without an edge, where forced colours have erased the backgrounds. */
const FIND_ERASED = `(() => {
  const erased = getComputedStyle(document.body).backgroundColor
  const isSeen = (colour) => colour !== erased && !/^rgba\\(.*, 0\\)$/.test(colour)
  const hasEdge = (element) => {
    const style = getComputedStyle(element)
    const border = ['Top', 'Bottom'].some(
      (side) => parseFloat(style['border' + side + 'Width']) > 0 && isSeen(style['border' + side + 'Color']),
    )
    return border || (style.outlineStyle !== 'none' && isSeen(style.outlineColor)) || isSeen(style.backgroundColor)
  }
  const all = '.btn, .btn-icon, .field, .pill, dialog[open], [role=tab][aria-selected=true], [aria-current=page]'
  return [...document.querySelectorAll(all)]
    .filter((element) => element.checkVisibility() && element.getBoundingClientRect().width > 1 && !hasEdge(element))
    .map((element) => element.outerHTML.slice(0, 120))
})()`

/** Forced colours, light and dark: everything that can be used has an edge, and its focus shows. */
export async function checkForced(page: Page, state: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ forcedColors: 'active', colorScheme })
    await page.evaluate(SETTLE)
    assert.deepEqual(await page.evaluate(FIND_ERASED), [], `${state}, forced colours, ${colorScheme}`)
    assert.deepEqual(await cutRings(page), [], `${state}, focus in forced colours, ${colorScheme}`)
  }
  await page.emulateMedia({ forcedColors: 'none', colorScheme: 'light' })
}

/** Closes the page after a last look at what the browser reported. */
export async function close(page: Page): Promise<void> {
  assertNoFaults(page, 'at the end')
  await page.context().close()
}
