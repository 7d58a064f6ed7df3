/** From sign-up to sign-out through history, usage and settings, by mouse and by keyboard alone. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { GOOD_PASSWORD, signIn } from '#test/support/auth-client.ts'
import { checkState, close, cutRings, tabTo, useDashboard } from '#test/support/browser.ts'
import { newEmail } from '#test/support/client.ts'
import { needs } from '#test/support/suite.ts'

const PDF = pdf(['<< /Type /Catalog >>'])
const LOCKED = writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }])
const NEW_PASSWORD = 'the owl left the barn'
const PROBLEM = {
  type: 'http://127.0.0.1/problems/storage_unavailable',
  title: 'Storage unavailable',
  status: 503,
  detail: 'The service cannot reach its storage at the moment. Try again shortly.',
  code: 'storage_unavailable',
  requestId: '5f0c2b1e-3d7a-4c58-9e46-8b1f0a2d3c4e',
}

/** Answers every request with 100 scans, so that the real ones need not be made. */
const MANY_SCANS = `(() => {
  window.scanPages = 101
  let asked = 0
  const scan = { scannedAt: '', fileName: 'a', status: 'clean', fileSize: 1, detectedType: '', sha256: '', keyId: '', scanId: '' }
  window.fetch = async () => {
    asked++
    const isLast = asked % window.scanPages === 0
    return Response.json({ items: Array(100).fill(scan), nextCursor: isLast ? null : 'more' })
  }
})()`

const KEEP_ONE_OF_EACH = `for (const selector of ['section.guide', 'section.tag', '.operation', '.side li', '.errors tr'])
  [...document.querySelectorAll(selector)].slice(1).forEach((element) => element.remove())`

describe('pages of an account', needs('chromium'), () => {
  const dashboard = useDashboard()

  const follow = (page: Page, name: string) =>
    page.getByRole('navigation').getByRole('link', { name, exact: true }).click()

  test('a new user creates a key, scans, reads the reports, checks the usage, revokes the key and signs out', async () => {
    const page = await dashboard.openAccount('/')
    await follow(page, 'API keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('=Build server')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await follow(page, 'Scan')
    await page.getByRole('button', { name: 'Try the EICAR test file' }).click()
    await page.getByText('Harmless test file', { exact: true }).waitFor()
    const files = [
      { name: 'invoice.pdf', mimeType: 'application/pdf', buffer: PDF },
      { name: 'locked.zip', mimeType: 'application/zip', buffer: LOCKED },
    ]
    await page.locator('input[type=file]').setInputFiles(files)
    await page.getByText('3 documents: 1 not scanned, 1 test file, 1 clean').waitFor()

    await follow(page, 'History')
    await page.getByRole('row').nth(3).waitFor()
    assert.deepEqual(await page.getByRole('cell').locator('.pill').allInnerTexts(), [
      'Not scanned',
      'Clean',
      'Test file',
    ])
    await checkState(page, 'history')
    await page.getByLabel('Verdict').selectOption('refused')
    await page.waitForURL('/history?status=refused')
    await page.getByRole('link', { name: 'locked.zip' }).click()
    await page.getByRole('heading', { name: 'Not scanned' }).waitFor()
    assert.equal(await page.locator('main [class*="-ok"]').count(), 0, 'nothing is green')
    await checkState(page, 'report of a refused document')
    await page.goBack()
    await page.getByLabel('Verdict').selectOption('infected')
    await page.goBack()
    await page.waitForURL('/history?status=refused')
    await page.goForward()
    await page.waitForURL('/history?status=infected')
    await page.getByRole('link', { name: /eicar/i }).waitFor()
    const [scans] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const rows = readFileSync(await scans.path(), 'utf8')
      .trim()
      .split('\r\n')
    assert.equal(rows[0], '"Scanned (UTC)","File","Verdict","Threat","Size","Type","SHA-256","Key","Scan"')
    assert.match(
      rows[1] ?? '',
      /^"\d{4}-.*,"test file","Docvet\.Test\.Eicar",68,"text\/plain","[0-9a-f]{64}","Dashboard",/,
    )
    assert.equal(rows.length, 2, 'only the listed scans')
    await page.getByRole('link', { name: /eicar/i }).click()
    await page.getByText('Nothing is wrong with your computer.').waitFor()
    await checkState(page, 'report of the test file')
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save receipt' }).click(),
    ])
    assert.match(receipt.suggestedFilename(), /^receipt-[0-9a-f-]{36}\.json$/)
    const envelope = JSON.parse(readFileSync(await receipt.path(), 'utf8'))
    assert.equal(envelope.payloadType, 'application/vnd.in-toto+json')
    const browser = await page.context().newCDPSession(page)
    await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kolkata' })
    await page.reload()
    const scanned = page.locator('dd time')
    await scanned.waitFor()
    const [at, shown, hover] = [
      await scanned.getAttribute('datetime'),
      await scanned.textContent(),
      await scanned.getAttribute('title'),
    ]
    assert.equal(hover, `${at?.slice(0, 19).replace('T', ' ')} UTC`)
    const there = new Date(at ?? '').toLocaleString('en-US', {
      ...{ dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Kolkata' },
    })
    assert.equal(shown?.replaceAll(/\s/g, ' '), there.replaceAll(/\s/g, ' '))
    await browser.send('Emulation.setTimezoneOverride', { timezoneId: '' })
    await browser.detach()

    await follow(page, 'Usage')
    await page.getByText('2 scans in').waitFor()
    const chart = page.getByRole('application')
    await chart.press('ArrowLeft')
    await page
      .getByRole('status')
      .getByText(/^\w+ \d+: 0 scans$|: 2 scans$/)
      .waitFor()
    await checkState(page, 'usage')
    await page.emulateMedia({ forcedColors: 'active' })
    const bars = "[...document.querySelectorAll('.bar')].map((bar) => getComputedStyle(bar).backgroundColor)"
    const erased = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    assert.ok(!(await page.evaluate<string[]>(bars)).includes(erased), 'bars are visible in forced colours')
    const edges =
      "[...document.querySelectorAll('.btn, .btn-icon')].map((each) => getComputedStyle(each).borderTopColor)"
    const outlines =
      "[...document.querySelectorAll('.track, .pill')].map((each) => getComputedStyle(each).outlineColor)"
    for (const [what, script] of Object.entries({ buttons: edges, 'meters and pills': outlines })) {
      const colours = await page.evaluate<string[]>(script)
      assert.ok(colours.length > 1 && !colours.some((each) => each === erased || each.startsWith('rgba')), what)
    }
    await page.emulateMedia({ forcedColors: 'none' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ])
    const csv = readFileSync(await download.path(), 'utf8')
    assert.match(
      csv,
      /^\uFEFF"Day \(UTC\)","All keys","'=Build server \(….{4}\)","Dashboard \(….{4}\)"\r\n"\d{4}-\d\d-01",/,
    )
    await page.getByRole('button', { name: 'Table' }).click()
    await page.getByRole('columnheader', { name: 'Day' }).waitFor()
    await checkState(page, 'usage as a table')

    await follow(page, 'API keys')
    await page.getByRole('button', { name: 'Revoke =Build server' }).click()
    await page.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('/sign-in')
    await close(page)
  })

  test('the keyboard alone leads from sign-up to a key and a verdict, with the focus visible all the way', async () => {
    const page = await dashboard.open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await tabTo(page, 'Create an account')
    await page.keyboard.press('Enter')
    await page.getByLabel('E-mail').waitFor()
    await tabTo(page, 'E-mail')
    await page.keyboard.type(newEmail())
    await tabTo(page, 'Password')
    await page.keyboard.type(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await tabTo(page, 'API keys')
    await page.keyboard.press('Enter')
    await page.getByText('No keys yet').waitFor()
    await tabTo(page, 'Create key')
    await page.keyboard.press('Enter')
    await page.keyboard.type('By keyboard')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
    await tabTo(page, 'I have saved it')
    await page.keyboard.press('Enter')
    await page.getByRole('rowheader', { name: 'By keyboard' }).waitFor()
    await tabTo(page, 'Scan')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Scan', exact: true }).waitFor()
    await tabTo(page, 'Try the EICAR test file')
    await page.keyboard.press('Space')
    await page.getByText('Harmless test file', { exact: true }).waitFor()

    const cut: Record<string, string[]> = {}
    for (const width of [1_280, 320]) {
      await page.setViewportSize({ width, height: 900 })
      for (const path of ['/', '/history', '/allowed', '/keys', '/callbacks', '/assistant', '/settings', '/plans']) {
        await page.goto(path)
        await page.getByRole('heading', { level: 1 }).waitFor()
        const found = await cutRings(page)
        if (found.length > 0) cut[`${path} at ${width}`] = found
      }
    }
    await page.setViewportSize({ width: 1_280, height: 900 })
    await page.goto('/history')
    await page.getByRole('link', { name: /eicar/i }).click()
    await page.getByText('Technical findings').click()
    await page.getByText('As JSON').click()
    cut.report = await cutRings(page)
    assert.deepEqual(cut, { report: [] })
    await close(page)
  })

  test('settings: password, sessions, colours, and the end of the account', async () => {
    const email = newEmail()
    const page = await dashboard.openAccount('/settings', email)
    await page.getByText(`Signed in as ${email}`).waitFor()
    await page.getByText('This browser', { exact: true }).waitFor()
    await signIn(dashboard.service.port, email, GOOD_PASSWORD, { 'user-agent': 'Firefox on Windows' })
    await page.reload()
    await page.getByRole('button', { name: 'Sign out Firefox on Windows' }).waitFor()
    await checkState(page, 'settings')
    await page.getByRole('button', { name: 'Sign out others' }).click()
    await page.getByText('All other sessions ended.').waitFor()
    assert.equal(await page.getByText('Firefox on Windows').count(), 0)
    await page.getByLabel('Current password').fill(GOOD_PASSWORD)
    await page.getByLabel('New password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('Password changed.').waitFor()
    await page.getByLabel('Dark').check()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
    await page.getByLabel('System').check()

    await page.getByRole('button', { name: 'Delete account…' }).click()
    await page.getByLabel('Your password').fill(GOOD_PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The password is wrong.').waitFor()
    await checkState(page, 'delete the account with a wrong password')
    await page.getByLabel('Your password').fill(NEW_PASSWORD)
    await page.getByRole('button', { name: 'Delete account', exact: true }).click()
    await page.getByText('Your account is deleted').waitFor()
    await checkState(page, 'front page after the account was deleted')
    await close(page)
  })

  test('pages that load show placeholders, and no figure or verdict', async () => {
    const page = await dashboard.openAccount('/history')
    await page.getByText('No scans yet').waitFor()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(
      /\/api\/v1\/(?:scans|allowed|usage|keys|webhooks|auth\/sessions|marketplace|health)/,
      async (route) => {
        await held
        await route.continue()
      },
    )
    for (const path of ['/', '/history', '/allowed', '/usage', '/keys', '/callbacks', '/settings', '/subscription']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('main .animate-pulse').first().waitFor()
      assert.equal(await page.getByRole('alert').count(), 0, path)
      assert.equal(
        await page
          .locator('main')
          .getByText(/No scans|No documents|No keys|No endpoints|no subscription|0 scans/)
          .count(),
        0,
        path,
      )
    }
    await page.goto('/history')
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await checkState(page, 'history while it loads')
    release()
    await page.getByText('No scans yet').waitFor()
    await close(page)
  })

  test('history, usage, settings and subscription: empty and failed', async () => {
    const page = await dashboard.openAccount('/history')
    await page.getByText('No scans yet').waitFor()
    await checkState(page, 'history without scans')
    await page.getByLabel('From').fill('2026-01-02')
    await page.getByText('No scans match these filters').waitFor()
    await page.waitForURL('/history?from=2026-01-02')
    await page.goto('/history?from=2026-02-31&to=9999-12-31')
    await page.getByText('No scans yet').waitFor()
    await page.goto('/history/nothing')
    await page.getByText('There is no such scan').waitFor()
    await checkState(page, 'an unknown scan')
    await page.goto('/usage?month=2025-02')
    await page.getByText('No scans in February 2025.').waitFor()
    await page.goto('/subscription')
    await page.getByText('You have no subscription.').waitFor()
    await checkState(page, 'no subscription')

    const body = JSON.stringify(PROBLEM)
    const fail = { status: 503, contentType: 'application/problem+json', body }
    await page.route(/\/api\/v1\/(?:scans|allowed|usage\/|auth\/sessions|marketplace)/, (route) => route.fulfill(fail))
    await page.goto('/history')
    for (const [title, what] of [
      ['History', 'The scans could not be loaded.'],
      ['Allow list', 'The allowed documents could not be loaded.'],
      ['Usage', 'The usage could not be loaded.'],
      ['Subscription', 'The subscription could not be loaded.'],
      ['Settings', 'The sessions could not be loaded.'],
    ] as const) {
      await follow(page, title)
      await page.getByRole('alert').getByText(what).waitFor()
      await page.getByText(PROBLEM.requestId).waitFor()
    }
    await checkState(page, 'sessions could not be loaded')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('This browser', { exact: true }).waitFor()
    await close(page)
  })

  test('without a connection, pages say so and recover', async () => {
    const page = await dashboard.openAccount('/keys')
    await page.getByText('No keys yet').waitFor()
    await page.context().setOffline(true)
    await follow(page, 'Usage')
    const alert = page.getByRole('main').getByRole('alert')
    await alert.getByText('This page could not be loaded.').waitFor()
    await checkState(page, 'a page that could not be loaded')
    await page.context().setOffline(false)
    // Without a click.
    await page.getByText('Scans per key').waitFor()

    await page.context().setOffline(true)
    await page.getByLabel('Month', { exact: true }).selectOption({ index: 1 })
    await alert.getByText('The usage could not be loaded.').waitFor()
    await page.context().setOffline(false)
    // Without a click.
    await page.getByText('Scans per key').waitFor()

    await page.goto('/nothing/here')
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
    await checkState(page, 'an unknown address')
    await close(page)
  })

  test('a long history is saved up to its limit, and says so', async () => {
    const page = await dashboard.openAccount('/scan')
    await page.getByRole('button', { name: 'Try the EICAR test file' }).click()
    await page.getByText('Harmless test file', { exact: true }).waitFor()
    await follow(page, 'History')
    await page.getByRole('link', { name: /eicar/i }).waitFor()
    await page.evaluate(MANY_SCANS)
    const save = async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'CSV' }).click(),
      ])
      return (
        readFileSync(await download.path(), 'utf8')
          .trim()
          .split('\r\n').length - 1
      )
    }
    assert.equal(await save(), 10_000)
    await page.getByText('Saved the newest 10,000.').waitFor()
    await page.evaluate('window.scanPages = 100')
    assert.equal(await save(), 10_000)
    assert.equal(await page.getByText('Saved the newest').count(), 0, 'nothing is left out')
    await close(page)
  })

  test('the menu of small screens leads to the pages without a tab', async () => {
    const page = await dashboard.openAccount('/')
    await page.setViewportSize({ width: 360, height: 740 })
    await page.route('**/api/v1/health', (route) => route.fulfill({ status: 503, json: PROBLEM }))
    await page.reload()
    await page.getByText('Scanner not available').waitFor()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Settings' }).isVisible(), false, 'the menu is closed')
    await close(page)
  })

  test('the front page has an outline until its script arrives; the API reference leads back to it', async () => {
    const page = await dashboard.open('/sign-in')
    const held = Promise.withResolvers<void>()
    await page.route('**/assets/front-page-*.js', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.goto('/')
    await page.locator('[aria-busy=true] .animate-pulse').first().waitFor()
    held.resolve()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.goto('/problems')
    await checkState(page, 'problems')
    await page.goto('/findings')
    await checkState(page, 'findings')
    await page.goto('/findings/Docvet.Embedded.Shortcut')
    await page.getByText('It contains a program that looks harmless.').waitFor()
    await page.getByText('If you opened it already').waitFor()
    await checkState(page, 'a finding')
    await page.goto('/findings/Docvet.Test.Eicar')
    await page.getByText('Nothing. It contains the harmless EICAR test file').waitFor()
    assert.equal(await page.getByText('If you opened it already').count(), 0)
    await page.goto('/docs')
    // All operations look alike, and axe takes seconds for hundreds of tables.
    await page.evaluate(KEEP_ONE_OF_EACH)
    await checkState(page, 'API reference')
    assert.match(await page.evaluate<string>('getComputedStyle(document.body).fontFamily'), /^Geist/)
    assert.ok(await page.evaluate('document.fonts.check("14px Geist")'), 'the font is loaded')
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.getByRole('link', { name: 'Create an account' }).waitFor()
    await close(page)
  })

  test('the reference sends requests by keyboard under the session of the reader, and keeps the focus', async () => {
    const page = await dashboard.openAccount('/docs')
    const panel = page.locator('#op-scanDocument details[data-try]')
    await panel.locator('summary').focus()
    await page.keyboard.press('Enter')
    await tabTo(page, 'sample')
    await page.keyboard.press('Tab')
    await page.keyboard.type('inf')
    await tabTo(page, 'Send request')
    await page.keyboard.press('Enter')
    await panel.getByText('"Docvet.Test.Eicar"').waitFor()
    assert.equal(await page.evaluate<string>('document.activeElement.textContent.slice(0, 40)'), 'Send request')
    await close(page)
  })
})
