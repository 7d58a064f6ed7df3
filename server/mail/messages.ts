/** The text of every mail. Subjects never contain text chosen by users. */
import { type Message, render } from './render.ts'

/** The maximum length of a key name. */
export const SHOWN_NAME_LENGTH_MAX = 100

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu
/** Text that mail clients turn into links; our mail links only to the public URL. */
const LINK_LIKE = /:(?=\/\/)|\.(?=[\p{L}\p{N}-]*\p{L}{2})/gu

/** A name chosen by a user: quoted, on one line, without anything that looks like a link. */
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

const FOOTER = 'This message was sent by Docvet. Replies to this address are not monitored.'

export interface PasswordReset {
  link: string
  minutes: number
}

export function passwordReset({ link, minutes }: PasswordReset): Message {
  return render({
    subject: 'Choose a new password for Docvet',
    paragraphs: [
      'We received a request to reset the password of your Docvet account.',
      { label: 'Choose a new password', link },
      `The link works once and expires after ${minutes} minutes. A newer link replaces it.`,
      'If you did not request this, ignore this message. Your password has not changed.',
      FOOTER,
    ],
  })
}

export interface PasswordChanged {
  /** Milliseconds since the Unix epoch. */
  at: number
  publicUrl: string
}

export function passwordChanged({ at, publicUrl }: PasswordChanged): Message {
  return render({
    subject: 'Your Docvet password was changed',
    paragraphs: [
      `The password of your Docvet account was changed on ${shownTime(at)}. All devices were signed out.`,
      'If you made this change, you do not need to do anything.',
      'If you did not, reset your password on the sign-in page now and revoke any API keys you do not recognise.',
      { label: 'Go to Docvet', link: publicUrl },
      FOOTER,
    ],
  })
}

export interface KeyCreated extends PasswordChanged {
  name: string
  lastFour: string
}

export function keyCreated({ name, lastFour, at, publicUrl }: KeyCreated): Message {
  return render({
    subject: 'A new API key for your Docvet account',
    paragraphs: [
      `A new API key was created for your Docvet account on ${shownTime(at)}.`,
      `Its name is ${shownName(name)}, and it ends in ${lastFour}.`,
      'If you or your team did not create it, revoke the key and change your password.',
      { label: 'Go to Docvet', link: publicUrl },
      FOOTER,
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
  /** The UTC calendar month, for example `2026-11`. */
  period: string
  publicUrl: string
}

export function usageReached({ share, keyName, lastFour, used, quota, period, publicUrl }: UsageReached): Message {
  const isExhausted = share === 100
  return render({
    subject: isExhausted ? 'An API key has used all of its scans' : `An API key has used ${share} % of its scans`,
    paragraphs: [
      `The API key ${shownName(keyName)}, which ends in ${lastFour}, has used ${shownNumber(used)} of its ` +
        `${shownNumber(quota)} scans for ${period}. That is ${share} %.`,
      isExhausted
        ? 'Further scans with this key are rejected until the month ends (UTC). All other requests still work.'
        : 'When all scans are used, further scans with this key are rejected until the month ends (UTC).',
      { label: 'Go to Docvet', link: publicUrl },
      FOOTER,
    ],
  })
}
