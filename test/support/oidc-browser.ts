/** A browser that signs in with a provider, step by step, so that a test can change each step. */

import assert from 'node:assert/strict'
import { type Answer, request } from '#test/support/raw-http.ts'

export const PUBLIC_URL = 'https://docvet.example'
const START = '/api/v1/auth/oidc'
const HOPS_MAX = 10

type Jar = Map<string, string>

function keep(jar: Jar, answer: Answer): void {
  for (const [name, value] of answer.rawHeaders) {
    if (name.toLowerCase() !== 'set-cookie') continue
    const [, key = '', content = ''] = /^([^=]+)=([^;]*)/.exec(value) ?? []
    if (/max-age=0/i.test(value) || /expires=Thu, 01 Jan 1970/i.test(value)) jar.delete(key)
    else jar.set(key, content)
  }
}

const cookies = (jar: Jar): Record<string, string> =>
  jar.size === 0 ? {} : { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') }

const SESSION = '__Host-docvet_session'

export type OidcBrowser = ReturnType<typeof openBrowser>

export function openBrowser(port: number, jar: Jar = new Map()) {
  const atProvider: Jar = new Map()

  async function ask(method: string, path: string, body?: unknown, at = port): Promise<Answer> {
    const headers = { ...cookies(jar), ...(method === 'GET' ? {} : { origin: PUBLIC_URL }) }
    const answer = await request(at, method, path, { headers, body })
    keep(jar, answer)
    return answer
  }

  const browser = {
    jar,
    ask,
    session: (): string | null => jar.get(SESSION) ?? null,
    me: (at = port) => ask('GET', '/api/v1/auth/me', undefined, at),
    forgetProvider: () => atProvider.clear(),

    /** The URL at the provider. */
    async begin(id: string, returnTo?: string): Promise<string> {
      const query = returnTo === undefined ? '' : `?${new URLSearchParams({ returnTo })}`
      const answer = await ask('GET', `${START}/${id}/start${query}`)
      assert.equal(answer.status, 302, answer.body)
      return answer.headers.location ?? ''
    },

    /** Through a request of a page: to sign in with an invite, to add a provider, to confirm. */
    async beginAs(purpose: 'start' | 'link' | 'confirm', id: string, body: object = {}): Promise<string> {
      const answer = await ask('POST', `${START}/${id}/${purpose}`, body)
      assert.equal(answer.status, 200, answer.body)
      return (answer.json() as { url: string }).url
    },

    /** Signs in there, and returns the path of the callback. */
    async visit(url: string): Promise<string> {
      let next = new URL(url)
      for (let hop = 0; hop < HOPS_MAX; hop++) {
        if (next.origin === PUBLIC_URL) return next.pathname + next.search
        const answer = await request(Number(next.port), 'GET', next.pathname + next.search, {
          headers: cookies(atProvider),
        })
        keep(atProvider, answer)
        assert.ok(answer.headers.location, `${answer.status} ${answer.body.slice(0, 500)}`)
        next = new URL(answer.headers.location, next)
      }
      return assert.fail('too many redirects')
    },

    /** Where the browser ends up. */
    async finish(path: string, at = port): Promise<string> {
      const answer = await ask('GET', path, undefined, at)
      assert.equal(answer.status, 302, answer.body)
      return answer.headers.location ?? ''
    },

    async signIn(id: string, returnTo?: string): Promise<string> {
      return await browser.finish(await browser.visit(await browser.begin(id, returnTo)))
    },
  }
  return browser
}
