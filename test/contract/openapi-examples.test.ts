/** Runs every curl example of /openapi.json against the running service. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { Database } from '#storage/database.ts'
import { asPage, type Person, postAuth, signUpPerson } from '#test/support/auth-client.ts'
import { type ChatServer, chatSettings, startChatServer } from '#test/support/chat-server.ts'
import { createKey, newEmail, signUp, withKey } from '#test/support/client.ts'
import { type Description, operationsOf } from '#test/support/described.ts'
import { type ForgingProvider, startForgingProvider } from '#test/support/forging-provider.ts'
import { resolve, viewIn } from '#test/support/marketplace-client.ts'
import { INVITATIONS, memberRig } from '#test/support/members.ts'
import { resetLinkIn, untilMail } from '#test/support/outbox.ts'
import { request } from '#test/support/raw-http.ts'
import { scan, scanned } from '#test/support/scanning.ts'
import { openPlace } from '#test/support/seed.ts'
import { findProgram, type Service, startService } from '#test/support/service.ts'

const run = promisify(execFile)

/** Needs a token that only the marketplace can sign. */
const MARKETPLACE_ONLY = '/api/v1/marketplace/webhook'
/** Needs an operator; operator.test.ts calls it. */
const OPERATOR = '/api/v1/operator/commands'
/** Need what an authenticator signs; passkeys.test.ts calls them. */
const isOfPasskeys = (path: string): boolean => path.startsWith('/api/v1/auth/passkeys')

let peer: ChatServer
let forger: ForgingProvider
let service: Service
before(async () => {
  peer = await startChatServer()
  forger = await startForgingProvider('docvet')
  const own = { id: 'own', name: 'Own', issuer: forger.url, clientId: 'docvet', clientSecret: 'a-secret' }
  const providers = { DOCVET_OIDC_PROVIDERS: JSON.stringify([own]) }
  service = await startService({ ...chatSettings(peer), ...providers, DOCVET_OUTBOUND_ALLOW: '127.0.0.1' })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await peer[Symbol.asyncDispose]()
  await forger[Symbol.asyncDispose]()
})

describe('every curl example works', () => {
  test('in bash, with its variables set and a session in cookies.txt', async (t) => {
    assert.ok(findProgram(['curl']), 'curl is not installed, and the examples are for curl: apt-get install curl')
    assert.ok(findProgram(['bash']), 'bash is not installed, and the examples are for a shell: apt-get install bash')
    const description = (await request(service.port, 'GET', '/openapi.json')).json() as Description
    const isRun = (path: string) => path !== MARKETPLACE_ONLY && path !== OPERATOR && !isOfPasskeys(path)
    for (const { operation: each } of operationsOf(description).filter(({ path }) => isRun(path))) {
      const { operationId, responses, 'x-codeSamples': samples } = each
      assert.ok(samples.length > 0, `${operationId} has no example`)
      for (const { source } of samples) {
        await t.test(operationId, async () => {
          const { apiKey } = await signUp(service.port)
          const { id } = await createKey(service.port, apiKey)
          const document = path.join(service.dataDir, 'a document.txt')
          writeFileSync(document, 'Good morning')
          const person = await signUpPerson(service.port)
          writeFileSync(path.join(service.dataDir, 'cookies.txt'), cookieFile(person.cookie))
          if (source.includes('$SHA256'))
            await request(service.port, 'PUT', `/api/v1/allowed/${'a'.repeat(64)}`, {
              headers: withKey(apiKey),
              body: {},
            })
          const variables: Record<string, string> = {
            DOCVET_URL: service.url,
            DOCVET_KEY: apiKey,
            KEY_ID: id,
            SHA256: 'a'.repeat(64),
            FINDING_ID: 'Docvet.Test.Eicar',
            PERIOD: '2026-11',
            PROVIDER: 'own',
            ...(/IDENTITY_ID|UNDO_TOKEN/.test(source) && (await identityOf(person))),
            ...(source.includes('SCAN_ID') && { SCAN_ID: scanned(await scan(service.port, apiKey, 'Hi')).scanId }),
            ...(source.includes('SESSION_ID') && { SESSION_ID: await sessionOf(person.cookie) }),
            DOCUMENT: document,
            WEBHOOK_URL: `${service.url}/docs`,
            ...(/WEBHOOK_ID|DELIVERY_ID/.test(source) && (await callback(apiKey))),
            DOCUMENT_URL: `${service.url}/docs`,
            ...(source.includes('/marketplace/') && (await purchase(person.cookie))),
            ...(/\/members|\/invitations|accept-invitation|\/auth\/act/.test(source) && (await teamOf(person, source))),
            ...(source.includes('RESET_TOKEN') && { RESET_TOKEN: await resetToken(person.email) }),
          }
          const { status, output } = await runExample(source, variables)
          const good = Object.keys(responses).find((code) => code < '400')
          assert.equal(status, good, output)
        })
      }
    }
  })
})

/** The commands of "Start here", pasted one after the other. */
test('the first steps on /docs work as pasted', async () => {
  const page = (await request(service.port, 'GET', '/docs')).body
  const section = page.slice(page.indexOf('id="start"'), page.indexOf('id="programs"'))
  const commands = [...section.matchAll(/<pre><code>(.*?)<\/code><\/pre>/gs)].map(([, code = '']) => unescaped(code))
  assert.equal(commands.length, 5)
  const [signUpCommand = '', readKey = '', ...rest] = commands
  const fresh = signUpCommand.replace('ada@example.com', newEmail())
  const { apiKey } = JSON.parse((await runExample(fresh, {})).output.split('\n', 1)[0] ?? '')
  assert.equal(readKey, 'read -rs DOCVET_KEY && export DOCVET_KEY')
  const bodies = []
  for (const command of rest) {
    const { status, output } = await runExample(command, { DOCVET_KEY: apiKey })
    assert.equal(status, '200', output)
    bodies.push(JSON.parse(output.split('\n', 1)[0] ?? ''))
  }
  const [usage, clean, infected] = bodies
  assert.equal(usage.scansUsed, 0)
  assert.deepEqual([clean.status, clean.fileName], ['clean', 'hello.txt'])
  assert.deepEqual([infected.status, infected.threat], ['infected', 'Docvet.Test.Eicar'])
})

const unescaped = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

/** An endpoint, and a callback to it. */
async function callback(apiKey: string): Promise<{ WEBHOOK_ID: string; DELIVERY_ID: string }> {
  const post = async (path: string, body?: object) => {
    const answer = await request(service.port, 'POST', path, { headers: withKey(apiKey), ...(body && { body }) })
    return (answer.json() as { id: string }).id
  }
  const id = await post('/api/v1/webhooks', { url: `${service.url}/docs` })
  return { WEBHOOK_ID: id, DELIVERY_ID: await post(`/api/v1/webhooks/${id}/test`) }
}

/** A purchase in the sandbox, already resolved by this account. */
async function purchase(cookie: string): Promise<{ MARKETPLACE_TOKEN: string; SUBSCRIPTION_ID: string }> {
  const sold = await request(service.port, 'POST', '/sandbox/purchases', { body: { planId: 'pro' } })
  const { token, subscriptionId } = sold.json() as { token: string; subscriptionId: string }
  viewIn(await resolve(service.port, cookie, token))
  return { MARKETPLACE_TOKEN: token, SUBSCRIPTION_ID: subscriptionId }
}

/** A way to sign in that the account has, and the token of the mail about it. */
async function identityOf({ cookie, email }: Person): Promise<{ IDENTITY_ID: string; UNDO_TOKEN: string }> {
  const begun = await asPage(service.port, cookie, 'POST', '/api/v1/auth/oidc/own/link', {})
  const { searchParams } = new URL((begun.json() as { url: string }).url)
  forger.claims = { nonce: searchParams.get('nonce'), sub: email }
  const cookies = `${cookie}; ${begun.headers['set-cookie']?.split(';')[0]}`
  const callback = `/api/v1/auth/oidc/own/callback?code=c&state=${searchParams.get('state')}`
  await request(service.port, 'GET', callback, { headers: { cookie: cookies } })
  const { items } = (await asPage(service.port, cookie, 'GET', '/api/v1/auth/identities')).json() as {
    items: { id: string }[]
  }
  const [, token = ''] = /#token=([\w-]+)/.exec(await untilMail(service, email, /undo-sign-in/)) ?? []
  return { IDENTITY_ID: items[0]?.id ?? '', UNDO_TOKEN: token }
}

/** A member and an invitation of the person's account, and an account that has invited the person, who is in a third one. */
async function teamOf(person: Person, source: string): Promise<Record<string, string>> {
  const database = await openPlace({ url: null, dataDir: service.dataDir })
  try {
    return await teamIn(database, person, source)
  } finally {
    await database.close()
  }
}

async function teamIn(database: Database, { cookie, email }: Pick<Person, 'cookie' | 'email'>, source: string) {
  const rig = memberRig(service, database)
  await rig.prove(email)
  const owner = { cookie, id: await rig.idOf(email) }
  const [member, third] = [await rig.person(), await rig.person()]
  // Only who has an empty account can accept the ownership of another.
  if (source.includes('/members/')) await rig.accept(member, await rig.invite(owner, member.email))
  const invited = await rig.ask(owner, 'POST', INVITATIONS, { email: newEmail(), role: 'viewer' })
  await rig.accept(owner, await rig.invite(third, email))
  if (source.includes('/transfer')) {
    await rig.ask(third, 'POST', `/api/v1/members/${owner.id}/transfer`)
    if (source.includes('DELETE')) await rig.ask(owner, 'POST', `/api/v1/members/${member.id}/transfer`)
  }
  await rig.ask(await rig.person(), 'POST', INVITATIONS, { email, role: 'viewer' })
  return {
    ...{ MEMBER_ID: member.id, INVITATION_ID: (invited.json() as { id: string }).id, ACCOUNT_ID: third.id },
    INVITATION_TOKEN: await rig.tokenFor(email, 2),
  }
}

async function sessionOf(cookie: string): Promise<string> {
  const { items } = (await asPage(service.port, cookie, 'GET', '/api/v1/auth/sessions')).json() as {
    items: { id: string }[]
  }
  return items[0]?.id ?? ''
}

/** The format of curl. */
function cookieFile(cookie: string): string {
  return ['#HttpOnly_127.0.0.1', 'FALSE', '/', 'FALSE', '0', ...cookie.split('=')].join('\t')
}

async function resetToken(email: string): Promise<string> {
  assert.equal((await postAuth(service.port, 'forgot-password', { email })).status, 202)
  return await resetLinkIn(service, email)
}

/** An unset variable is an error. */
async function runExample(source: string, variables: Record<string, string>) {
  const quiet = `curl() { command curl --silent --show-error --max-time 10 --write-out '\\n%{http_code}' "$@"; }`
  const env = { PATH: process.env.PATH, ...variables }
  const { stdout } = await run('bash', ['-euc', `${quiet}\n${source}`], { env, cwd: service.dataDir })
  const lines = stdout.split('\n')
  return { status: lines.at(-1), output: stdout }
}
