/** Sign-in pages that are called like their server and offer the account of a company, and phishing pages that add such offers. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

const PORTAL = 'https://portal.uni-lindental.example'
const NAMED = 'https://portal.lindental.example'

const offers = (site: string): string =>
  [
    `https://accounts.google.com/o/oauth2/v2/auth?client_id=1&amp;redirect_uri=${encodeURIComponent(`${site}/google`)}&amp;response_type=code&amp;scope=openid`,
    `https://appleid.apple.com/auth/authorize?client_id=1&amp;redirect_uri=${encodeURIComponent(`${site}/apple`)}&amp;response_type=code`,
    `https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=1&amp;redirect_uri=${encodeURIComponent(`${site}/entra`)}`,
  ]
    .map((link) => `<a href="${link}">Sign in with another account</a>`)
    .join('')

interface Page {
  title?: string
  site?: string
  action?: string
  links?: string
  base?: string
}

function page({ title = 'University of Lindental: courses', site = PORTAL, ...given }: Page): Buffer {
  const { action = `${site}/login`, links = offers(site), base = `<base href="${site}/">` } = given
  const form = `<form action="${action}" method="post"><input type="email" name="m"><input type="password" name="p"></form>`
  const own = `<a href="${site}/reset">Forgot your password?</a>`
  return Buffer.from(
    `<!DOCTYPE html><html><head><title>${title}</title>${base}</head><body>${form}${links}${own}</body></html>`,
  )
}

const isAccused = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ severity }) => severity !== 'notice')

describe('harmless, beside the form of the site itself', () => {
  const pages: Record<string, Page> = {
    'offers of three companies': {},
    'of a site without a hyphen': { title: 'Lindental college', site: NAMED },
    'the name in letters of its language': { title: 'Universität Köln-Süd', site: 'https://uni-koeln-sued.example' },
    'links below the address of the page': { links: '<a href="/help">Help</a>' },
    'profiles of the site': {
      links:
        '<a href="https://www.facebook.com/lindental">Facebook</a><a href="https://www.instagram.com/lindental">Photos</a>',
    },
  }
  for (const [name, given] of Object.entries(pages)) test(name, () => assert.ok(!isAccused(page(given))))
})

describe('phishing, although it adds', () => {
  const pages: Record<string, Page> = {
    'offers that lead back to the site that it copies': { action: 'https://kit.example/collect.php' },
    'offers that lead to the server that it sends to': {
      title: 'Course portal',
      site: 'https://kit-host.example',
    },
    'offers under the name of a company': { title: 'Microsoft 365: sign in', site: 'https://secure-docs.example' },
    'offers of a server with a word of such pages': {
      title: 'Lindental: verify',
      site: 'https://lindental-verify.example',
    },
    'offers of a server that is called portal': {
      title: 'Lindental portal',
      site: 'https://lindental-portal.example',
    },
    'offers that lead to another server': { links: offers('https://kit.example') },
    'profiles beside links to the site that it copies': {
      site: NAMED,
      title: 'Lindental college',
      links:
        '<a href="https://www.facebook.com/lindental">Facebook</a><a href="https://www.lindental.test/">Lindental</a>',
    },
    'profiles, and no link of its own': {
      site: NAMED,
      title: 'Lindental college',
      action: 'https://lindental.test/login',
      links: '<a href="https://www.facebook.com/lindental">Facebook</a>',
    },
  }
  for (const [name, given] of Object.entries(pages)) test(name, () => assert.ok(isAccused(page(given))))
})
