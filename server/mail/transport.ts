/** What carries a mail away, and how a mail becomes what nodemailer takes. */
import type { MailComposerOptions } from 'nodemailer/lib/mail-composer'
import { isAddress, type Mailbox } from './address.ts'
import type { Message } from './letter.ts'

export interface Mail extends Message {
  from: Mailbox
  to: string
  /** With its angle brackets. */
  messageId: string
  date: Date
}

export interface Transport {
  /** Resolves when somebody else is responsible for the mail. Ends soon after the signal does. */
  send(mail: Mail, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** This recipient will never take this mail; trying again does not help. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused'
}

/** Addresses go as objects, so that nothing in them is parsed once more. */
export function composed({ from, to, subject, text, html, messageId, date }: Mail): MailComposerOptions {
  if (!isAddress(to)) throw new RecipientRefused('The recipient is not one address')
  return {
    // A copy: nodemailer writes into it, and the configuration is frozen.
    from: { ...from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    date,
    // So that an absence note is not sent back to us.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
