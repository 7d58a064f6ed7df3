/** Warnings about settings that are valid but probably not intended. */
import { isLoopback } from '#base/loopback.ts'
import type { EngineName } from './parsers.ts'
import type { Values } from './settings.ts'

interface Checked extends Pick<Values, 'unscannable' | 'smtpUrl' | 'mailFrom' | 'chatUrl' | 'chatModel' | 'chatKey'> {
  publicUrl: string
  isLocal: boolean
  engines: readonly EngineName[]
  clamdUrls: readonly string[]
}

export function valueWarnings(config: Checked): string[] {
  return [...publicUrlWarnings(config), ...scanWarnings(config), ...mailWarnings(config), ...chatWarnings(config)]
}

function publicUrlWarnings({ publicUrl }: Checked): string[] {
  const isUnusable = ['0.0.0.0', '[::]'].includes(new URL(publicUrl).hostname)
  return isUnusable ? [`DOCVET_PUBLIC_URL should be set: clients cannot use ${publicUrl}.`] : []
}

function scanWarnings({ unscannable, engines, clamdUrls }: Checked) {
  const warnings: string[] = []
  if (unscannable === 'clean') {
    warnings.push('DOCVET_UNSCANNABLE=clean: documents that cannot be fully scanned will be reported as clean.')
  }
  if (clamdUrls.length > 0 && !engines.includes('clamd')) {
    warnings.push('DOCVET_CLAMD_URL is set, but DOCVET_ENGINES does not include clamd: it will not be used.')
  }
  return warnings
}

function mailWarnings({ smtpUrl, mailFrom, isLocal }: Checked): string[] {
  if (smtpUrl === null) {
    if (isLocal) return []
    return ['DOCVET_SMTP_URL is not set: mail such as reset links is written to the data folder and not sent.']
  }
  if (!mailFrom.address.endsWith('@localhost')) return []
  return [`DOCVET_MAIL_FROM should be set: many mail servers reject mail from ${mailFrom.address}.`]
}

function chatWarnings({ chatUrl, chatModel, chatKey }: Checked): string[] {
  const warnings: string[] = []
  if ((chatUrl === null) !== (chatModel === null)) {
    const missing = chatUrl === null ? 'DOCVET_CHAT_URL' : 'DOCVET_CHAT_MODEL'
    warnings.push(`The assistant is not configured: ${missing} is missing.`)
  }
  if (chatUrl?.startsWith('http:') && chatKey && !isLoopback(chatUrl)) {
    warnings.push('DOCVET_CHAT_URL is not https: DOCVET_CHAT_KEY and all questions are sent unencrypted.')
  }
  return warnings
}
