/** What the words of a host say. */

import { words } from '#inspect/core/words.ts'

/** Words of hosts that say what is asked for, not whose they are. */
const GENERIC: ReadonlySet<string> = new Set(
  words(`login logon signin sign sso auth authenticate authentication verify verification verified secure security account accounts
  portal mfa 2fa otp password reset unlock recover id identity access mail mailbox voicemail message messages office doc docs document
  documents file files share shared signature review approve policy policies hr payroll salary wages bonus benefits compensation employee
  staff handbook update renew renewal confirm confirmation notice notification alert alerts service services support desk help center
  centre online web my e the app pay payment payments bill billing invoice invoices fee fees fine fines penalty penalties parking toll tolls tax
  taxes refund refunds rebate claim claims parcel parcels package packages post delivery deliveries redelivery deliver shipment shipping
  shipments track tracking customs duty courier express card cards bank banking wallet traffic ticket tickets city gov government council
  court citation violation collect release irs hmrc dvla uk us eu claim form forms review storage
  bussgeld strafzettel paket sendung zoll steuer steuern rueckerstattung erstattung rechnung zahlung zahlungen konto bank sicherheit anmeldung
  gehalt personal lohn zustellung maut stadt amende amendes colis livraison impots impot remboursement compte paiement facture securite multa
  multas paquete entrega envio pago pagos cuenta impuestos devolucion nomina seguridad hacienda multe pacco consegna rimborso conto pagamento
  kunde kunden konten mein meins verifizieren pruefen pruefung bestaetigen bestaetigung aktualisieren aktualisierung freischalten
  freigabe tan pushtan client clients espace connexion verifier verificar verificacion clientes acceso accesso verifica area
  pagamenti fattura sicurezza authenticator renewal enrol enroll enrolment register registration onboard team doc viewer complete
  completed quarantine open public center meter go link charge station med results result gift win winner supplier remit info
  electronic digital remote vpn key keys device devices link links appeal meta apps
  kundenzentrum abruf legitimation abgleich servizio servizi clienti documenti documento firma firme utente dati conferma
  espace salarie salaries agent bulletin regul regularisation fiscale formulaire validacion validar web atualiza atualizar cadastro
  dados confirmar entregas correos doplata doplaty kurier kadry place logowanie konto konta weryfikacja platnosci gebyr pakke pakker
  bekreft bekraft bekraeft konto nettbank tunnistus paivitys tili dorucenie dorucenia zasielka zasielky zasilka zasilky overeni klienta
  klient szamla ellenorzes csomag fizetes plati amenda ghiseul ceza sorgula odeme kargo takip paralavi pliromi
  xacthuc taikhoan nganhang verifikasi rekening akun kyc ninsho koushin taekbae juso xinzi butie kvytantsiya dostavka vyplata shtraf
  betaalportaal portaal betaalpas pas uitkering verlenging loonstrook rueckzahlung rueckzahlungen freischaltung dekyc renouvellement rembours
  rembourser devoluciones citacion empleado rimborsi avviso alfandega reembolso taxa sanzioni mandaty zwrot dorucenie doruceni prihlaseni login
  datova visszaterites vam rambursare colet vrashtane dostavka epistrofi iade kargo ihlal podtverdi oplata shtrafy bonus bonusy zahyst dopomoga
  aterbaring tull lonebesked utbetaling levering opdatering tilbage palautus paketti mokestis tikrinimas piegade tagastus carina povrat paket
  paketi ghrama tawsil tahdith meches heshbon taeed ghat bijli challan tuikuan shuiwu renzheng gongzi haisou meisai hwangeup gyotong beomchik
  posta post thue capnhat kembali bayar etilang cukai rudisha verifica reverify unpaid hold renew renewals setup join meeting scan fax
  benefit benefits airdrop firmware msg livraison seguridad gehaelter bonusmitteilung erstattungen gebuehr gebuehren zollamt
  extend extension coverage sanciones sancion grant dividend pension voucher fastag recharge warranty domain trademark sheriff jury disconnect podatki podatek
  confidential confidencial confidentiel vertraulich vertraulicher riservato riservata reservado reservada poufny poufna duverny doverny bizalmas
  luottamuksellinen fortroligt fortrolig hemligt hemlig vertrouwelijk stuk schriftstueck dokument dokumen dokumentum asiakirja rahasia gizli
  belge tajny secret segreto secreto courrier lettre brief ladesaeule laden zahlen laadpaal betalen borne recharge recarga carga punto posto
  colonnina paga ladowarka oplata laddstolpe betala nabijeni platba statie incarcare sarj zaryadka bonus bollette energia energie energy
  ansok beihilfe zuschuss ayuda apoio toeslag aanvraag demande erbschaft nachlass gewinn premio lot prize raffle wins handset relink
  doppelzahlung duplicado duplicate double dubbele dobbelt doppio podwojna membership lapse mitgliedschaft verlaengern fach schliessfach abholung
  miete loyer nouveau nuevo neues new consigne retrait taquilla recogida locker rent tenant
  seguranca seguro segura envelope review haitatsu rikutei betaalverzoek douane identificatie identification herstel rastreamento rastreio
  inloggen inloggning logga kirjaudu giris vhod masuk app apps online nl de fr it es pl se dk fi at ch uk us au br jp cn
  check mijn beveiliging weergave dok bezorging bezorgen pas klantenservice vardportal auszahlung auszahlungen viplata pcn fpn boete pakket bezorging betaling belasting rekening mandat paczka platnosc shtraf nalog`),
)
/** Of them, those for which no honest host has a name of its own beside its owner. */
export const LURES =
  /befizet|hatralek|pokut[ay]|nedoplat|zaleglosc|arrears|gecikmis|log-?[io]n|sign-?[io]n|verif|secur|account|auth|sso|mfa|2fa|passw|unlock|recover|payroll|salar|gehalt|lohn|nomina|voicemail|refund|fine|penalt|redeliver|customs|toll|bussgeld|amende|multa|boete|rimborso|remboursement|erstattung|esign|docsign|storage|parcel|zustell|zoll|suivi|hr-|-hr\b|authenticat|enrol|renewal|legitim|confirm|bekreft|weryfik|verifik|overen|xacthuc|platnosc|doplat|gebyr|dorucen|ceza|kyc|quarantine|release|remit|beveilig|betaal|uitkering|verleng|loonstr|rueckzahl|ruckzahl|gebuehr|freischalt|renouvel|rembours|reembols|devoluc|citacion|sanzion|mandat|zwrot|visszater|rambursa|vrashtan|epistrof|shtraf|podtverd|aterbar|lonebesk|utbetal|opdater|palaut|mokest|tikrin|piegad|tagast|carin|povrat|ghrama|tahdith|tawsil|meches|taeed|challan|tuikuan|renzheng|gongzi|haisou|hwangeup|beomchik|capnhat|xacminh|kembali|bayar|cukai|rudisha|reverif|unpaid|rebate|airdrop|bonus|iade|odeme|dostav|levering|alfandeg|aduana|prihlas|doplat|overit|wallet|seed|sancion|verifis|dogrula|meldekort|konferma|odmena|rasoum|unblock|suspend|warrant|extend|tilbage|kontonummer|expire|entsperr|conferm|cadastr|tunnistus|ninsho|taekbae|auszahl|v[iy]plat/

/** Beside the name of a brand, in many languages: what is to be opened, entered, renewed, paid or got back. */
const ASKS =
  /sharedoc|securedoc|fileshare|shared|identif|idverif|erneuer|rastre|rastreio|bloqu|blok(?:ad|ir|k)|sperr|herstel|restor|reactiv|reaktiv|activa|aktivier|aktyw|aktiva|valid|valider|inlog|inicia|acceso|acesso|acced|accesso|acces-|entrar|ingres|zugang|anmeld|einlogg|ident-|aanmeld|loggain|logga|innlogg|kirjaud|tunnus|belep|prijav|prihlas|vhod|vkhod|giris|onayla|dogrul|masuk|dangnhap|denglu|yanzheng|haitatsu|ninshou|cancel|payee|redeliv|reschedul|track|trace|seguimiento|seguiment|tracciament|spedizion|paket|paczk|przesylk|parcel|bezorg|douane|customs|fee|pay|zahl|bezahl|pagar|pago|pagament|paiement|facture|factura|fattur|fatura|rechnung|invoice|billing|bill-|refund|rebate|rueck|rimbors|devol|support|helpdesk|assist|recover|unlock|wallet|seed|airdrop|claim|bonus|gift|prize|reward|voucher|securit|secure|sicher|segur|sicur|beveil|account|konto|compte|cuenta|conta-|verif|confirm|bestaet|bekraft|update|upgrade|aktualis|actualiz|renew|renov|verleng|validat|vitale|alert|expire|login|logon|signin|auth|portal|mfa|2fa|otp|kyc|pushtan|phototan|smsid|passw/

export const asks = (words: string): boolean => LURES.test(words) || ASKS.test(words)

/** Of a label of a host, which has 63 characters. */
const WORD_MAX = 63
const LENGTHS = [...new Set(Array.from(GENERIC, ({ length }) => length))]

/** Nothing but such words, one after the other. */
export function isAllGeneric(word: string): boolean {
  if (word.length > WORD_MAX) return false
  const ends = new Set([0])
  // Of a name, usually none but the first place is looked at.
  for (const at of ends)
    for (const length of LENGTHS)
      if (at + length <= word.length && GENERIC.has(word.slice(at, at + length))) ends.add(at + length)
  return word !== '' && ends.has(word.length)
}

export const isGenericName = (name: string): boolean =>
  name.split(/[-_\d]+/).every((word) => word === '' || isAllGeneric(word))

/** Several of such words: a single one may be the name of somebody. */
export const isPretextName = (name: string): boolean => name.includes('-') && isGenericName(name)

/** Suffixes under which only offices of a state are. */
const OF_STATE =
  /(?:^|\.)(?:gov|mil|int|gouv|gob|gub|gv|govt|go|admin|police|nhs|lg|bel|pol)(?:\.[a-z]{2})$|\.(?:gov|mil|int)$|(?:^|\.)(?:europa\.eu|bund\.de|bayern\.de|admin\.ch|overheid\.nl|belastingdienst\.nl|cjib\.nl|svb\.nl|uwv\.nl|rdw\.nl|duo\.nl|politie\.nl|mijnoverheid\.nl|toeslagen\.nl|borger\.dk|virk\.dk|politi\.dk|rundfunkbeitrag\.de|arbeitsagentur\.de|deutsche-rentenversicherung\.de|zoll\.de|polizei\.de|gesundheitskasse\.at|serafe\.ch|caf\.fr|urssaf\.fr|kronofogden\.se|forsakringskassan\.se|polisen\.se|nav\.no|altinn\.no|politiet\.no|vegvesen\.no|vero\.fi|kela\.fi|suomi\.fi|emta\.ee|vmi\.lt|mojedatovaschranka\.cz|financnasprava\.sk|anaf\.ro|ghiseul\.ro|nap\.bg|porezna-uprava\.hr|revenue\.ie|ros\.ie|canada\.ca|gc\.ca|inps\.it|pagopa\.it|gosuslugi\.ru|nalog\.ru|gouv\.fr|service-public\.fr|skatteverket\.se|skat\.dk|skatteetaten\.no|impots\.gouv\.fr)$/
export const isOfState = (host: string): boolean => OF_STATE.test(host)
