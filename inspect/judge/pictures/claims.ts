/** Whether the text beside a code asks for what phishing asks for, and whose the address is. */

import { words } from '#inspect/core/words.ts'
import type { Brand } from '../deception/brands.ts'
import { domainOf } from '../deception/domains.ts'
import { isAllGeneric, isOfState, LURES } from '../deception/host-words.ts'
import { isShared } from '../deception/hosts.ts'
import { brandsNamed, ownerOf } from '../deception/signs.ts'
import { either } from '../deception/wider.ts'
import { brandsOf, names, type ShownText } from './pretexts.ts'

/** More words are a document with a code, not a code with a pretext. */
export const WORDS_MAX = 60
/** Letters of a brand that is no word of a language, though others may have the same letters. */
const SHORT_MAX = 3

/** Whether the text asks for what phishing asks for, or for another owner than that of the code. */
export const isPretext = (text: ShownText, known: URL): boolean => either(() => asksForOther(text, known))

function asksForOther(text: ShownText, known: URL): boolean {
  const host = known.hostname
  const owner = ownerOf(host)
  // What a well-known owner has put there himself, as the page of a program in a shop.
  if (owner !== undefined && !isShared(known)) return false
  if (!text.isNear || isOfState(host) || isService(host)) return false
  const claim = claimOf(text, host)
  const namesOther = brandsOf(text).some((domain) => !owner?.owned.has(domain))
  if (owner === undefined && isPosing(text, host, claim)) return true
  if (claim.isOwn) return false
  if (owner === undefined && isLuring(text, claim)) return true
  const isPressed = text.presses || text.office || claim.isLure || namesOther
  return text.words > WORDS_MAX ? text.pretext && isPressed : text.pretext || namesOther
}

function isPosing(text: ShownText, host: string, { isWhole, isLure }: Claim): boolean {
  const asks = text.pretext || text.lure
  const isNamed = ({ name, isCommon }: Brand): boolean =>
    isCommon ? asks && !isWhole && (name.length <= SHORT_MAX || names(text, name)) : asks || names(text, name)
  // A name of its own, and a word of what is asked for: its owner wants a password.
  return brandsNamed(host).some(isNamed) || (isLure && text.pretext && (text.presses || text.office))
}

const isLuring = ({ lure, waits, presses, office }: ShownText, { isLure }: Claim): boolean =>
  waits || (lure && (presses || office || isLure))

interface Claim {
  isOwn: boolean
  /** The text has the whole name. */
  isWhole: boolean
  /** The name says what is asked for. */
  isLure: boolean
}

/** Whose the host is, as far as the text tells: a name of its own that the text has as well. */
function claimOf(text: ShownText, host: string): Claim {
  const { name, subdomains } = domainOf(host)
  const own = name.split(/[-_\d]+/).filter((word) => word.length > 2 && !isAllGeneric(word))
  const isGeneric = own.length === 0
  const isLure = isGeneric || LURES.test(name) || subdomains.some((label) => LURES.test(label) && label.includes('-'))
  const isWhole = names(text, name.replaceAll('-', ''))
  const isOwn = !isGeneric && (isWhole || own.some((word) => word.length > 3 && text.capitals.has(word)))
  return { isOwn, isWhole: isWhole && !isGeneric, isLure }
}
/** Services that take payments, sell tickets or keep forms for others. */
const SERVICES: ReadonlySet<string> = new Set(
  words(`mollie.com gocardless.com sumup.com sumup.link adyen.com adyen.link payconiq.com tikkie.me twint.ch saferpay.com datatrans.com
  worldline.com wero-wallet.eu bancontact.com swish.nu vippsmobilepay.com mobilepay.dk vipps.no payrexx.com wallee.com eventbrite.com eventim.de
  ticketmaster.com ticketcorner.ch tixly.com ticketino.com weezevent.com billetto.com pretix.eu seetickets.com surveymonkey.com typeform.com
  jotform.com calendly.com doodle.com mentimeter.com slido.com kahoot.it easyparkgroup.com paybyphone.com ringgo.co.uk parkster.com
  lieferando.de ubereats.com opentable.com thefork.com quandoo.com resy.com trustpilot.com`),
)
const isService = (host: string): boolean => SERVICES.has(domainOf(host).registered)
