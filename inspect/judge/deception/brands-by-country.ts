/** Banks, offices, carriers, networks, suppliers, car parks, toll roads and shops of many countries: see `brands.ts` for the form of a line. Data only. */

export const OWNERS_BY_COUNTRY = `
hypovereinsbank: hypovereinsbank.de hvb.de
~dkb: dkb.de
targobank: targobank.de
consorsbank: consorsbank.de
apobank: apobank.de
~sparda spardabank: sparda.de sparda-bank.de sparda-n.de sparda-west.de sparda-m.de sparda-bw.de sparda-sw.de sparda-h.de sparda-hessen.de sparda-b.de
volksbanken raiffeisenbanken vrbank: vr.de volksbank.de volksbanken.de
traderepublic scalablecapital: traderepublic.com scalable.capital
barmer: barmer.de
~aok: aok.de
~ergo: ergo.de ergo.com
allianz: allianz.de allianz.com allianz.fr allianz.it allianz.es allianz.at allianz.ch allianz.co.uk
vonovia: vonovia.de
~enbw: enbw.com
~eon: eon.de eon.com eonenergy.com
vattenfall: vattenfall.de vattenfall.com vattenfall.se vattenfall.nl
congstar: congstar.de
~ionos: ionos.de ionos.com ionos.co.uk ionos.fr ionos.es 1und1.de
~strato: strato.de
freenet: freenet.de freenet-mobilfunk.de
~zalando: zalando.de zalando.com zalando.fr zalando.it zalando.es zalando.nl zalando.ch zalando.at
~otto: otto.de
mediamarkt: mediamarkt.de mediamarkt.at mediamarkt.es mediamarkt.nl mediamarkt.ch mediamarktsaturn.com
kleinanzeigen: kleinanzeigen.de ebay-kleinanzeigen.de
~lidl: lidl.de lidl.com lidl.fr lidl.it lidl.es lidl.nl lidl.pl lidl.co.uk lidl.at lidl.ch
~rossmann: rossmann.de
deutschebahn: bahn.de deutschebahn.com db.de
lufthansa: lufthansa.com lufthansagroup.com miles-and-more.com
rundfunkbeitrag: rundfunkbeitrag.de
~finanzamt: bzst.de
bundesfinanzministerium: bundesfinanzministerium.de bund.de
arbeitsagentur: arbeitsagentur.de
deutsche-rentenversicherung: deutsche-rentenversicherung.de
deutschepost: deutschepost.de dhl.de dpdhl.com
erstebank ~george: sparkasse.at erstebank.at erstegroup.com
bawag bawagpsk: bawag.at bawaggroup.com easybank.at
bankaustria: bankaustria.at
~oebb: oebb.at
~magenta ~drei: magenta.at drei.at
finanzonline: bmf.gv.at
oesterreichische-post ~post.at: post.at
willhaben: willhaben.at
raiffeisen: raiffeisen.at raiffeisen.ch raiffeisenbank.at raiffeisen.it raiffeisen.ru raiffeisen.hu raiffeisen.ro raiffeisen.hr raiffeisen.bg raiffeisen.de rbinternational.com rb.cz raiffeisenpolbank.com
swisscom bluewin: swisscom.ch swisscom.com bluewin.ch
~sunrise: sunrise.ch
~migros migrosbank: migros.ch migrosbank.ch
~coop supercard: coop.ch supercard.ch
~ubs: ubs.com ubs.ch
credit-suisse creditsuisse: credit-suisse.com
zkb kantonalbank: zkb.ch kantonalbank.ch
swissid: swissid.ch
sbb: sbb.ch
~galaxus digitec: galaxus.ch galaxus.de digitec.ch
~serafe: serafe.ch
~ricardo ~tutti: ricardo.ch tutti.ch
impots.gouv impots-gouv: impots.gouv.fr gouv.fr
~antai: antai.gouv.fr
franceconnect: franceconnect.gouv.fr
boursorama boursobank: boursorama.com boursobank.com
~lcl: lcl.fr
creditmutuel: creditmutuel.fr creditmutuel.com
caisse-epargne caissedepargne: caisse-epargne.fr
banquepopulaire: banquepopulaire.fr
~fortuneo hellobank: fortuneo.fr hellobank.fr
~sfr: sfr.fr
bouyguestelecom: bouyguestelecom.fr
~free: free.fr
~edf engie: edf.fr engie.fr engie.com
sncf: sncf.com sncf-connect.com
leboncoin: leboncoin.fr
~fnac cdiscount: fnac.com cdiscount.com
~carrefour: carrefour.fr carrefour.com carrefour.es carrefour.it
vinted: vinted.fr vinted.com vinted.de vinted.it vinted.es vinted.pl vinted.nl vinted.co.uk
doctolib: doctolib.fr doctolib.de doctolib.it
~vitale: ameli.fr sesam-vitale.fr
~crit-air: certificat-air.gouv.fr
~ulys ~vinci: ulys.com vinci-autoroutes.com
inps: inps.it inps.gov.it
agenziaentrate agenziadelleentrate: agenziaentrate.gov.it agenziaentrateriscossione.gov.it
pagopa: pagopa.gov.it pagopa.it
nexi: nexi.it
fineco finecobank: finecobank.com fineco.it
bancobpm: bancobpm.it
bper: bper.it
mediolanum: bancamediolanum.it mediolanum.it
~mps: mps.it
~bnl: bnl.it
~iliad: iliad.it iliad.fr
windtre: windtre.it
fastweb: fastweb.it
~enel: enel.it enel.com enelenergia.it
trenitalia: trenitalia.com
postepay: poste.it postepay.it
~sella: sella.it
aruba.it pecaruba: aruba.it pec.it
telepass: telepass.com
agenciatributaria ~agencia-tributaria: agenciatributaria.es agenciatributaria.gob.es
seg-social seguridad-social: seg-social.es seg-social.gob.es
~dgt: dgt.es dgt.gob.es
bancosabadell ~sabadell: bancsabadell.com sabadell.com bancosabadell.com
bankinter: bankinter.com bankinter.es
openbank: openbank.es openbank.com
unicaja: unicaja.es unicajabanco.es
ibercaja: ibercaja.es
kutxabank: kutxabank.es
abanca: abanca.com
~cajamar: cajamar.es grupocooperativocajamar.es
movistar telefonica: movistar.es movistar.com movistar.com.ar movistar.com.mx movistar.cl telefonica.com telefonica.es
yoigo: yoigo.com
~masmovil: masmovil.es
iberdrola: iberdrola.es iberdrola.com
endesa: endesa.com endesa.es
naturgy: naturgy.es naturgy.com
~renfe: renfe.com
wallapop: wallapop.com
elcorteingles: elcorteingles.es
mercadona: mercadona.es
~seur: seur.com
~nacex ~mrw: nacex.es nacex.com mrw.es
portaldasfinancas: portaldasfinancas.gov.pt
caixageral: cgd.pt
millenniumbcp ~millennium: millenniumbcp.pt bankmillennium.pl
novobanco: novobanco.pt
~meo: meo.pt
~nos: nos.pt
mbway: mbway.pt
~edp: edp.pt edp.com
bunq: bunq.com
~asnbank ~snsbank: asnbank.nl snsbank.nl
~knab: knab.nl
~triodos: triodos.nl triodos.com triodos.be
ideal.nl: ideal.nl
bol.com: bol.com
coolblue: coolblue.nl coolblue.be
marktplaats: marktplaats.nl
ziggo: ziggo.nl
~kpn: kpn.com kpn.nl
odido: odido.nl
~tele2: tele2.se tele2.nl tele2.ru tele2.com
belastingdienst: belastingdienst.nl
mijnoverheid: mijnoverheid.nl overheid.nl
toeslagen.nl: toeslagen.nl
~cjib: cjib.nl
albertheijn: ah.nl ah.be
eneco ~essent: eneco.nl essent.nl
zilverenkruis: zilverenkruis.nl
itsme: itsme.be itsme-id.com
~kbc: kbc.be kbc.com
belfius: belfius.be
argenta: argenta.be
~crelan: crelan.be
proximus: proximus.be
telenet: telenet.be
~myminfin ~minfin: minfin.fgov.be fgov.be
nordea: nordea.com nordea.fi nordea.se nordea.dk nordea.no
danskebank: danskebank.com danskebank.dk danskebank.se danskebank.fi danskebank.no
swedbank: swedbank.se swedbank.com swedbank.ee swedbank.lv swedbank.lt
handelsbanken: handelsbanken.se handelsbanken.com handelsbanken.no handelsbanken.co.uk handelsbanken.dk
~seb: seb.se sebgroup.com seb.ee seb.lt seb.lv
lansforsakringar: lansforsakringar.se
~skandia: skandia.se
~icabanken: icabanken.se
skatteverket: skatteverket.se
forsakringskassan: forsakringskassan.se
kronofogden: kronofogden.se
telia: telia.se telia.com telia.fi telia.no telia.dk telia.ee telia.lt teliacompany.com
telenor: telenor.no telenor.se telenor.dk telenor.com
~bring posten.no: bring.no bring.com posten.no
swish: swish.nu
~tradera blocket: tradera.com blocket.se
nykredit: nykredit.dk
jyskebank: jyskebank.dk
sydbank: sydbank.dk
skattestyrelsen: skat.dk sktst.dk
borger.dk ~borger: borger.dk
eboks e-boks: e-boks.dk e-boks.com e-boks.no
mobilepay: mobilepay.dk mobilepay.fi mobilepay.com
~yousee: yousee.dk
~dao365: dao.as
sparebank1 sparebank: sparebank1.no
~dnb: dnb.no
skatteetaten: skatteetaten.no
altinn: altinn.no
~vipps: vipps.no vippsmobilepay.com
finn.no: finn.no
osuuspankki ~op.fi: op.fi
~aktia: aktia.fi
~elisa: elisa.fi
~dna: dna.fi
vero.fi omavero: vero.fi
~kela: kela.fi
omakanta kanta.fi: kanta.fi
traficom: traficom.fi
~suomi.fi: suomi.fi
~tori.fi: tori.fi
matkahuolto: matkahuolto.fi
omniva: omniva.ee omniva.lt omniva.lv
~smart-id smartid: smart-id.com
luminor: luminor.ee luminor.lt luminor.lv
pkobp ~ipko: pkobp.pl ipko.pl inteligo.pl
mbank: mbank.pl mbank.cz mbank.sk
pekao pekao24: pekao.com.pl pekao24.pl
~alior aliorbank: aliorbank.pl
~ingbank: ing.pl
allegro: allegro.pl allegro.cz allegro.com
~olx: olx.pl olx.ro olx.pt olx.ua olx.bg olx.com.br
epuap mobywatel: epuap.gov.pl mobywatel.gov.pl gov.pl
~zus.pl: zus.pl
~pgnig: pgnig.pl
~tauron: tauron.pl
~play.pl ~plus.pl: play.pl plus.pl
~orlen: orlen.pl
~dotpay przelewy24 ~blik: dotpay.pl przelewy24.pl blik.com
ceskaposta: ceskaposta.cz
csob: csob.cz csob.sk
~kb.cz komercnibanka: kb.cz
ceskasporitelna: csas.cz
monetabank: moneta.cz
zasilkovna packeta: zasilkovna.cz packeta.com packeta.sk packeta.hu packeta.ro
~alza: alza.cz alza.sk alza.hu
seznam.cz: seznam.cz
tatrabanka: tatrabanka.sk
slsp: slsp.sk
slovenskaposta: posta.sk
otpbank: otpbank.hu otpbank.ro otpbank.rs otpbank.hr
~kh.hu: kh.hu
magyarposta: posta.hu
foxpost: foxpost.hu
ugyfelkapu: ugyfelkapu.gov.hu
bancatransilvania: bancatransilvania.ro
~bcr: bcr.ro
brd.ro: brd.ro
fancourier: fancourier.ro
~sameday: sameday.ro
~emag: emag.ro emag.hu emag.bg
ghiseul: ghiseul.ro
postaromana posta-romana: posta-romana.ro
~dskbank: dskbank.bg
~fibank ~postbank.bg: fibank.bg postbank.bg
econt speedy: econt.com speedy.bg
eurobank: eurobank.gr eurobank.rs
alphabank ~alpha.gr: alpha.gr alphabank.gr
piraeusbank: piraeusbank.gr
~nbg: nbg.gr
cosmote: cosmote.gr
skroutz: skroutz.gr
ziraatbank ziraatbankasi ziraat: ziraatbank.com.tr
garanti garantibbva: garantibbva.com.tr
isbank isbankasi: isbank.com.tr
akbank: akbank.com
yapikredi: yapikredi.com.tr
halkbank vakifbank: halkbank.com.tr vakifbank.com.tr
turkcell: turkcell.com.tr
turktelekom: turktelekom.com.tr
edevlet e-devlet: turkiye.gov.tr
trendyol hepsiburada: trendyol.com hepsiburada.com
~ptt: ptt.gov.tr
yurticikargo araskargo: yurticikargo.com araskargo.com.tr
papara: papara.com
sberbank sber: sberbank.ru sberbank.com sber.ru
tinkoff tbank: tinkoff.ru tbank.ru
~vtb: vtb.ru
alfabank: alfabank.ru alfabank.by alfabank.ua
gosuslugi: gosuslugi.ru
~nalog: nalog.ru nalog.gov.ru
pochta.ru ~pochta: pochta.ru
~ozon wildberries: ozon.ru wildberries.ru wb.ru
avito: avito.ru
~yandex: yandex.ru yandex.com ya.ru yandex.net
~vkontakte: vk.com vk.ru
ukr.net: ukr.net
i.ua: i.ua
meta.ua: meta.ua
~rambler: rambler.ru
~gmx: gmx.net gmx.de gmx.at gmx.ch gmx.com gmx.fr
web.de: web.de
libero.it: libero.it
virgilio.it: virgilio.it
wp.pl: wp.pl
onet.pl: onet.pl
o2.pl: o2.pl
interia.pl: interia.pl
abv.bg: abv.bg
~daum hanmail: daum.net hanmail.net
163.com 126.com: 163.com 126.com netease.com
sina.com: sina.com sina.com.cn
npmjs ~npm: npmjs.com npmjs.org
pypi: pypi.org pythonhosted.org
rubygems: rubygems.org
crates.io: crates.io
mail.ru: mail.ru
~mts: mts.ru
privatbank privat24: privatbank.ua privat24.ua
monobank: monobank.ua
oschadbank: oschadbank.ua
kyivstar: kyivstar.ua
~rozetka: rozetka.com.ua
lloyds: lloydsbank.com lloydsbank.co.uk lloydsbankinggroup.com
nationwide: nationwide.co.uk nationwide.com
~tsb: tsb.co.uk
~rbs: rbs.co.uk
~metrobank: metrobankonline.co.uk
~starling starlingbank: starlingbank.com
~firstdirect: firstdirect.com
~dvla: gov.uk www.gov.uk
~nhs: nhs.uk www.nhs.uk nhs.net
~o2: o2.co.uk o2.de o2online.de o2.cz telefonica.de
~ee: ee.co.uk
~three: three.co.uk three.ie
~bt: bt.com
~sky: sky.com sky.de sky.it
virginmedia: virginmedia.com
~tesco: tesco.com
sainsburys: sainsburys.co.uk
britishgas: britishgas.co.uk
~octopus: octopus.energy
tvlicensing: tvlicensing.co.uk
~argos ~asda ~aldi: argos.co.uk asda.com aldi.co.uk aldi.de aldi.com aldi-sued.de aldi-nord.de
parcelforce: parcelforce.com
anpost: anpost.com anpost.ie
bankofireland: bankofireland.com boi.com
~aib: aib.ie
permanenttsb: permanenttsb.ie
revenue.ie: revenue.ie ros.ie
~mygov my.gov: my.gov.au mygov.au gov.au
~ato: ato.gov.au
medicare: medicare.gov medicare.gov.au servicesaustralia.gov.au
centrelink: servicesaustralia.gov.au
~nab: nab.com.au
bendigobank: bendigobank.com.au
telstra: telstra.com telstra.com.au
optus: optus.com.au
linkt: linkt.com.au
woolworths: woolworths.com.au woolworths.co.za
~coles: coles.com.au
nzpost: nzpost.co.nz
~kiwibank: kiwibank.co.nz
canadapost postescanada: canadapost.ca canadapost-postescanada.ca postescanada.ca
~cra ~cra-arc: canada.ca cra-arc.gc.ca gc.ca
~rbc royalbank: rbc.com royalbank.com rbcroyalbank.com
scotiabank: scotiabank.com
desjardins: desjardins.com
cibc: cibc.com cibconline.com
~bmo: bmo.com
tdbank tdcanadatrust: td.com tdbank.com
interac: interac.ca
~rogers telus: rogers.com telus.com
purolator: purolator.com
~ally allybank: ally.com
navyfederal: navyfederal.org
~usaa: usaa.com
~regions: regions.com
zelle: zellepay.com zelle.com
~chime: chime.com
robinhood: robinhood.com
~etrade: etrade.com
~spectrum: spectrum.com spectrum.net
tmobileusa ~t-mobile: t-mobile.com telekom.com
~sunpass ~fastrak ~txtag: sunpass.com bayareafastrak.org txtag.org
geeksquad: geeksquad.com bestbuy.com
~aetna ~cigna: aetna.com cigna.com
homedepot: homedepot.com
~lowes: lowes.com
~kroger: kroger.com
temu shein: temu.com shein.com
etsy: etsy.com
doordash ubereats: doordash.com ubereats.com
~login.gov id.me: login.gov id.me
~social-security: ssa.gov
bancobrasil bancodobrasil: bb.com.br
~caixa: caixa.gov.br
nubank: nubank.com.br nubank.com
~mercadolivre mercadolibre mercadopago: mercadolivre.com.br mercadolibre.com mercadopago.com mercadopago.com.br mercadolibre.com.ar mercadolibre.com.mx
receitafederal: receita.fazenda.gov.br gov.br
~detran: gov.br
picpay: picpay.com
~vivo ~claro: vivo.com.br claro.com.br claro.com.co claro.com
~serasa: serasa.com.br serasaexperian.com.br
magazineluiza ~magalu: magazineluiza.com.br magalu.com
bancolombia: bancolombia.com
davivienda: davivienda.com
banorte: banorte.com
~banamex citibanamex: banamex.com citibanamex.com
~telmex telcel: telmex.com telcel.com
~dian: dian.gov.co
~sat.gob: sat.gob.mx
bancoestado: bancoestado.cl
bancodechile: bancochile.cl bancodechile.cl
~galicia bancogalicia: galicia.ar bancogalicia.com.ar bancogalicia.com
~afip: afip.gob.ar arca.gob.ar
~bcp viabcp: viabcp.com
interbank: interbank.pe
rakuten: rakuten.co.jp rakuten.com rakuten-card.co.jp rakuten-bank.co.jp rakuten-sec.co.jp
sagawa sagawa-exp: sagawa-exp.co.jp
kuronekoyamato ~yamato: kuronekoyamato.co.jp yamato-hd.co.jp
japanpost: japanpost.jp post.japanpost.jp jp-bank.japanpost.jp
mufg: mufg.jp bk.mufg.jp
smbc: smbc.co.jp smbc-card.com smbcgroup.com
mizuho mizuhobank: mizuhobank.co.jp mizuho-fg.co.jp
~aeon aeoncard: aeon.co.jp
~jcb: jcb.co.jp jcb.com
saisoncard: saisoncard.co.jp
docomo: docomo.ne.jp nttdocomo.co.jp
softbank: softbank.jp
mercari: mercari.com jp.mercari.com
~etc-meisai: etc-meisai.jp
icbc: icbc.com.cn icbc.com
~ccb: ccb.com ccb.cn
~abchina: abchina.com abchina.com.cn
cmbchina: cmbchina.com
bankofchina: boc.cn bankofchina.com
unionpay: unionpay.com 95516.com
~taobao ~tmall ~jd.com: taobao.com tmall.com jd.com
~wechat ~weixin tencent ~qq: wechat.com weixin.qq.com qq.com tencent.com
chinapost: chinapost.com.cn ems.com.cn
shunfeng ~sf-express: sf-express.com
12306.cn: 12306.cn
hangseng: hangseng.com
hongkongpost: hongkongpost.hk
chunghwapost: post.gov.tw
kakao kakaobank: kakao.com kakaobank.com kakaopay.com
~naver: naver.com
~coupang: coupang.com
cjlogistics: cjlogistics.com
kbstar: kbstar.com
shinhan: shinhan.com
singpost: singpost.com
dbsbank ~posb: dbs.com dbs.com.sg
ocbc: ocbc.com
singpass: singpass.gov.sg
maybank maybank2u: maybank2u.com.my maybank.com
cimbclicks cimb: cimbclicks.com.my cimb.com
poslaju: pos.com.my poslaju.com.my
shopee lazada: shopee.com shopee.sg shopee.co.id shopee.com.my shopee.vn shopee.ph lazada.com lazada.co.id lazada.com.my
klikbca ~bca: bca.co.id klikbca.com
bankmandiri ~livin: bankmandiri.co.id
~bri ~brimo: bri.co.id
~bni: bni.co.id
tokopedia ~gojek: tokopedia.com gojek.com
vietcombank: vietcombank.com.vn
techcombank: techcombank.com
bidv vietinbank: bidv.com.vn vietinbank.vn
vnpost: vnpost.vn
kasikornbank ~kbank: kasikornbank.com
~scb.co.th: scb.co.th
thailandpost: thailandpost.co.th
bdo.com.ph gcash: bdo.com.ph gcash.com
statebank ~yono: sbi.co.in onlinesbi.sbi onlinesbi.com sbi.bank.in
axisbank: axisbank.com axisbank.co.in
kotak: kotak.com
paytm phonepe: paytm.com phonepe.com
flipkart: flipkart.com
~aadhaar uidai: uidai.gov.in
incometax: incometax.gov.in
indiapost: indiapost.gov.in
airtel ~jio: airtel.in jio.com
irctc: irctc.co.in
emiratesnbd: emiratesnbd.com
~adcb: adcb.com
etisalat: etisalat.ae
emiratespost: emiratespost.ae emx.ae
aramex: aramex.com
alrajhibank: alrajhibank.com.sa
absher: absher.sa
israelpost: israelpost.co.il
bankhapoalim: bankhapoalim.co.il
leumi: leumi.co.il bankleumi.co.il
capitec capitecbank: capitecbank.co.za
~fnb: fnb.co.za
~absa nedbank: absa.co.za nedbank.co.za
standardbank: standardbank.co.za standardbank.com
~sars: sars.gov.za sarsefiling.co.za
~takealot: takealot.com
mpesa safaricom: safaricom.co.ke
gtbank: gtbank.com
siemens: siemens.com siemens.de siemens-energy.com siemens-healthineers.com
volkswagen: volkswagen.com volkswagen.de vw.com
~maersk: maersk.com
~tnt: tnt.com
~swift: swift.com
nordvpn expressvpn: nordvpn.com nordvpn.net nordaccount.com expressvpn.com
~squarespace ~wix: squarespace.com wix.com
zendesk: zendesk.com
hubspot: hubspot.com hubspot.net
~box: box.com box.net
~monday ~asana: monday.com asana.com
dropboxsign pandadoc: dropbox.com pandadoc.com
~onelogin: onelogin.com
samsung: samsung.com
huawei xiaomi: huawei.com mi.com xiaomi.com
playstation: playstation.com sonyentertainmentnetwork.com sony.com
nintendo: nintendo.com nintendo.de nintendo.co.jp nintendo.net
ryanair easyjet: ryanair.com easyjet.com
emirates: emirates.com
~marriott ~hilton: marriott.com hilton.com
~agoda: agoda.com
moneygram westernunion: moneygram.com westernunion.com wu.com
payoneer: payoneer.com
skrill neteller: skrill.com neteller.com
bitpanda bitstamp bybit ~okx: bitpanda.com bitstamp.net bybit.com okx.com
phantom.app ~uniswap: phantom.app phantom.com uniswap.org
~exodus: exodus.com
easypark: easypark.com easypark.de easypark.net easypark.se easypark.no easypark.dk easypark.fi easypark.it easypark.es easypark.fr easypark.nl easypark.at easypark.ch easyparkgroup.com
paybyphone: paybyphone.com paybyphone.co.uk paybyphone.fr paybyphone.de
ringgo: ringgo.co.uk myringgo.co.uk ringgo.com
parkster: parkster.com parkster.de parkster.se
~parknow ~handyparken: park-now.com parknow.com handyparken.at
~flowbird: flowbird.group flowbirdapp.com
justpark: justpark.com
parkmobile: parkmobile.io parkmobile.com parkmobile.nl
~apcoa: apcoa.com apcoa.de apcoa.co.uk apcoa.it apcoa.no apcoa.se
qpark q-park: q-park.com q-park.nl q-park.de q-park.co.uk q-park.fr q-park.be q-park.ie q-park.dk
~indigo: group-indigo.com parkindigo.com parkindigo.fr
~telpark ~elparking: telpark.com elparking.com
mycicero: mycicero.it mycicero.eu
contipark: contipark.de
spothero parkwhiz: spothero.com parkwhiz.com
wilsonparking: wilsonparking.com.au
toll-collect tollcollect: toll-collect.de
asfinag: asfinag.at
~viaverde: viaverde.pt
~sanef bipandgo ~fulli: sanef.com bipandgo.com fulli.com
bipdrive: bipdrive.com
~autostrade: autostrade.it
~autopass: autopass.no
edalnice: edalnice.cz
~eflow: eflow.ie
peachpass: peachpass.com
~ipass illinoistollway: getipass.com illinoistollway.com
~ntta thetollroads: ntta.org thetollroads.com
touchngo: touchngo.com.my tngdigital.com.my
~rwe ~yello ~lichtblick: rwe.com yello.de lichtblick.de
wienenergie: wienenergie.at
totalenergies enedis: totalenergies.fr totalenergies.com enedis.fr
~eni plenitude eniplenitude: eni.com eniplenitude.com
~edison ~acea gruppohera: edison.it edisonenergia.it acea.it gruppohera.it
repsol: repsol.com repsol.es
~galp: galp.com galp.pt
~greenchoice: greenchoice.nl
~luminus ~fluvius: luminus.be fluvius.be
scottishpower: scottishpower.co.uk scottishpower.com
~ovo ovoenergy eonnext: ovoenergy.com eonnext.com
thameswater: thameswater.co.uk
~orsted: orsted.com orsted.dk
~fortum ellevio: fortum.com fortum.se fortum.fi ellevio.se
~pge ~enea ~energa: pge.pl enea.pl energa.pl
~cez: cez.cz
electricireland bordgais: electricireland.ie bordgaisenergy.ie
~coned conedison: coned.com
duke-energy dukeenergy: duke-energy.com
~nationalgrid: nationalgridus.com nationalgrid.com nationalgrid.co.uk
hydroquebec hydro-quebec: hydroquebec.com
bchydro: bchydro.com
originenergy energyaustralia ~agl: originenergy.com.au energyaustralia.com.au agl.com.au
~cemig sabesp: cemig.com.br sabesp.com.br
~cfe: cfe.mx
eskom: eskom.co.za
~salt: salt.ch
~tim: tim.it telecomitalia.it
~eir: eir.ie
giffgaff talktalk ~plusnet: giffgaff.com talktalk.co.uk plus.net
~bell ~fido: bell.ca fido.ca
vodacom ~mtn: vodacom.co.za mtn.com mtn.co.za
centurylink ~frontier: centurylink.com frontier.com
alditalk: alditalk.de
norisbank ~haspa ~bbbank: norisbank.de haspa.de bbbank.de
~cic monabanq: cic.fr monabanq.com
evobanco ~imagin ~cajarural: evobanco.com imagin.com cajarural.com ruralvia.com
laboralkutxa: laboralkutxa.com
~credem ~widiba illimity: credem.it widiba.it illimity.com illimitybank.com
bancobpi montepio activobank: bancobpi.pt montepio.pt bancomontepio.pt activobank.pt
~valiant: valiant.ch
virginmoney: virginmoney.com
bankofscotland ulsterbank: bankofscotland.co.uk ulsterbank.ie ulsterbank.co.uk
~citizensbank keybank: citizensbank.com key.com keybank.com
~synchrony ~sofi ~huntington fifththird: synchrony.com sofi.com huntington.com 53.com
~macquarie bankwest ~suncorp: macquarie.com macquarie.com.au bankwest.com.au suncorp.com.au
denizbank: denizbank.com
bankofbaroda canarabank yesbank indusind: bankofbaroda.in bankofbaroda.com canarabank.com canarabank.in yesbank.in indusind.com
bancointer sicoob sicredi: bancointer.com.br inter.co sicoob.com.br sicredi.com.br
bancoazteca: bancoazteca.com.mx
hrvatskaposta hrvatska-posta: posta.hr
postaslovenije: posta.si
lietuvospastas lpexpress: post.lt lpexpress.lt
latvijaspasts: pasts.lv
correoargentino: correoargentino.com.ar
~relaiscolis ~colisprive: relaiscolis.com colisprive.com colisprive.fr
~brt: brt.it
~yodel: yodel.co.uk
`
