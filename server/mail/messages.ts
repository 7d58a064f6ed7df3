/** Every message that we send, in words. What people chose themselves never stands in a subject. */
import { type Message, write } from './letter.ts'

/** As long as a key's name may be. */
export const SHOWN_NAME_LENGTH_MAX = 100

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu
/** What mail programs turn into a link by themselves: our messages link only to our own address. */
const LINK_LIKE = /:(?=\/\/)|\.(?=[\p{L}\p{N}-]*\p{L}{2})/gu

/** A name that somebody chose, on one line and without anything that could be taken for ours. */
function shownName(name: string): string {
  const visible = name.replace(INVISIBLE, ' ').trim()
  const characters = [...visible]
  const cut =
    characters.length > SHOWN_NAME_LENGTH_MAX ? `${characters.slice(0, SHOWN_NAME_LENGTH_MAX).join('')}…` : visible
  return `"${cut.replaceAll('"', "'").replace(LINK_LIKE, '[$&]')}"`
}

/** `2026-11-15 06:30 UTC` */
const shownTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`

const shownNumber = (value: number): string => value.toLocaleString('en-US')

const MADE_BY_DOCVET = 'This message was sent by Docvet. Nobody reads answers to it.'

export interface PasswordReset {
  link: string
  /** How long the link works. */
  minutes: number
}

export function passwordReset({ link, minutes }: PasswordReset): Message {
  return write({
    subject: 'Choose a new password for Docvet',
    paragraphs: [
      'Somebody, most likely you, asked for a new password for your Docvet account.',
      { label: 'Choose a new password', link },
      `The link works once, and for ${minutes} minutes. If you ask again, only the newest link works.`,
      'If you did not ask for this, you need not do anything: your password stays as it is.',
      MADE_BY_DOCVET,
    ],
  })
}

export interface PasswordChanged {
  /** Milliseconds since 1970, here and below. */
  at: number
  publicUrl: string
}

export function passwordChanged({ at, publicUrl }: PasswordChanged): Message {
  return write({
    subject: 'Your Docvet password was changed',
    paragraphs: [
      `The password of your Docvet account was changed on ${shownTime(at)}. Whoever was signed in has been signed out.`,
      'If that was you, all is well.',
      'If it was not you, ask for a new password on the sign-in page now, and revoke API keys that you do not know.',
      { label: 'Go to Docvet', link: publicUrl },
      MADE_BY_DOCVET,
    ],
  })
}

export interface KeyCreated {
  name: string
  lastFour: string
  at: number
  publicUrl: string
}

export function keyCreated({ name, lastFour, at, publicUrl }: KeyCreated): Message {
  return write({
    subject: 'A new API key for your Docvet account',
    paragraphs: [
      `A new API key was created for your Docvet account on ${shownTime(at)}.`,
      `Its name is ${shownName(name)}, and it ends in ${lastFour}.`,
      'If that was not you or somebody you work with, revoke the key and choose a new password.',
      { label: 'Go to Docvet', link: publicUrl },
      MADE_BY_DOCVET,
    ],
  })
}

export interface UsageReached {
  /** Per cent of the quota. */
  share: 75 | 90 | 100
  keyName: string
  lastFour: string
  used: number
  quota: number
  /** The UTC calendar month, `2026-11`. */
  period: string
  publicUrl: string
}

export function usageReached({ share, keyName, lastFour, used, quota, period, publicUrl }: UsageReached): Message {
  const spent = share === 100
  return write({
    subject: spent ? 'The scans of an API key are used up' : `An API key has used ${share} % of its scans`,
    paragraphs: [
      `The API key ${shownName(keyName)}, which ends in ${lastFour}, has used ${shownNumber(used)} of its ` +
        `${shownNumber(quota)} scans for ${period}. That is ${share} %.`,
      spent
        ? 'Until the month ends (UTC), further scans with this key are refused. Nothing else stops working.'
        : 'When all are used, further scans with this key are refused until the month ends (UTC).',
      { label: 'Go to Docvet', link: publicUrl },
      MADE_BY_DOCVET,
    ],
  })
}
