/** Names that attackers pose as, with the domains of their owners. */

import { words } from '#inspect/core/words.ts'
import { OWNERS_BY_COUNTRY } from './brands-by-country.ts'

/**
 * Each line: names, then domains that belong to the same owner. `~` before a name: also an ordinary word or the name of others, so that
 * only a whole domain of the owner counts.
 */
const OWNERS = `
microsoft office365 microsoft365 microsoftonline onedrive sharepoint ~outlook ~teams ~azure ~xbox ~skype ~bing ~office ~windows: microsoft.com office.com office365.com microsoftonline.com live.com outlook.com onedrive.com sharepoint.com azure.com windows.net msn.com hotmail.com aka.ms 1drv.ms office.net windows.com skype.com xbox.com bing.com microsoft365.com cloud.microsoft onmicrosoft.com azurewebsites.net microsoft.net msft.net visualstudio.com azure-api.net azureedge.net windowsupdate.com sway.com yammer.com linkedin.com github.com
google gmail googledrive ~youtube ~android ~gsuite ~chrome: google.com gmail.com googlemail.com youtube.com goo.gl g.co googleapis.com gstatic.com googleusercontent.com google.dev withgoogle.com youtu.be android.com chrome.com blogger.com blogspot.com googlesource.com appspot.com web.dev doubleclick.net google googleblog.com googleadservices.com
apple icloud ~itunes ~appstore: apple.com icloud.com itunes.com me.com mac.com apple.co apple.news mzstatic.com appstore.com
amazon ~aws primevideo ~audible ~kindle: amazon.com amazon.de amazon.co.uk amazonaws.com aws.com amzn.to amzn.com media-amazon.com amazon.jobs awsstatic.com amazon.dev primevideo.com audible.com ssl-images-amazon.com a.co amazonses.com aboutamazon.com awsapps.com
paypal venmo: paypal.com paypal.me paypalobjects.com venmo.com paypal-corp.com paypal-community.com braintreegateway.com
facebook instagram whatsapp ~meta ~messenger: facebook.com fb.com fb.me instagram.com whatsapp.com wa.me meta.com messenger.com fbcdn.net cdninstagram.com m.me facebookmail.com metamail.com ig.me fbsbx.com
linkedin: linkedin.com lnkd.in licdn.com
twitter ~x: twitter.com x.com t.co twimg.com
docusign: docusign.com docusign.net docusign.eu
~adobe acrobat ~creativecloud: adobe.com acrobat.com adobesign.com echosign.com adobe.io adobe.ly typekit.com behance.net
dropbox ~hellosign: dropbox.com dropboxusercontent.com db.tt hellosign.com getdropbox.com dropbox.tech dropboxstatic.com
netflix: netflix.com nflxext.com netflix.net nflxvideo.net
spotify: spotify.com scdn.co spoti.fi
~wetransfer: wetransfer.com we.tl
~zoom: zoom.us zoom.com zoomgov.com
~slack: slack.com slack-edge.com
~atlassian ~jira ~trello: atlassian.com atlassian.net trello.com jira.com bitbucket.org
github: github.com github.io githubusercontent.com github.dev githubassets.com githubapp.com github.blog
~gitlab: gitlab.com gitlab.io
salesforce: salesforce.com force.com salesforce.org salesforceliveagent.com
servicenow: service-now.com servicenow.com
~okta: okta.com oktapreview.com oktacdn.com
~duo: duo.com duosecurity.com
lastpass: lastpass.com
~1password: 1password.com
bitwarden: bitwarden.com
godaddy: godaddy.com secureserver.net
~namecheap: namecheap.com
cloudflare: cloudflare.com cloudflare.net cloudflarestatus.com cloudflareinsights.com
~yahoo: yahoo.com ymail.com yimg.com yahoo.co.jp rocketmail.com
~aol: aol.com
protonmail: proton.me protonmail.com protonmail.ch
~mailchimp: mailchimp.com list-manage.com mailchi.mp
~shopify: shopify.com myshopify.com shopifycdn.com
ebay: ebay.com ebay.de ebay.co.uk ebayimg.com ebaystatic.com ebay.us
alibaba aliexpress ~alipay: alibaba.com aliexpress.com alipay.com alicdn.com aliyun.com
walmart: walmart.com walmartimages.com walmart.ca
~target: target.com
~costco: costco.com
bestbuy: bestbuy.com
~ikea: ikea.com
airbnb: airbnb.com airbnb.org muscache.com
booking.com ~booking: booking.com bstatic.com
expedia: expedia.com
tripadvisor: tripadvisor.com tripadvisor.co.uk
~uber: uber.com
~steam steamcommunity steampowered: steampowered.com steamcommunity.com steamstatic.com valvesoftware.com s.team
~epicgames: epicgames.com
roblox: roblox.com rbxcdn.com
~discord: discord.com discord.gg discordapp.com discordapp.net discord.media discord.gift
telegram: telegram.org t.me telegram.me
~signal: signal.org
~tiktok: tiktok.com tiktokcdn.com
snapchat: snapchat.com snap.com
pinterest: pinterest.com pin.it pinimg.com
~reddit: reddit.com redd.it redditmedia.com redditstatic.com
coinbase: coinbase.com
binance: binance.com binance.us bnbchain.org
~kraken: kraken.com
metamask: metamask.io
trustwallet: trustwallet.com
blockchain.com: blockchain.com
~ledger: ledger.com
~trezor: trezor.io
opensea: opensea.io
~wise ~transferwise: wise.com transferwise.com
revolut: revolut.com
~stripe: stripe.com stripe.network stripecdn.com
klarna: klarna.com
~square ~cashapp: squareup.com square.com cash.app
~visa: visa.com
mastercard: mastercard.com mastercard.us
americanexpress ~amex: americanexpress.com amex.com aexp.com aexp-static.com
~discover: discover.com
~chase jpmorgan: chase.com jpmorgan.com jpmorganchase.com jpmchase.com
wellsfargo: wellsfargo.com wf.com
bankofamerica: bankofamerica.com bofa.com baml.com
citibank ~citi: citi.com citibank.com citigroup.com citibankonline.com
capitalone: capitalone.com
usbank: usbank.com
pncbank: pnc.com
truist: truist.com
schwab: schwab.com
fidelity.com: fidelity.com
~vanguard: vanguard.com
hsbc: hsbc.com hsbc.co.uk hsbc.com.hk
barclays: barclays.com barclays.co.uk barclaycard.co.uk
lloydsbank: lloydsbank.com lloydsbank.co.uk lloydsbankinggroup.com
natwest: natwest.com
santander: santander.com santander.co.uk bancosantander.es santander.de
~halifax: halifax.co.uk
monzo: monzo.com monzo.me
deutschebank: deutsche-bank.de db.com deutschebank.com
commerzbank: commerzbank.de commerzbank.com
sparkasse: sparkasse.de sparkassen.de s-finanzportal.de
volksbank raiffeisenbank: vr.de volksbank.de raiffeisen.at raiffeisen.ch
postbank: postbank.de
comdirect: comdirect.de
~ing ingdiba: ing.com ing.de ing-diba.de ing.nl
~n26: n26.com
unicredit: unicredit.it unicreditgroup.eu unicredit.eu
intesasanpaolo: intesasanpaolo.com
bnpparibas: bnpparibas.com bnpparibas.fr bnpparibas.net
societegenerale: societegenerale.com societegenerale.fr
creditagricole: credit-agricole.fr credit-agricole.com
labanquepostale: labanquepostale.fr
rabobank: rabobank.nl rabobank.com
abnamro: abnamro.nl abnamro.com
caixabank: caixabank.es caixabank.com
bbva: bbva.com bbva.es bbva.mx
postfinance: postfinance.ch
commonwealthbank commbank: commbank.com.au
westpac: westpac.com.au
~anz: anz.com anz.com.au
icicibank: icicibank.com
hdfcbank: hdfcbank.com
~sbi onlinesbi: sbi.co.in onlinesbi.sbi onlinesbi.com
itau: itau.com.br itau.com
bradesco: bradesco.com.br
~dhl: dhl.com dhl.de dhl.co.uk deutschepost.de
fedex: fedex.com
~ups: ups.com
usps: usps.com usps.gov
dpd: dpd.com dpd.de dpd.co.uk dpdgroup.com
royalmail: royalmail.com
~hermes evri: evri.com myhermes.co.uk
~swisspost: post.ch swisspost.ch
~laposte colissimo: laposte.fr colissimo.fr
correos: correos.es
postnl: postnl.nl postnl.be
inpost: inpost.pl inpost.it inpost.co.uk inpost.eu
postnord: postnord.com postnord.se postnord.dk postnord.no postnord.fi
posteitaliane ~bancoposta ~poste: poste.it posteitaliane.it
ukrposhta: ukrposhta.ua
novaposhta: novaposhta.ua novapost.com nova-poshta.com
~elta: elta.gr elta-courier.gr
~posti: posti.fi
~ctt: ctt.pt
bpost: bpost.be
chronopost: chronopost.fr
mondialrelay: mondialrelay.fr mondialrelay.com
~gls: gls-group.eu gls-group.com gls-pakete.de gls.de
poczta-polska pocztapolska: poczta-polska.pl
correios: correios.com.br
auspost: auspost.com.au
~elster: elster.de
irs.gov: irs.gov
~ameli: ameli.fr
digid: digid.nl
bankid: bankid.com bankid.no
mitid: mitid.dk
~diia: diia.gov.ua
twint: twint.ch
e-zpass ezpass: e-zpassny.com ezdrivema.com e-zpassiag.com ezpassnj.com
hmrc: hmrc.gov.uk www.gov.uk
gov.uk: gov.uk www.gov.uk
~ssa: ssa.gov
vodafone: vodafone.com vodafone.de vodafone.co.uk vodafone.it vodafone.in
~telekom tmobile: telekom.de t-mobile.com t-online.de telekom.com
verizon: verizon.com verizonwireless.com vzw.com
~att: att.com att.net
~comcast xfinity: xfinity.com comcast.com comcast.net
~orange: orange.fr orange.com
~disney disneyplus: disneyplus.com disney.com go.com
~hulu: hulu.com
~norton ~lifelock: norton.com lifelock.com nortonlifelock.com
mcafee: mcafee.com trellix.com
kaspersky: kaspersky.com kaspersky.ru kaspersky.de
~workday: workday.com myworkday.com myworkdayjobs.com
~adp: adp.com
~paychex: paychex.com
quickbooks intuit turbotax: intuit.com quickbooks.com turbotax.com
~xero: xero.com
~sap: sap.com
~oracle: oracle.com oraclecloud.com
~cisco webex: webex.com cisco.com
citrix: citrix.com sharefile.com
fortinet: fortinet.com
~canva: canva.com canva.site
~notion: notion.so notion.site notion.com
~openai chatgpt: openai.com chatgpt.com oaistatic.com
`

export interface Brand {
  name: string
  /** The domain that a reader expects. */
  domain: string
  owned: ReadonlySet<string>
  /** Also used by others. */
  isCommon: boolean
}

function brandsIn(line: string): Brand[] {
  const [names = '', domains = ''] = line.split(': ')
  const [domain = '', ...others] = words(domains)
  const owned = new Set([domain, ...others])
  return words(names).map((name) => ({ name: name.replace('~', ''), domain, owned, isCommon: name.startsWith('~') }))
}

/** Of two lines for one name or domain the last counts. */
export const BRANDS: readonly Brand[] = [OWNERS_BY_COUNTRY, OWNERS].flatMap((owners) =>
  owners.trim().split('\n').flatMap(brandsIn),
)

/** By each domain of an owner. */
export const OWNER_OF: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap((brand) => [...brand.owned].map((domain) => [domain, brand])),
)
