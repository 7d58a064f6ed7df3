/** Mails in the name of a company, and honest ones that name it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

const IMPERSONATION = 'Docvet.Link.Impersonation'
const mail = (from: string, html: string, encoded = false): Buffer => {
  const body = `<html><body>${html}</body></html>`
  const head = `From: ${from}\r\nTo: b@example.org\r\nSubject: Notice\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n`
  return Buffer.from(
    encoded
      ? `${head}Content-Transfer-Encoding: base64\r\n\r\n${Buffer.from(body).toString('base64')}\r\n`
      : `${head}\r\n${body}\r\n`,
  )
}
const link = (target: string, shown: string): string => `<a href="${target}">${shown}</a>`
const isMet = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ id }) => id === IMPERSONATION)

const LOCKED = '<p>Update your two-factor authentication. Accounts will be locked today.</p>'

suite('in the name of a company', () => {
  const mails: Record<string, Buffer> = {
    'shows its address, and asks for keys': mail(
      '"Airbnb" <noreply@host-cases.example>',
      `<p>A guest has complained.</p>${link('https://stay-cases.example/c?id=1', 'https://www.airbnb.com/resolutions/1')}<p>Then press Windows + R and Ctrl + V.</p>`,
    ),
    'shows its address, and asks for keys, in German': mail(
      'Airbnb <noreply@host-cases.example>',
      `<p>Ein Gast beschwert sich.</p>${link('https://stay-cases.example/c?id=1', 'www.airbnb.com/resolutions')}<p>Windows-Taste + R, dann Strg + V.</p>`,
      true,
    ),
    'shows its address, and asks for a card': mail(
      'Airbnb <noreply@host-cases.example>',
      `<p>Confirm your card number.</p>${link('https://stay-cases.example/c?id=1', 'https://www.airbnb.com/resolutions/1')}`,
    ),
    'shows its address, and leads to a host that poses as it': mail(
      'Netflix <info@notes.example>',
      `<p>Your account is suspended. Pay today.</p>${link('https://netflix-billing.example/a', 'https://www.netflix.com/account')}`,
    ),
    'is called like it, with a host of its name and a pretext': mail(
      'PyPI Support <no-reply@pypi-help.example>',
      `${LOCKED}${link('https://www.pypi-help.example/2fa', 'Update')}`,
    ),
    'is called by another name of it': mail(
      'npm <no-reply@npmjs-service.example>',
      `${LOCKED}${link('https://npmjs-service.example/2fa', 'Update')}`,
      true,
    ),
  }
  for (const [name, bytes] of Object.entries(mails)) test(name, () => assert.ok(isMet(bytes)))
})

suite('is none', () => {
  const KEYS = '<p>Press Windows + R and Ctrl + V.</p>'
  const mails: Record<string, Buffer> = {
    'of the company itself': mail(
      'Airbnb <noreply@airbnb.com>',
      `${KEYS}${link('https://click.mailer.example/a', 'https://www.airbnb.com/resolutions/1')}`,
    ),
    'of a newsletter whose clicks are counted': mail(
      'Travel news <news@travel.example>',
      `<p>Sign in today to save your booking.</p>${link('https://click.travel.example/ls/click?upn=0123456789abcdef0123456789', 'https://www.airbnb.com/')}`,
    ),
    'of a firm that names a company': mail(
      'Greenfield for Netflix fans <news@netflix-fans.example>',
      `${LOCKED}${link('https://netflix-fans.example/a', 'Read')}`,
    ),
    'of a partner with more in its name': mail(
      'Greenfield, DocuSign partner <hello@docusign-service.example>',
      `${LOCKED}${link('https://docusign-service.example/a', 'Read')}`,
    ),
    'of an airline that names an office and asks for passports': mail(
      'Greenfield Air <info@greenfield-air.example>',
      `<p>Please enter your passport number and card number before you fly today.</p>${link('https://go.greenfield-mailing.example/a', 'https://www.gov.uk/visas')}`,
    ),
    'of a shop with a common word as its name': mail(
      'Orange <info@orange-house.example>',
      `${LOCKED}${link('https://orange-house.example/a', 'Read')}`,
    ),
    'that urges to nothing': mail(
      'PyPI <no-reply@pypi-help.example>',
      `<p>Our guide has a new chapter.</p>${link('https://pypi-help.example/a', 'Read')}`,
    ),
    'that warns of one': mail(
      'Security <security@greenfield.example>',
      `<p>Warning: attackers trick their victims with this mail.</p>${KEYS}${link('https://stay-cases.example/c', 'https://www.airbnb.com/resolutions/1')}`,
    ),
  }
  for (const [name, bytes] of Object.entries(mails)) test(name, () => assert.ok(!isMet(bytes)))
})
