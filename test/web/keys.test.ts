/** API keys, callbacks and the assistant in the dashboard, and their states while the API fails. */

import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkForced, checkState, close, useDashboard } from '#test/support/browser.ts'
import { type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { listKeys, withKey } from '#test/support/client.ts'
import { request } from '#test/support/raw-http.ts'
import { freePort } from '#test/support/service.ts'
import { needs } from '#test/support/suite.ts'

const chatPort = await freePort()
const receiverPort = await freePort()

const PROBLEM = {
  type: 'about:blank',
  title: 'Storage unavailable',
  status: 503,
  detail: 'The service cannot reach its storage at the moment. Try again shortly.',
  code: 'storage_unavailable',
  requestId: '00000000-0000-4000-8000-000000000000',
}

const saying = (reply: string) => ({ kind: 'text', text: JSON.stringify({ onTopic: true, reply }) }) as const

/** Not only for screen readers. */
const IS_SEEN = (element: { offsetWidth: number }) => element.offsetWidth > 1

describe('API keys and the assistant in the dashboard', needs('chromium'), () => {
  let chat: ChatServer
  before(async () => {
    chat = await startChatServer(chatPort)
  })
  after(() => chat[Symbol.asyncDispose]())
  const dashboard = useDashboard({
    ...chatSettings({ url: `http://127.0.0.1:${chatPort}/v1` }),
    DOCVET_OUTBOUND_ALLOW: `127.0.0.1:${receiverPort}`,
  })

  async function openKeys(): Promise<Page> {
    const page = await dashboard.openAccount('/keys')
    await page.getByText('No keys yet').waitFor()
    return page
  }

  test('a key is shown once, works, and fails after it is revoked', async () => {
    const { port } = dashboard.service
    const page = await openKeys()
    await checkState(page, 'no keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    const dialog = page.getByRole('dialog')
    await checkState(page, 'create a key')
    await checkForced(page, 'create a key')
    await dialog.getByLabel('Name').fill('Invoice upload')
    const isChecked = (label: string) => dialog.getByLabel(label, { exact: true }).isChecked()
    assert.deepEqual(
      [await isChecked('Scan'), await isChecked('Read'), await isChecked('Manage')],
      [true, false, false],
    )
    await dialog.getByLabel('Scan', { exact: true }).uncheck()
    await dialog.getByText('Choose at least one.').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Create key' }).isDisabled(), true)
    await dialog.getByLabel('Scan', { exact: true }).check()
    await dialog.getByLabel('Manage', { exact: true }).check()
    await dialog.getByLabel('Expires').selectOption('In 90 days')
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8, nowhere')
    await dialog.getByRole('button', { name: 'Create key' }).click()
    await dialog.getByText('Each must be an IP address').waitFor()
    await checkState(page, 'a key with a wrong address')
    await dialog.getByLabel('Allowed addresses').fill('127.0.0.0/8, ::1')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'Copy key')
    await page.keyboard.press('Escape')
    await checkState(page, 'a new key')
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await dialog.getByRole('button', { name: 'Copy key' }).click()
    assert.equal(await dialog.getByText('Select the text instead.').evaluate(IS_SEEN), true)
    await checkState(page, 'a key that cannot be copied')
    let secret = (await dialog.locator('code').textContent()) ?? ''
    assert.match(secret, /^dv_live_\w{38}$/)
    const use = async () => (await request(port, 'GET', '/api/v1/usage', { headers: withKey(secret) })).status
    assert.equal(await use(), 200)

    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('row', { name: /Invoice upload/ }).waitFor()
    assert.ok(!(await page.content()).includes(secret))
    await page.getByText('May scan, manage; expires').waitFor()
    await page.getByText('only from 127.0.0.0/8, ::1').waitFor()
    await checkState(page, 'a list of keys')

    const [{ id: keyId } = { id: '' }] = await listKeys(port, secret)
    await page.getByRole('link', { name: 'Connect', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Nextcloud', exact: true }).click()
    await page
      .getByLabel('Nextcloud: Docvet, code 1')
      .getByText(`DOCVET_CLAMD_LISTEN=tcp://127.0.0.1:3310?key=${keyId}`)
      .waitFor()
    await checkState(page, 'recipes with the id of the key')
    await page.goBack()

    await page.reload()
    await page.getByText('127.0.0.1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Roll Invoice upload' }).click()
    assert.equal(await page.locator(':focus').textContent(), 'Keep the secret')
    await checkState(page, 'roll a key')
    await dialog.getByRole('button', { name: 'Roll key' }).click()
    await page.getByRole('heading', { name: 'Copy your key now' }).waitFor()
    const rolled = (await dialog.locator('code').textContent()) ?? ''
    assert.notEqual(rolled, secret)
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByText('(old secret)').waitFor()
    await checkState(page, 'a key with an old secret')
    assert.equal(await use(), 200)
    await page.getByRole('button', { name: 'Revoke the old secret of Invoice upload' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked', { exact: true }).waitFor()
    assert.equal(await use(), 401)
    secret = rolled

    await page.getByRole('button', { name: 'Revoke Invoice upload' }).click()
    const alert = page.getByRole('alertdialog')
    await alert.getByText('This cannot be undone.').waitFor()
    assert.equal(await page.locator(':focus').textContent(), 'Keep key')
    await checkState(page, 'revoke a key')
    await page.keyboard.press('Escape')
    await alert.waitFor({ state: 'detached' })
    assert.equal(await use(), 200)

    await page.getByRole('button', { name: 'Revoke Invoice upload' }).click()
    const keys = await request(port, 'GET', '/api/v1/keys', { headers: withKey(secret) })
    const [{ id }] = (keys.json() as { id: string; status: string }[]).filter(
      ({ status }) => status === 'active',
    ) as unknown as [{ id: string }]
    await request(port, 'DELETE', `/api/v1/keys/${id}`, { headers: withKey(secret) })
    // Already revoked elsewhere.
    await alert.getByRole('button', { name: 'Revoke key' }).click()
    await page.getByText('Revoked', { exact: true }).nth(1).waitFor()
    await alert.waitFor({ state: 'detached' })
    assert.equal(await page.locator(':focus').getAttribute('id'), 'main')
    await checkState(page, 'a revoked key')
    assert.equal(await use(), 401)
    await close(page)
  })

  test('callbacks: added, tried, changed, repeated and deleted', async () => {
    const received: { id: string; body: string; signatures: number }[] = []
    let status = 200
    const receiver = createServer(async (incoming, response) => {
      const body = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>)).toString()
      const signatures = String(incoming.headers['webhook-signature']).split(' ').length
      received.push({ id: String(incoming.headers['webhook-id']), body, signatures })
      response.writeHead(status).end()
    }).listen(receiverPort, '127.0.0.1')
    const page = await dashboard.openAccount('/callbacks')
    await page.getByText('No endpoints yet').waitFor()
    await checkState(page, 'no endpoints')

    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('URL').fill('https://127.0.0.1/hook')
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('Callbacks go to https URLs on the public internet').waitFor()
    await checkState(page, 'an endpoint that is not allowed')
    await dialog.getByLabel('URL').fill(`http://127.0.0.1:${receiverPort}/hook?token=5ecre7`)
    await dialog.getByLabel('Description').fill('Upload service')
    await dialog.getByLabel('A scan has failed').uncheck()
    await dialog.getByLabel('A scan has a result').uncheck()
    await dialog.getByText('Choose at least one.').waitFor()
    assert.equal(await dialog.getByRole('button', { name: 'Add endpoint' }).isDisabled(), true)
    await dialog.getByLabel('A scan has a result').check()
    await dialog.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('heading', { name: 'Copy your signing secret now' }).waitFor()
    const secret = (await dialog.locator('code').textContent()) ?? ''
    assert.match(secret, /^whsec_/)
    await checkState(page, 'a new signing secret')
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    await page.getByRole('link', { name: 'Upload service' }).waitFor()
    assert.ok(!(await page.content()).includes(secret))
    assert.ok(!(await page.content()).includes('5ecre7'))
    await checkState(page, 'a list of endpoints')

    await page.getByRole('link', { name: 'Upload service' }).click()
    await page.getByText('No deliveries yet').waitFor()
    await page.getByText('results', { exact: true }).waitFor()
    await checkState(page, 'an endpoint without deliveries')
    // By keyboard alone, from the test to the body.
    await page.getByRole('button', { name: 'Send test' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Delivered', { exact: true }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Attempted once: status 200').waitFor()
    await page.getByLabel('Body of webhook.test').getByText('"type": "webhook.test"').waitFor()
    assert.deepEqual([received.length, received[0]?.signatures], [1, 2])
    await checkState(page, 'a delivery with its body')

    status = 410
    await page.getByRole('button', { name: 'Send again' }).click()
    await page.getByText('Failed', { exact: true }).waitFor()
    assert.equal(received[1]?.id, received[0]?.id)
    await page.reload()
    await page.getByText('Off: it answered that it is gone').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Send test' }).isDisabled(), true)
    await checkState(page, 'an endpoint that is gone')
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByText('On', { exact: true }).waitFor()

    await page.getByRole('button', { name: 'New signing secret' }).click()
    assert.equal(await page.locator(':focus').textContent(), 'Keep the secret')
    await checkState(page, 'a new secret is asked for')
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    await page.getByRole('heading', { name: 'Copy your signing secret now' }).waitFor()
    assert.notEqual(await dialog.locator('code').textContent(), secret)
    await dialog.getByRole('button', { name: 'I have saved it' }).click()
    status = 200
    await page.getByRole('button', { name: 'Send test' }).click()
    await page.getByText('Delivered', { exact: true }).waitFor()
    assert.equal(received.at(-1)?.signatures, 4)

    await page.getByRole('button', { name: 'Change' }).click()
    await dialog.getByLabel('Description').fill('Archive')
    await checkState(page, 'change an endpoint')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Archive' }).waitFor()
    await page.getByText(`http://127.0.0.1:${receiverPort}/hook?…`).waitFor()

    await page.getByRole('button', { name: 'Delete' }).click()
    const alert = page.getByRole('alertdialog')
    await alert.getByText('This cannot be undone.').waitFor()
    await page.keyboard.press('Escape')
    await alert.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete' }).click()
    await alert.getByRole('button', { name: 'Delete endpoint' }).click()
    await page.getByText('No endpoints yet').waitFor()
    await page.goto('/callbacks/019a8b1c-7f4e-7c3a-9d2b-5e6f70819203')
    await page.getByText('There is no such endpoint').waitFor()
    await checkState(page, 'no such endpoint')
    await close(page)
    receiver.closeAllConnections()
    receiver.close()
  })

  test('callbacks that load or fail keep their place and can be read again', async () => {
    const page = await dashboard.openAccount('/callbacks')
    await page.getByText('No endpoints yet').waitFor()
    await page.route('**/api/v1/webhooks', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(PROBLEM) }),
    )
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('The endpoints could not be loaded.').waitFor()
    await checkState(page, 'endpoints could not be loaded')
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No endpoints yet').waitFor()
    await close(page)
  })

  test('while the list loads, its place is kept', async () => {
    const page = await openKeys()
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/keys', async (route) => {
      await asked
      await route.continue()
    })
    await page.reload()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    await checkState(page, 'keys are loading')
    answer()
    await page.getByText('No keys yet').waitFor()
    await close(page)
  })

  test('a failure is shown with its request id and can be retried', async () => {
    const page = await openKeys()
    await page.route('**/api/v1/keys', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(PROBLEM) }),
    )
    await page.reload()
    const alert = page.getByRole('alert')
    await alert.getByText('The keys could not be loaded.').waitFor()
    await alert.getByText(PROBLEM.requestId).waitFor()
    await checkState(page, 'keys could not be loaded')
    await page.unrouteAll()
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('No keys yet').waitFor()
    await close(page)
  })

  test('the theme is kept, also after signing out', async () => {
    const page = await openKeys()
    await page.getByRole('button', { name: 'Switch to dark colours' }).click()
    const background = () => page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    const dark = await background()
    await page.reload()
    assert.equal(await background(), dark)
    await page.getByRole('button', { name: 'Account menu' }).click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('/sign-in')
    assert.equal(await background(), dark)
    await close(page)
  })

  test('a question is asked with the conversation before it, and again after a failure', async () => {
    await chat.behave({ kind: 'status', status: 500 })
    const page = await dashboard.openAccount('/assistant')
    const input = page.getByLabel('Your question')
    await input.fill('What is a verdict?')
    await input.press('Enter')
    const alert = page.getByRole('log').getByRole('alert')
    await alert.getByText('The question was not answered.').waitFor()
    await alert.getByText('Request').waitFor()
    await checkState(page, 'a question without an answer')

    await chat.behave(saying('A verdict is `clean` or `infected`.'))
    await alert.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('A verdict is clean or infected.').waitFor()
    await chat.behave(saying('A scan of a document gives a verdict.'))
    await input.fill('How do I get one?')
    await input.press('Enter')
    await page.getByText('A scan of a document gives a verdict.').waitFor()
    const [asked] = await chat.seen()
    for (const said of ['What is a verdict?', 'A verdict is `clean` or `infected`.', 'How do I get one?'])
      assert.ok(asked?.body.includes(said), said)
    await checkState(page, 'two answers')
    await close(page)
  })

  test('a question is asked of the model before the page knows of it', async () => {
    await chat.behave(saying('A verdict is `clean` or `infected`.'))
    const page = await dashboard.openAccount('/keys')
    let answer = (): void => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/v1/chat/health', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto('/assistant')
    const input = page.getByLabel('Your question')
    await input.fill('What is a verdict?')
    await input.press('Enter')
    await page.getByText('A verdict is clean or infected.').waitFor()
    answer()
    await close(page)
  })

  test('suggested questions that cannot be loaded are reported and can be retried', async () => {
    const page = await dashboard.openAccount('/assistant')
    await page.route('**/api/v1/chat/suggestions', (route) =>
      route.fulfill({ status: 503, contentType: 'application/problem+json', body: JSON.stringify(PROBLEM) }),
    )
    await page.goto('/assistant')
    await page.getByText('The suggested questions could not be loaded.').waitFor()
    await checkState(page, 'suggestions could not be loaded')
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'More questions' }).waitFor()
    await close(page)
  })
})
