/** Hosts behind which anybody can put anything. */

import { words } from '#inspect/core/words.ts'
import { type HostingKind, wider } from './wider.ts'

/** Each with everything below it. */
const HOSTS: Readonly<Record<HostingKind, readonly string[]>> = {
  shortener:
    words(`bit.ly j.mp bitly.com tinyurl.com t.co goo.gl ow.ly is.gd v.gd buff.ly cutt.ly rebrand.ly rb.gy shorturl.at
  t.ly tiny.cc tiny.one s.id shorte.st adf.ly bc.vc lnkd.in soo.gd qrco.de qr.io qrfy.io qr-code-generator.com me-qr.com qrs.ly
  scan.page qrcodes.pro q-r.to short.gy shorturl.asia clck.ru u.to urlz.fr bl.ink snip.ly kutt.it dub.sh dub.co 1url.com
  x.gd surl.li tr.ee linktr.ee lihi.cc reurl.cc ppt.cc han.gl vo.la zpr.io trib.al dlvr.it ift.tt fb.me db.tt amzn.to youtu.be
  spoti.fi po.st su.pr mcaf.ee wp.me ln.run t2m.io hyperurl.co smarturl.it lnk.to urlday.cc chilp.it shrtco.de 9qr.de short.io
  tny.im urlr.me tinu.be goolnk.com qrlink.dev shortest.link ouo.io exe.io gg.gg da.gd`),
  tunnel:
    words(`trycloudflare.com ngrok-free.app ngrok-free.dev ngrok.app ngrok.dev ngrok.io ngrok.pizza workers.dev pages.dev web.app
  firebaseapp.com blob.core.windows.net web.core.windows.net r2.dev loca.lt localtunnel.me serveo.net lhr.life lhr.rocks localhost.run
  pinggy.link pinggy.io devtunnels.ms telebit.io bore.pub playit.gg tunnelmole.net zrok.io
  weebly.com weeblysite.com vercel.app netlify.app glitch.me herokuapp.com onrender.com fly.dev surge.sh webflow.io framer.app framer.website
  wixsite.com wixstudio.com wixstudio.io godaddysites.com square.site 000webhostapp.com infinityfreeapp.com rf.gd altervista.org jimdosite.com
  webnode.page mystrikingly.com carrd.co yolasite.com softr.app repl.co replit.app replit.dev bubbleapps.io lovable.app gitbook.io
  amplifyapp.com azurewebsites.net azurefd.net cloudfunctions.net run.app s3.amazonaws.com digitaloceanspaces.com backblazeb2.com
  linodeobjects.com wasabisys.com b-cdn.net plesk.page typedream.app teleporthq.app contaboserver.net codesandbox.io stackblitz.io ukit.me
  blogspot.com wordpress.com mybluehost.me myfreesites.net ucoz.net narod.ru tilda.ws`),
  ipfs: words(`ipfs.io dweb.link cf-ipfs.com cloudflare-ipfs.com gateway.pinata.cloud mypinata.cloud nftstorage.link w3s.link
  ipfs.infura.io infura-ipfs.io fleek.co fleek.cool ipfs.fleek.co 4everland.io ipfs.runfission.com hardbin.com ipfs.eth.aragon.network
  storry.tv ipfs.best-practice.se trustless-gateway.link storacha.link gateway.ipfs.io ipfs.filebase.io myfilebase.com lighthouse.storage
  flk-ipfs.xyz eth.limo eth.link`),
  dynamicDns:
    words(`duckdns.org no-ip.org no-ip.com no-ip.biz no-ip.info noip.me noip.us ddns.net hopto.org zapto.org sytes.net serveftp.com
  servehttp.com servegame.com myftp.org myftp.biz myvnc.com redirectme.net 3utilities.com bounceme.net gotdns.ch webhop.me dyndns.org
  dyndns.info dynu.net dynu.com freeddns.org mywire.org kozow.com ooguy.com giize.com theworkpc.com casacam.net camdvr.org
  loseyourip.com accesscam.org gleeze.com webredirect.org chickenkiller.com mooo.com crabdance.com strangled.net ignorelist.com
  us.to afraid.org dynv6.net nsupdate.info changeip.com dns.army dns.navy v6.army v6.rocks ddnsfree.com ddnsgeek.com sslip.io nip.io`),
}

const KINDS: ReadonlyMap<string, HostingKind> = new Map(
  (Object.keys(HOSTS) as HostingKind[]).flatMap((kind) => HOSTS[kind].map((host) => [host, kind])),
)

/** Content of IPFS by the name of its owner: `/ipfs/Qm…` on any gateway. */
const IPFS_PATH = /^\/ip[fn]s\/[a-z0-9]{30,100}/i

/** Stores of a region. */
const BUCKET = /\.s3(?:-website)?[.-][a-z0-9-]{4,30}\.amazonaws\.com$|\.z\d{1,2}\.web\.core\.windows\.net$/

/** null: a host with an owner of its own. */
export function hostingOf({ hostname, pathname }: URL): HostingKind | null {
  const more = wider()?.kinds
  for (let at = 0; at !== -1; ) {
    const name = hostname.slice(at)
    const kind = KINDS.get(name) ?? more?.get(name)
    if (kind !== undefined) return isOwnSite(hostname, name, kind) ? null : kind
    const dot = hostname.indexOf('.', at)
    at = dot === -1 ? -1 : dot + 1
  }
  if (BUCKET.test(hostname)) return 'tunnel'
  return IPFS_PATH.test(pathname) ? 'ipfs' : null
}

/** That of the company whose names anybody may have: none of its customers gets `www`. */
function isOwnSite(hostname: string, name: string, kind: HostingKind): boolean {
  return (kind === 'tunnel' || kind === 'dynamicDns') && hostname === `www.${name}`
}

/** Zones in which most names are registered for a few days. */
const CHEAP_ZONES: ReadonlySet<string> = new Set(
  words('top xyz click icu cyou sbs cfd buzz rest monster quest bond autos tk ml ga cf gq pw zip mov hair skin lol'),
)

/** Characters of the longest name of a host. */
const NAME_MAX = 253

/** A computer or name that its owner gives up soon: no service of a company has one. */
export function isShortLived(address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.hostname.length > NAME_MAX) return false
  const zone = url.hostname.slice(url.hostname.lastIndexOf('.') + 1)
  const kind = hostingOf(url)
  return CHEAP_ZONES.has(zone) || kind === 'dynamicDns' || kind === 'ipfs' || TUNNELS.test(url.hostname)
}

/** To a computer of anybody. The other hosts of that kind also belong to companies. */
const TUNNELS =
  /(?:^|\.)(?:trycloudflare\.com|ngrok(?:-free)?\.(?:app|dev|io|pizza)|loca\.lt|localtunnel\.me|serveo\.net|lhr\.(?:life|rocks)|localhost\.run|pinggy\.(?:link|io)|telebit\.io|bore\.pub|playit\.gg|tunnelmole\.net|zrok\.io)$/

/** Hosts of well-known owners where everybody puts pages, forms and files of his own. */
const SHARED: ReadonlySet<string> = new Set(
  words(`docs.google.com drive.google.com sites.google.com script.google.com forms.gle googleusercontent.com googleapis.com
  storage.cloud.google.com translate.goog blogspot.com forms.office.com forms.microsoft.com forms.cloud.microsoft sharepoint.com
  onedrive.live.com 1drv.ms sway.office.com sway.cloud.microsoft customervoice.microsoft.com dynamics.com powerappsportals.com azurewebsites.net
  windows.net onmicrosoft.com dropbox.com dropboxusercontent.com box.com acrobat.adobe.com documentcloud.adobe.com express.adobe.com
  amazonaws.com awsapps.com github.io githubusercontent.com gist.github.com notion.site canva.site canva.com docusign.net wetransfer.com
  icloud.com facebook.com instagram.com linkedin.com whatsapp.com t.me telegram.me youtube.com`),
)

export function isShared({ hostname }: URL): boolean {
  const labels = hostname.split('.')
  return labels.some((_, at) => SHARED.has(labels.slice(at).join('.')))
}

/** Domains of programs that send newsletters, and count clicks for those who write them. */
const TRACKERS: ReadonlySet<string> = new Set(
  words(`sendgrid.net sendgrid.com list-manage.com mailchimp.com mailchi.mp mandrillapp.com hubspotlinks.com hubspotemail.net hs-sites.com hubspot.com
  rs6.net constantcontact.com mailgun.org mailgun.net sparkpostmail.com exct.net exacttarget.com marketo.com mktoweb.com createsend.com
  cmail1.com cmail2.com cmail19.com cmail20.com createsend1.com mailerlite.com mlsend.com sendinblue.com brevo.com sendibt2.com
  sendibt3.com klclick.com klclick1.com klaviyo.com klaviyomail.com activehosted.com acemlna.com getresponse.com gr8.com awstrack.me
  mjt.lu mailjet.com customeriomail.com iterable.com pstmrk.it postmarkapp.com emlnk.com emlnk9.com emltrk.com infusionsoft.com
  keap-link001.com aweber.com sailthru.com responsys.net eloqua.com pardot.com rsys2.com bronto.com dotdigital.com dmtrk.com
  cleverreach.com crsend.com rapidmail.com emlsend.com newsletter2go.com inxmail.com agnitas.de evalanche.com mailings.de
  substack.com beehiiv.com convertkit-mail.com convertkit-mail2.com campaign-archive.com benchmarkemail.com moosend.com omnisend.com
  icptrack.com intercom-mail.com intercom-clicks.com vresp.com outreach.io salesloft.com yesware.com bananatag.com mixmax.com
  feedblitz.com feedburner.com doubleclick.net awin1.com linksynergy.com anrdoezrs.net jdoqocy.com dpbolvw.net tkqlhce.com
  sjv.io pxf.io go2cloud.org rebrandly.com`),
)
const TRACKER_LABEL =
  /^(?:clicks?|links?|lnk|track(?:ing|er)?|trk|trck|emails?|em?\d{0,5}|go|t|ct|cl|el|r|url\d{1,6}|ablinks?|newsletters?|news|mail(?:ing|er)?s?|mkt|marketing|info|redirect|re|out)$/
/** What stands for a reader and a link. */
const TOKEN = /[\w%.~-]{20}/

/** Whether the address is that of a click which is counted, of a newsletter for instance. It says nothing about where it leads. */
export function isTracker({ hostname, pathname, search }: URL, registered: string): boolean {
  if (TRACKERS.has(registered)) return true
  const [first = ''] = hostname.split('.', 1)
  return hostname !== registered && TRACKER_LABEL.test(first) && TOKEN.test(pathname.slice(1) + search)
}

/** Proxies of libraries and networks that deliver for others: the name of the site is a part of theirs. */
const FORWARDED =
  /proxy|webvpn|(?:^|\.)(?:idm|eresources|vpn\d?|lib|library)\.|\.(?:oclc\.org|edgekey\.net|edgesuite\.net|akamaized\.net|akamai\.net|akamaiedge\.net|nsatc\.net|cdn\.cloudflare\.net|cloudfront\.net|fastly\.net|trafficmanager\.net|azureedge\.net|translate\.goog|web\.archive\.org|onmicrosoft\.com)$/

export function isForwarded(hostname: string): boolean {
  return FORWARDED.test(hostname)
}
