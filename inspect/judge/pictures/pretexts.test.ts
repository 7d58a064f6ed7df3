/** Codes with a text beside them: what phishing writes, and what others write. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { qrMatrix, writePng } from '#inspect/testing/qr-writer.ts'

const { inspect } = useInspector()

const mail = (text: string, target: string): Buffer =>
  Buffer.from(
    [
      'From: a@example.com\r\nTo: b@example.org\r\nSubject: Notice\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="x"\r\n',
      `--x\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<html><body><p>${text}</p><img src="cid:q"></body></html>`,
      `--x\r\nContent-Type: image/png\r\nContent-ID: <q>\r\nContent-Transfer-Encoding: base64\r\n\r\n${writePng(qrMatrix(target)).toString('base64')}`,
      '--x--\r\n',
    ].join('\r\n'),
  )

/** What makes a text longer than one that has little else than a code. */
const MORE =
  ' Our office is open from Monday to Friday between nine and five. We are happy to answer all of your questions about this letter by phone or in person at the counter on the ground floor. Please have the number of the letter at hand. Thank you for your patience and for your understanding. The team wishes you a pleasant day and remains at your service.'

const ATTACKS: readonly (readonly [string, string])[] = [
  [
    'Quý khách vui lòng dùng điện thoại quét mã, xác thực sinh trắc học trước khi tài khoản bị tạm khóa, đăng nhập và nhập mã OTP.',
    'https://digibank.xac-thuc-sinh-trac.top/',
  ],
  [
    'Delivery notice. We could not deliver your parcel today. Scan the QR code to arrange redelivery.',
    'https://parcel-redelivery.example/track?id=123',
  ],
  [
    'Dear employee, the annual salary adjustment has been completed. Scan the code with your phone to review your new salary. Human Resources',
    'https://northwind-hr.example/review',
  ],
  [
    'Updated HR policy. All staff must read and acknowledge the attached policy by Friday. Scan the QR code.',
    'https://policy-portal.example/ack',
  ],
  [
    'Parking penalty notice. You parked without a valid ticket. Pay 35 EUR within 14 days, scan the QR code to pay. City Parking Enforcement',
    'https://city-parking-fines.example/pay',
  ],
  [
    'Invoice 2291. Total 1,290.00 EUR. Our bank account has changed. Scan the code to pay.',
    'https://invoice-payments.example/2291',
  ],
  [
    'Tax office: you are entitled to a refund of 412.90. Scan the QR code to claim your tax refund.',
    'https://refund-claim.example/form',
  ],
  [
    'Verkehrsverstoß: Bußgeldbescheid. Scannen Sie den QR-Code und zahlen Sie innerhalb von 7 Tagen.',
    'https://bussgeld-zahlung.example/a',
  ],
  ['DocuSign: a completed document is waiting for your signature. Scan to review.', 'https://docs-review.example/x'],
  ['Votre colis est en attente. Flashez le code pour régler les frais de 1,99 €.', 'https://colis-suivi.example/p'],
  [
    'Aviso de la DGT: tiene una multa pendiente. Escanee el código QR para pagar antes de 48 horas.',
    'https://multas-pago.example/m',
  ],
  ['Your mailbox storage is full. Scan to keep access.', 'https://mail-keep.example/a'],
  ['Your MFA expires today. Scan this code with your phone to re-enrol.', 'https://sso.contoso-verify.example/mfa'],
  [
    'Agenzia delle Entrate: rimborso di 230 euro in attesa. Inquadra il codice QR.',
    'https://rimborso-online.example/r',
  ],
  ['Twój paczka została wstrzymana. Zeskanuj kod i dopłać 2,50 zł.', 'https://paczka-doplata.example/p'],
  ['Ваша посылка задержана. Отсканируйте код и оплатите доставку.', 'https://posylka-dostavka.example/p'],
  ['您的包裹无法投递。请扫描二维码支付运费。', 'https://kuaidi-fee.example/p'],
  ['お荷物をお届けできませんでした。QRコードを読み取り、関税をお支払いください。', 'https://nimotsu.example/p'],
  ['Swiss Post: pay the customs fee of CHF 2.99', 'https://swisspost-fee.example/p'],
  ['Bank security: your card is suspended. Scan the code to unlock your card.', 'https://card-unlock.example/p'],
  ['Voicemail from +44 20 1234. Scan to listen.', 'https://vm-listen.example/p'],
  [
    'Hillmore Council. Penalty notice FPN 88213. Scan to pay 40.00 GBP within 14 days or to appeal.',
    'https://hillmore-parking-penalty.pay-fpn-now.co/88213',
  ],
  ['Parkzone 12: Automat defekt. Code scannen, Kennzeichen und Kartendaten eingeben.', 'https://zone12-ticket.com/a'],
  [
    'Horodateur en panne. Flashez le code et saisissez les informations de votre carte.',
    'https://zone12-tickets.com/a',
  ],
  ['Parquímetro averiado. Escanee el código e introduzca los datos de su tarjeta.', 'https://zona12-tickets.com/a'],
  ['Parchimetro guasto. Inquadri il codice e inserisca i dati della sua carta.', 'https://zona12-tickets.com/a'],
  ['Parkomat nieczynny. Zeskanuj kod i podaj dane karty.', 'https://strefa12-bilet.com/a'],
  ['Parkeerautomaat defect. Scan de code en vul uw kaartgegevens in.', 'https://zone12-kaartje.com/a'],
  ['Park here. Scan the code to pay.', 'https://zone12.paybyphone-payment.com/a'],
  ['Hier parken. Code scannen und bezahlen.', 'https://zone12.parkster-zahlung.com/a'],
  ['Péage: flashez le code pour régler.', 'https://bipandgo-paiement.com/a'],
]

const HARMLESS: readonly (readonly [string, string])[] = [
  ['Trattoria Luigi. Scan for our menu and to pay at the table.', 'https://luigi-menu.example/karte'],
  [
    'Invoice 4711. Müller Bau GmbH. Please pay within 14 days. Scan to pay online.',
    'https://mueller-bau.example/pay/4711',
  ],
  [
    'Your ticket for the Spring Concert at City Hall. Show this code at the entrance. Tickets by TixNow. No refund.',
    'https://tixnow.example/t/abc123',
  ],
  [
    'Stadtwerke Musterstadt: Ihre Rechnung. Zahlen Sie bequem per QR-Code bis 14.03., sonst fallen Mahngebühren an.',
    'https://stadtwerke-musterstadt.example/rechnung',
  ],
  ['Museum of Clocks. Scan to hear the audio guide. Please avoid flash.', 'https://museum-of-clocks.example/audio'],
  [
    'Delivery note 881. Acme Tools Ltd. Signature of recipient: ____ Track your shipment: scan the code',
    'https://acme-tools.example/track/881',
  ],
  [
    'Welcome to Northwind. Scan the code to open the employee handbook on the intranet.',
    'https://intranet.northwind.example/handbook',
  ],
  ['City of Springfield. Parking penalty. Pay within 14 days.', 'https://www.springfield.gov/parking'],
  ['Join our Wi-Fi and follow us on Instagram! Cafe Luna', 'https://cafe-luna.example/'],
  ['Boarding pass. Flight LX 123. Scan at the gate. Today 14:05', 'https://skyair.example/bp/1. SkyAir'],
  ['SkyAir boarding pass. Scan to check in today.', 'https://checkin.skyair.example/bp'],
  ['Gift card of Bookshop Lindgren. Scan to see the balance of your card.', 'https://lindgren-books.example/card'],
  ['Conference badge. Register and sign in at the desk. DevConf 2026', 'https://devconf.example/b/1'],
  ['Please donate: Red River Animal Shelter. Scan to pay.', 'https://redrivershelter.example/donate'],
  [
    'Water bill. Riverton Water Company. Amount due 88.10. Pay today by scanning the code.',
    'https://pay.rivertonwater.example/88',
  ],
  ['Warranty registration of your coffee machine Brewster 500. Scan to register.', 'https://brewster.example/register'],
  ['Survey: how was your stay? Hotel Seeblick', 'https://forms.gle/abc'],
  ['Come and sing with the Blue Heron choir. Scan for the dates.', 'https://blue-heron.club/dates'],
  ['Log in to see the dates of our choir at blue-heron.club', 'https://blue-heron.club/dates'],
  ...[
    '192.168.7.20:8080',
    '10.0.0.3',
    '[fd00::7]',
    'localhost:3000',
    'lamp.local',
    'nas.lan',
    'hub.home.arpa',
    'nas',
  ].map(
    (host) =>
      ['Pair it again: scan the code within 2 minutes and log in with your password.', `http://${host}/pair`] as const,
  ),
  [
    'Slides github.com/tinyfarm/talks/tree/main/2026 Checklist docs.tinyfarm.example/dev',
    'https://docs.tinyfarm.example/dev',
  ],
  ['Photos: instagram.com/olivepress.music Tickets: theoldmill.example', 'https://theoldmill.example/t'],
  [
    'Packagers and translators meet at eight, two days before the release. No fee.',
    'https://night-train.example/notes',
  ],
  [
    'Hier parken mit EasyPark, Parkster oder PayByPhone. Zone 1407. Code scannen.',
    'https://www.stadt-lindau.example/parken',
  ],
  ['Kartendaten: OpenStreetMap. Scannen und Wanderung ansehen.', 'https://bergwege.example/tour/4'],
]

const isPhishing = (text: string, target: string): boolean =>
  inspect(mail(text, target)).findings.some(({ id }) => /^Docvet\.(?:Qr\.Phishing|Link\.Deceptive)$/.test(id))

describe('phishing', () => {
  for (const [text, target] of ATTACKS) test(text, () => assert.ok(isPhishing(text, target)))
})

describe('phishing in a longer text', () => {
  for (const [text, target] of ATTACKS.filter(
    ([text]) => !/^(?:Swiss|Your mailbox|Voicemail|Invoice|Invoice)/.test(text),
  ))
    test(text, () => assert.ok(isPhishing(text + MORE, target)))
})

describe('no phishing', () => {
  for (const [text, target] of HARMLESS)
    test(text, () => {
      assert.ok(!isPhishing(text, target))
      assert.ok(!isPhishing(text + MORE, target))
    })
})
