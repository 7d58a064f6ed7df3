/** Codes that are no address of a page: what phishing does with them. */

import { names, type ShownText } from './pretexts.ts'

/** Characters of a code that are kept. */
export const KEY_MAX = 500

/** Whoever shows such a code reads the messages of those who scan it: it is valid for minutes, and no document has one. */
const DEVICE =
  /^(?:(?:sgnl|signal):\/\/link-?device|tsdevice:|tg:\/\/(?:login|passport)|whatsapp:\/\/link|FIDO:\/|2@[\w+/=-]{20,400},|https?:\/\/(?:wa\.me\/settings\/linked_?devices|(?:signal\.me|signal\.org|signal\.link)\/[^\s]{0,40}link_?device|(?:www\.)?discord(?:app)?\.com\/ra\/|s\.team\/q\/|login\.(?:wx|weixin)\.qq\.com\/l\/|(?:t\.me|telegram\.me)\/login))/i
const PURSE =
  /^(?:bitcoin|ethereum|litecoin|monero|lightning|tron|dash|dogecoin):|^(?:bc1[a-z0-9]{25,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-f]{40})$/i
const OPEN_NETWORK = /^WIFI:(?!.{0,100}T:(?:WPA|WEP|SAE))/i
const CODES = /^otpauth:/i

export const isDevice = (text: string): boolean => DEVICE.test(text)
export const isKey = (text: string): boolean => [DEVICE, PURSE, OPEN_NETWORK, CODES].some((kind) => kind.test(text))

export function isKeyOfAttack(text: string, texts: readonly ShownText[]): boolean {
  if (DEVICE.test(text)) return true
  if (PURSE.test(text)) return texts.some(({ threatens, presses }) => threatens && presses)
  if (OPEN_NETWORK.test(text)) return texts.some(({ pretext, presses, office }) => pretext && presses && office)
  return texts.some((shown) => shown.pretext && shown.presses && !namesIssuer(text, shown))
}

/** Whether the text names who gives the key: otherwise it is that of somebody else. */
function namesIssuer(text: string, shown: ShownText): boolean {
  const url = URL.parse(text)
  const label = decoded(url?.pathname ?? '').replace(/^\/{0,2}/, '')
  const issuer = url?.searchParams.get('issuer') ?? label.split(':', 1)[0] ?? ''
  const words = issuer.toLowerCase().match(/[\p{L}\p{N}]{3,40}/gu) ?? []
  const own = words.filter((word) => !ORDINARY.test(word))
  return own.length === 0 || own.some((word) => names(shown, word))
}

const ORDINARY = /^(?:vpn|bank|online|account|login|secure|security|portal|mail|admin|user|the|app)$/

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
