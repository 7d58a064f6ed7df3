/** The interface of mail transports, and the conversion of a mail for nodemailer. */
import type { MailComposerOptions } from 'nodemailer/lib/mail-composer'
import { isAddress, type Mailbox } from './address.ts'
import type { Message } from './messages.ts'

export interface Mail extends Message {
  from: Mailbox
  to: string
  /** Including the angle brackets. */
  messageId: string
  date: Date
}

export interface Transport {
  /** Resolves when the mail is accepted for delivery. Rejects soon after the signal aborts. */
  send(mail: Mail, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The recipient is rejected permanently, so a retry is pointless. */
export class RecipientRefused extends Error {
  override readonly name = 'RecipientRefused'
}

/** Addresses are passed as objects, so that nodemailer does not parse them again. */
export function composed({ from, to, subject, text, html, messageId, date }: Mail): MailComposerOptions {
  if (!isAddress(to)) throw new RecipientRefused('The recipient is not a single address')
  return {
    // A copy, because nodemailer modifies it and the configuration is frozen.
    from: { ...from },
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId,
    date,
    // Prevents automatic replies.
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
