/** Invitations that demand a sign-in on a stranger's page, or a call about a payment that nobody made. */

import { charge } from '#inspect/core/work.ts'
import { reachOf } from '#inspect/targets/targets.ts'
import { domainOf } from './deception/domains.ts'
import { posingName } from './deception/signs.ts'
import { addressesIn } from './deception/written.ts'
import { URGES, wordsOf } from './lure-words.ts'
import { isPretext } from './pictures/claims.ts'
import { brandsOf, type ShownText, shownText } from './pictures/pretexts.ts'
import { belongsToKnown } from './posing.ts'

const CHARACTER_WORK = 10
/** Longer ones are agendas. */
const TEXT_MAX = 4_000
const PHONE = /\+\d[\d ().-]{7,18}\d|\(\d{3}\) ?\d{3}[ -]\d{4}|\b1?[ -]?8\d{2}[ -]\d{3}[ -]\d{4}\b/
/** What somebody else has paid. */
const RENEWS =
  / (?:(?:has been|have been|was|were) (?:successfully )?(?:charged|renewed|debited)|renewal|auto renew\p{L}{0,4}|abgebucht|automatisch verlangert|renouvele|renouvellement|renovado|renovacion|rinnovo|renovacao|verlengd|yenilendi) /u
const ADDRESS = /https?:\/\/[^\s"'<>]{1,2000}/gi
const CALLS =
  / (?:call|calling|phone|dial|rufen sie|anrufen|appelez|appeler|llame|llamar|ligue|chiami|chiamare|bel|zadzwon|arayin) /
const REFUSES =
  / (?:did not (?:authorize|authorise|make|place|order)|do not recogni[sz]e|not authori[sz]ed|unauthori[sz]ed|to cancel|cancel (?:the|this|your)|refund|nicht autorisiert|nicht veranlasst|stornier\p{L}{1,4}|pas autorise|annuler|no autoriz\p{L}{1,4}|no reconoce|cancelar|non autorizzat\p{L}|annullare|nao autoriz\p{L}{1,4}|annuleren|iptal) /u

interface Invitation {
  text: string
  /** The address of its sender; '' if it has none. */
  organizer: string
  /** Those of whom it invites. */
  attendees?: readonly string[]
}

/** What it demands; null if nothing that phishing demands. */
export function demandIn({ text, organizer, attendees = [] }: Invitation): string | null {
  if (text.length > TEXT_MAX) return null
  charge(text.length * CHARACTER_WORK)
  const said = text.replace(ADDRESS, ' ')
  const shown = shownText(said, true)
  const own = domainOfMail(organizer)
  const isOutside = attendees.length > 0 && attendees.every((attendee) => domainOfMail(attendee) !== own)
  return signInOf(text, shown, wordsOf(said), { own, isOutside }) ?? callOf(text, shown, wordsOf(said))
}

const domainOfMail = (address: string): string =>
  domainOf(address.split('@').at(-1)?.trim().toLowerCase() ?? '').registered

/** A brand and what is asked for, in front of the domain of somebody else: `paypal-billing.calendar.example`. */
const posesBefore = ({ hostname }: URL): boolean => domainOf(hostname).subdomains.some((label) => posingName(label))

/** A page that is not of the sender, or poses as a company. */
function signInOf(
  text: string,
  shown: ShownText,
  words: string,
  { own, isOutside }: { own: string; isOutside: boolean },
): string | null {
  const namesBrand = brandsOf(shown).length > 0
  const isUrgent = URGES.test(words)
  if (!shown.pretext || !(isUrgent || shown.presses)) return null
  const isStrange = (address: string): boolean => {
    const known = URL.parse(address)
    if (known === null || belongsToKnown(address) || reachOf(known.hostname) === 'company') return false
    if (isOutside && posesBefore(known) && (isUrgent || shown.waits || shown.office)) return true
    if (!isUrgent && !namesBrand) return false
    const isOwn = domainOf(known.hostname).registered === own
    if (isOwn && !namesBrand) return false
    return (own !== '' && !isOwn) || isPretext(shown, known)
  }
  return addressesIn(text)?.find(isStrange) ?? null
}

/** The number to call about a payment that somebody else has made. */
export function callOf(text: string, shown: ShownText, words: string): string | null {
  const isPaid = shown.money && (brandsOf(shown).length > 0 || RENEWS.test(words))
  return isPaid && CALLS.test(words) && REFUSES.test(words) ? (PHONE.exec(text)?.[0] ?? null) : null
}
