/** Whether a script hides an address or a form. */

import { charge } from '#inspect/core/work.ts'
import { GAP } from '#inspect/programs/javascript/javascript.ts'
import { classifyTarget, isIpAddress } from '#inspect/targets/targets.ts'

/** Names under these are given to anybody: `co.uk`, `com.br`. */
const SHARED = /^(?:[a-z]{1,3}|info|edu|gov)\.[a-z]{2}$/

/** Anything else is what became of a value that was not understood. */
const NAME = /^[\w.\-:[\]\u0080-\uffff]+$/

/**
 * On a server that the script does not name. Loaders choose a server by joining its name with the protocol or a part of the
 * name, so the domain is enough. Pieces of a domain and codes name none.
 */
export function hiddenIn(source: string): (target: string) => boolean {
  let lower: string | null = null
  const written = new Map<string, boolean>()
  const isWritten = (domain: string): boolean => {
    charge(source.length)
    lower ??= source.toLowerCase()
    return lower.includes(domain)
  }
  return (target) => {
    const { isRemote, host } = classifyTarget(target, { isPage: true })
    if (!isRemote || !NAME.test(host)) return false
    const domain = domainOf(host)
    const known = written.get(domain) ?? isWritten(domain)
    written.set(domain, known)
    return !known
  }
}

/** Of a host that is known in part, what is known of its end, or of its beginning. */
function domainOf(host: string): string {
  if (isIpAddress(host)) return host
  const known = host.split(GAP)
  const domain = domainOfHost((known.at(-1) ?? '').replace(/^\./, ''))
  return domain.includes('.') ? domain : (known[0] ?? '')
}

/** The part of a name that its owner registered. */
export function domainOfHost(host: string): string {
  const labels = host.split('.')
  return labels.slice(SHARED.test(labels.slice(-2).join('.')) ? -3 : -2).join('.')
}

const FORM_TAG = /<(?:form|input)\b[^<>]*>/gi

/** Whether the form in a text, and its field for a password, are in the script as they are, even if joined from pieces. */
export function isPlainlyWritten(text: string, source: string): boolean {
  charge(source.length)
  if (source.includes(text)) return true
  const tags = (text.match(FORM_TAG) ?? []).filter((tag) => /^<form|\bpassword\b/i.test(tag))
  charge(source.length * (tags.length + 1))
  const plain = source.replaceAll('\\', '')
  return tags.length > 0 && tags.every((tag) => plain.includes(tag.replaceAll('\\', '')))
}
