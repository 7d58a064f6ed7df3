/** The text of every mail. Subjects never contain text chosen by users. */
import type { NotifyUsage } from '#usage/store.ts'

export interface Message {
  subject: string
  text: string
  html: string
}

/** Text, or a link on a line of its own. */
type Paragraph = string | { label: string; link: string }

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign] as string)

const FOOTER = 'This message was sent by Docvet. Replies to this address are not monitored.'

/** Sets colours only where it sets both text and background. */
const PAGE = 'max-width:34em;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none'
const SMALL = 'font-size:13px;word-break:break-all'

function paragraphText(paragraph: Paragraph): string {
  return typeof paragraph === 'string' ? paragraph : `${paragraph.label}:\n${paragraph.link}`
}

function paragraphHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`
  const link = escapeHtml(paragraph.link)
  // The URL is shown as well, for mail clients without links and for readers who want to check it.
  return `<p><a href="${link}" style="${BUTTON}">${escapeHtml(paragraph.label)}</a></p>\n<p style="${SMALL}">${link}</p>`
}

/** The text and the HTML part from the same paragraphs. */
function render(subject: string, content: readonly Paragraph[]): Message {
  const paragraphs = [...content, FOOTER]
  return {
    subject,
    text: `${paragraphs.map(paragraphText).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0">
<div style="${PAGE}">
${paragraphs.map(paragraphHtml).join('\n')}
</div>
</body>
</html>
`,
  }
}

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

interface Happened {
  /** Milliseconds since the Unix epoch. */
  at: number
  publicUrl: string
}

export function passwordReset({ link, minutes }: { link: string; minutes: number }): Message {
  return render('Choose a new password for Docvet', [
    'We received a request to reset the password of your Docvet account.',
    { label: 'Choose a new password', link },
    `The link works once and expires after ${minutes} minutes. A newer link replaces it.`,
    'If you did not request this, ignore this message. Your password has not changed.',
  ])
}

/** Bounds the mail. */
const KEYS_LISTED_MAX = 20

type ListedKey = { name: string; prefix: string; lastFour: string }

function keyLines(keys: readonly ListedKey[], publicUrl: string): Paragraph[] {
  if (keys.length === 0) return [{ label: 'Go to Docvet', link: publicUrl }]
  const listed = keys.slice(0, KEYS_LISTED_MAX)
  const unlisted = keys.length - listed.length
  return [
    'These API keys still work. Revoke any that you do not recognise:',
    ...listed.map(({ name, prefix, lastFour }) => `${shownName(name)} (${prefix}…${lastFour})`),
    ...(unlisted > 0 ? [`and ${shownNumber(unlisted)} more`] : []),
    { label: 'Revoke API keys', link: `${publicUrl}/keys` },
  ]
}

/** `keys` are the API keys that are still active. */
export function passwordChanged({ at, keys, publicUrl }: Happened & { keys: readonly ListedKey[] }): Message {
  return render('Your Docvet password was changed', [
    `The password of your Docvet account was changed on ${shownTime(at)}. All other devices were signed out.`,
    'If you did not make this change, reset your password on the sign-in page now.',
    ...keyLines(keys, publicUrl),
  ])
}

export function keyCreated({ name, lastFour, at, publicUrl }: Happened & { name: string; lastFour: string }): Message {
  return render('A new API key for your Docvet account', [
    `A new API key was created for your Docvet account on ${shownTime(at)}.`,
    `Its name is ${shownName(name)}, and it ends in ${lastFour}.`,
    'If you or your team did not create it, revoke the key and change your password.',
    { label: 'Go to Docvet', link: publicUrl },
  ])
}

export function keyExpires({
  name,
  lastFour,
  expiresAt,
  publicUrl,
}: {
  name: string
  lastFour: string
  expiresAt: number
  publicUrl: string
}): Message {
  return render('An API key of your Docvet account expires soon', [
    `The API key ${shownName(name)}, which ends in ${lastFour}, expires on ${shownTime(expiresAt)}.`,
    'Requests with it fail from then on. Roll the key to get a new secret; the old one can work beside it for up to 7 days.',
    { label: 'Go to your API keys', link: `${publicUrl}/keys` },
  ])
}

type UsageReached = Omit<Parameters<NotifyUsage>[1], 'keyId'> & { keyName: string; lastFour: string; publicUrl: string }

/** The name is that of the operator's settings. */
export function signInAdded({
  at,
  provider,
  link,
  days,
}: {
  at: number
  provider: string
  link: string
  days: number
}): Message {
  return render('A new way to sign in to your Docvet account', [
    `Sign-in with ${provider} was added to your Docvet account on ${shownTime(at)}.`,
    'If that was you, there is nothing to do. If not, remove it now; this also ends all sessions:',
    { label: 'Remove this way to sign in', link },
    `The link works once and expires after ${days} days. Then change your password.`,
  ])
}

const CHANGES = {
  passkeys_only: {
    subject: 'Only passkeys sign in to your Docvet account now',
    what: 'Passwords and providers stopped signing in to your Docvet account on',
    advice: 'Keep the ten recovery codes that were shown: they are the way back if all passkeys are lost.',
  },
  recovery_used: {
    subject: 'A recovery code was used for your Docvet account',
    what: 'Somebody signed in to your Docvet account with a recovery code on',
    advice: 'The code no longer works. If it was you, add a passkey, and make new codes if few are left.',
  },
} as const

export function signInChanged({ at, what, publicUrl }: Happened & { what: keyof typeof CHANGES }): Message {
  const change = CHANGES[what]
  return render(change.subject, [
    `${change.what} ${shownTime(at)}.`,
    change.advice,
    'If it was not you, end all other sessions and make new recovery codes in the settings, and tell the operator of this service.',
    { label: 'Go to the settings', link: `${publicUrl}/settings` },
  ])
}

/** `keys` were created before, perhaps by somebody else. */
export function addressProven({ at, keys, publicUrl }: Happened & { keys: readonly ListedKey[] }): Message {
  return render('Your Docvet account is now yours alone', [
    `On ${shownTime(at)} you signed in to a Docvet account that had been created with your address before anybody had proven to own it.`,
    'Its password and all of its sessions have ended, because somebody else may have chosen them.',
    ...(keys.length === 0 ? [] : ['Its API keys were created before you proved this address.']),
    ...keyLines(keys, publicUrl),
  ])
}

export function memberInvited({
  account,
  inviter,
  role,
  link,
  days,
}: {
  account: string
  inviter: string
  role: string
  link: string
  days: number
}): Message {
  const whose = account === inviter ? 'their Docvet account' : `the Docvet account of ${shownName(account)}`
  return render('You are invited to a Docvet account', [
    `${shownName(inviter)} invites you to ${whose}, with the role ${role}.`,
    'Docvet scans documents for malware.',
    { label: 'Accept the invitation', link },
    `The link works once, for ${days} days, and only for this e-mail address: forwarding it has no effect.`,
    'If you do not know the sender, ignore this message.',
  ])
}

export function memberJoined({ at, email, role, publicUrl }: Happened & { email: string; role: string }): Message {
  return render('Somebody has joined your Docvet account', [
    `${shownName(email)} has joined your Docvet account on ${shownTime(at)}, with the role ${role}.`,
    'If you did not expect this, remove this person and check your API keys.',
    { label: 'Go to the members', link: `${publicUrl}/members` },
  ])
}

/** Without names: those of files may be secret, and those of threats say little to people. */
export function infectedFound({
  at,
  count,
  isOperator,
  publicUrl,
}: Happened & { count: number | null; isOperator: boolean }): Message {
  const what =
    count === 1
      ? `an infected document on ${shownTime(at)}`
      : `${count === null ? 'infected' : `at least ${shownNumber(count)} infected`} documents since ${shownTime(at)}`
  const where = isOperator ? 'in the accounts of this service' : 'in your account'
  const link = isOperator
    ? { label: 'Look at the scans', link: `${publicUrl}/operator` }
    : { label: 'Look at the reports', link: `${publicUrl}/history?status=infected` }
  return render('Docvet has found infected documents', [
    `Docvet has found ${what} ${where}.`,
    link,
    'The next message comes in an hour at the earliest, and only if more are found.',
    isOperator
      ? 'You get this message because DOCVET_ALERT_MAIL names your address.'
      : `You can switch these messages off: ${publicUrl}/callbacks`,
  ])
}

export function ownershipOffered({
  at,
  owner,
  member,
  isOwner,
  days,
  publicUrl,
}: Happened & { owner: string; member: string; isOwner: boolean; days: number }): Message {
  if (isOwner)
    return render('You offer the ownership of your Docvet account', [
      `Since ${shownTime(at)}, the ownership of your Docvet account is offered to ${shownName(member)}, who has ${days} days to accept.`,
      'Who accepts becomes the owner of everything in the account, and you an admin of it. Until then you can withdraw the offer.',
      'If you did not do this, reset your password on the sign-in page now: that withdraws the offer.',
      { label: 'Go to the members', link: `${publicUrl}/members` },
    ])
  return render('You are offered the ownership of a Docvet account', [
    `${shownName(owner)} offers you the ownership of the Docvet account that you are a member of, since ${shownTime(at)}. You have ${days} days to accept or decline, in the settings.`,
    'You would be responsible for its plan and everything in it. It would take the place of your own account, which must be empty.',
    'If you do nothing, everything stays as it is.',
    { label: 'Go to the settings', link: `${publicUrl}/settings` },
  ])
}

export function ownerChanged({
  at,
  owner,
  former,
  isOwner,
  publicUrl,
}: Happened & { owner: string; former: string; isOwner: boolean }): Message {
  const kept = 'The account keeps its plan, marketplace subscription, API keys, reports, callbacks and members.'
  const link = { label: 'Go to Docvet', link: publicUrl }
  if (!isOwner)
    return render('Your Docvet account has a new owner', [
      `${shownName(owner)} is the owner of your former Docvet account since ${shownTime(at)}, because your offer was accepted. You are an admin of it now.`,
      `${kept} You have a new, empty account of your own: sign in again with your address. Your devices were signed out.`,
      'If you did not do this, reset your password on the sign-in page now, and tell the operator of this service.',
      link,
    ])
  return render('You are the owner of a Docvet account', [
    `${shownName(former)} offered you the ownership of the Docvet account that you were a member of, and you accepted on ${shownTime(at)}.`,
    `${kept} A purchase in a marketplace still belongs to the person who has made it there.`,
    'It has taken the place of your own account, which was empty. Your other devices were signed out. Check the API keys and members.',
    link,
  ])
}

export function usageReached({ share, keyName, lastFour, used, quota, period, publicUrl }: UsageReached): Message {
  const isExhausted = share === 100
  const subject = isExhausted ? 'An API key has used all of its scans' : `An API key has used ${share} % of its scans`
  return render(subject, [
    `The API key ${shownName(keyName)}, which ends in ${lastFour}, has used ${shownNumber(used)} of its ` +
      `${shownNumber(quota)} scans for ${period}. That is ${share} %.`,
    isExhausted
      ? 'Further scans with this key are rejected until the month ends (UTC). All other requests still work.'
      : 'When all scans are used, further scans with this key are rejected until the month ends (UTC).',
    { label: 'Go to Docvet', link: publicUrl },
  ])
}

export function webhookDisabled({ url, at, publicUrl }: Happened & { url: string }): Message {
  return render('A callback endpoint of your Docvet account was switched off', [
    `The callback endpoint ${shownName(url)} was switched off on ${shownTime(at)}, because it answered 410 or had failed for five days.`,
    'Results of scans are not lost: the reports have them. When the endpoint works again, switch it on with PATCH /api/v1/webhooks/{id} and "enabled": true.',
    { label: 'Go to Docvet', link: publicUrl },
  ])
}
