/** Texts beside codes, as phishing and as others write them: who writes, what, and where the code leads. */

import { qrMatrix, writePng } from './qr-writer.ts'
import { writeZip } from './zip-writer.ts'

interface CodeText {
  text: string
  target: string
}

const at = (target: string, text: string): CodeText => ({ target, text: text.replace(/\s+/g, ' ').trim() })

export const CODE_ATTACKS: readonly CodeText[] = [
  at(
    'https://authenticator-renewal.info/e/8c1',
    `Brightwater Logistics IT Service Desk. Dear colleague, the certificate that links your handset with your
    corporate account reaches the end of its lifetime on Thursday. After that date e-mail, calendar and Teams will no longer synchronise. Point the camera of your
    phone at the square below and complete the three steps on the page that appears. The procedure takes less than two minutes and must be finished by every member
    of staff. Colleagues who are on leave should do it on their first working day. Kind regards, Service Desk, Brightwater Logistics`,
  ),
  at(
    'https://hr-doc-center.net/s/2231',
    `Meridian Foods Group. People and Culture. Subject: revised remuneration statement for the second half of the year. Following the
    annual review the board has approved changes to individual pay. Your personal statement has been prepared and is ready for acknowledgement. Because it holds
    confidential figures it can only be opened on a mobile device. Use the graphic underneath to open your copy. Statements that have not been acknowledged by 21 June
    will be processed with the previous figures. Please do not forward this letter to others.`,
  ),
  at(
    'https://dok-weergave.online/x/91',
    `Gemeente Zandvoort aan Zee, afdeling Heffingen. Geachte heer, mevrouw, uit onze administratie blijkt dat de aanslag afvalstoffenheffing
    nog niet volledig is voldaan. Het openstaande bedrag is 38,40 euro. Om extra kosten te vermijden verzoeken wij u het bedrag binnen vijf dagen over te maken. U kunt dit
    eenvoudig doen met uw telefoon: richt de camera op het vierkant hieronder en volg de stappen. Heeft u al betaald, dan kunt u deze brief als niet verzonden beschouwen.
    Met vriendelijke groet, de heffingsambtenaar`,
  ),
  at(
    'https://pakketcheck.click/nl',
    `PostNL. Beste klant, wij hebben geprobeerd uw zending te bezorgen, maar er was niemand thuis. Uw pakket ligt klaar in ons sorteercentrum.
    Kies een nieuw moment en betaal de kosten van 1,95 euro met de code hieronder.`,
  ),
  at(
    'https://mijn-beveiliging.info/rb',
    `Rabobank. Geachte klant, vanaf 1 juli werkt de oude scanner niet meer. Vraag nu uw nieuwe scanner aan met onderstaande QR-code, anders
    kunt u geen betalingen meer doen. De aanvraag is gratis. Met vriendelijke groet, uw adviseur`,
  ),
  at(
    'https://servizio-clienti.pro/i',
    `Poste Italiane. Gentile cliente, la informiamo che la sua utenza BancoPosta è stata temporaneamente limitata per motivi di sicurezza.
    Per ripristinare tutte le funzioni è necessario aggiornare i dati entro 48 ore. Inquadri il codice con il telefono e segua la procedura guidata. Se non completa l’aggiornamento,
    i pagamenti in uscita resteranno bloccati. Grazie per la collaborazione. Ufficio Sicurezza`,
  ),
  at(
    'https://documenti-firma.cloud/9d',
    `Studio Legale Ferri & Associati. Le è stato condiviso un documento riservato che richiede la sua firma elettronica. Per ragioni di privacy
    il file può essere aperto soltanto dallo smartphone. Utilizzi il riquadro qui sotto per visualizzare e firmare. Il collegamento resta valido fino a venerdì.`,
  ),
  at(
    'https://kvytantsiya.top/ua',
    `Шановний клієнте Нової пошти! Ваше відправлення не вдалося доставити через неповну адресу. Щоб уникнути повернення, уточніть адресу та сплатіть
    12 гривень за повторну доставку. Наведіть камеру телефону на код нижче. Термін зберігання відправлення становить два дні. З повагою, служба підтримки`,
  ),
  at(
    'https://diia-vyplata.site/p',
    `Міністерство соціальної політики України. Вам нарахована одноразова грошова допомога в розмірі 6500 гривень. Для отримання коштів потрібно підтвердити
    дані банківської картки. Відскануйте код та увійдіть у свій обліковий запис.`,
  ),
  at(
    'https://identity-svc.support/m',
    `Microsoft 365 Message Center. Your organisation now requires a second factor for all accounts. Your account is not yet enrolled. Open the camera
    app of your phone and hold it over the symbol to enrol. Accounts without enrolment are disabled at midnight.`,
  ),
  at(
    'https://kundenzentrum-service.info/dk',
    `Deutsche Kreditkasse. Sehr geehrte Damen und Herren, im Zuge der neuen EU-Zahlungsrichtlinie müssen wir die hinterlegten Daten
    aller Kundinnen und Kunden abgleichen. Bitte richten Sie die Kamera Ihres Telefons auf das Quadrat und durchlaufen Sie die Legitimation. Ohne Abgleich kann Ihr Girokonto ab dem
    1. August nur noch eingeschränkt genutzt werden. Die Bearbeitung dauert etwa drei Minuten. Wir danken für Ihr Verständnis. Ihre Kundenbetreuung`,
  ),
  at(
    'https://lohnportal-abruf.com/q',
    `Personalabteilung der Holzmann Werke. Liebe Kolleginnen und Kollegen, die Abrechnung für den laufenden Monat steht bereit. Wegen der Umstellung
    unseres Systems ist sie ausschließlich über das neue mobile Portal abrufbar. Nutzen Sie dazu die Grafik am Ende dieses Schreibens und melden Sie sich mit Ihren bekannten
    Daten an.`,
  ),
  at(
    'https://impots-regul.org/fr',
    `Direction des finances publiques. Madame, Monsieur, après les derniers calculs annuels de votre situation fiscale, nous avons déterminé que vous pouvez
    recevoir 217,34 euros. Présentez l’appareil photo de votre téléphone devant le carré ci-dessous afin de remplir le formulaire. Le versement intervient sous trois jours ouvrés.`,
  ),
  at(
    'https://espace-salarie.click/c',
    `Service des ressources humaines, Groupe Valmont. Bonjour, votre nouveau bulletin est consultable dans votre coffre électronique. Pour des raisons de
    confidentialité, l’ouverture se fait uniquement depuis un mobile à l’aide du pictogramme joint. Merci de valider votre lecture avant le 30 du mois.`,
  ),
  at(
    'https://correos-entrega.shop/x',
    `Correos. Estimado cliente: su envío está detenido en nuestra oficina porque faltan 1,79 euros de gastos. Apunte la cámara del móvil al cuadro
    siguiente y abone el importe. Transcurridas 72 horas el envío será devuelto al remitente.`,
  ),
  at(
    'https://validacion-web.net/ib',
    `Banco Ibérico. Hemos detectado un acceso desde un dispositivo nuevo. Si no ha sido usted, bloquee el acceso ahora mismo: abra la cámara y enfoque el
    símbolo. Su clave dejará de funcionar esta noche.`,
  ),
  at(
    'https://atualiza-cadastro.site/b',
    `Caixa Geral. Prezado cliente, o seu acesso ao aplicativo foi limitado. Aponte a câmara do telemóvel para o quadrado abaixo e confirme os seus dados
    para evitar o bloqueio definitivo da conta. O procedimento é gratuito e demora dois minutos.`,
  ),
  at(
    'https://doplata-kurier.pl.link-go.net/1',
    `InPost. Drogi Kliencie, Twoja przesyłka oczekuje w sortowni. Aby wznowić doręczenie, prosimy o dopłatę 1,49 zł. Skieruj aparat telefonu na kwadrat poniżej.
    Brak wpłaty w ciągu 24 godzin oznacza zwrot do nadawcy.`,
  ),
  at(
    'https://kadry-logowanie.com/z',
    `Dział Kadr i Płac spółki Nordmet. Szanowni Państwo, w związku ze zmianą systemu płacowego każdy pracownik musi potwierdzić numer rachunku do wypłaty wynagrodzenia.
    Prosimy skierować aparat telefonu na symbol i zalogować się danymi służbowymi do piątku.`,
  ),
  at(
    'https://vardportal-konto.se.help-desk.cc/1',
    `Region Mälardalen, IT-support. Hej! Ditt tjänstekort behöver förnyas innan fredag. Rikta mobilkameran mot rutan nedan och logga in med ditt vanliga
    lösenord. Om du inte gör det stängs din åtkomst till journalsystemet.`,
  ),
  at(
    'https://pakke-gebyr.top/dk',
    `PostNord Danmark. Vi kunne desværre ikke aflevere din pakke. Ret kameraet mod firkanten herunder og betal 14 kr. i told, så kører vi igen i morgen.`,
  ),
  at(
    'https://bekreft-konto.info/no',
    `Sparebanken Fjord. Kjære kunde, BankID-en din må bekreftes på nytt. Bruk mobilkameraet på ruten under og følg anvisningene. Uten bekreftelse blir nettbanken
    stengt i løpet av dagen.`,
  ),
  at(
    'https://tunnistus-paivitys.com/fi',
    `Osuuspankki Lahti. Hyvä asiakas, verkkopankkitunnuksesi vanhenevat huomenna. Osoita puhelimen kamera alla olevaan ruutuun ja päivitä tunnukset. Muuten tili
    lukitaan.`,
  ),
  at(
    'https://dorucenie-zasielky.online/sk',
    `Slovenská pošta. Vážený zákazník, vaša zásielka čaká na colné konanie. Namierte fotoaparát telefónu na štvorec a uhraďte poplatok 1,99 €.`,
  ),
  at(
    'https://overeni-klienta.info/cs',
    `Česká záložna. Vážený kliente, z bezpečnostních důvodů jsme omezili přístup do internetového bankovnictví. Pro obnovení namiřte fotoaparát telefonu na čtverec níže
    a přihlaste se. Neověřené účty budou zítra uzavřeny.`,
  ),
  at(
    'https://szamla-ellenorzes.net/hu',
    `Magyar Posta. Tisztelt Ügyfelünk! Csomagját nem tudtuk kézbesíteni. Irányítsa telefonja kameráját az alábbi négyzetre, és fizesse meg a 450 forint vámot, különben
    a csomagot visszaküldjük.`,
  ),
  at(
    'https://ghiseul-plata.info/ro',
    `Poliția Locală. Aveți o amendă neachitată pentru parcare nepermisă. Îndreptați camera telefonului spre pătratul de mai jos și achitați suma de 150 lei în 48 de ore,
    altfel suma se dublează.`,
  ),
  at(
    'https://ceza-sorgula.net/tr',
    `Emniyet Genel Müdürlüğü. Aracınıza ait ödenmemiş bir trafik cezası bulunmaktadır. Yüzde 25 indirimli ödeme için telefonunuzun kamerasını aşağıdaki kareye tutun. Süre yarın dolacaktır.`,
  ),
  at(
    'https://elta-paralavi.info/gr',
    `ΕΛΤΑ. Αγαπητέ πελάτη, το δέμα σας παραμένει στο κέντρο διαλογής. Στρέψτε την κάμερα του κινητού στο τετράγωνο και πληρώστε 1,80 ευρώ για την παράδοση.`,
  ),
  at(
    'https://absher-update.info/sa',
    `عزيزي العميل، تم إيقاف بطاقتك البنكية مؤقتا بسبب عدم تحديث البيانات. وجه كاميرا الهاتف نحو المربع أدناه وأدخل بياناتك لإعادة تفعيل البطاقة خلال 24 ساعة. البنك الوطني`,
  ),
  at(
    'https://doar-israel.info/il',
    `דואר ישראל. החבילה שלך ממתינה במכס. כוון את מצלמת הטלפון אל הריבוע ושלם 9.90 ש"ח כדי לשחרר אותה.`,
  ),
  at(
    'https://kyc-update.online/in',
    `प्रिय ग्राहक, आपके बैंक खाते का केवाईसी आज समाप्त हो रहा है। खाता बंद होने से बचाने के लिए फ़ोन का कैमरा नीचे दिए चौकोर पर रखें और अपना पासवर्ड दर्ज करें। स्टेट बैंक`,
  ),
  at(
    'https://xinzi-butie.com/cn',
    `人力资源部通知：根据财政部最新规定，2026年个人劳动补贴已开始申领。请各位员工用手机微信扫描下方图案，填写银行卡信息完成登记。逾期未登记视为放弃。`,
  ),
  at(
    'https://ninsho-koushin.info/jp',
    `【重要】三井第一銀行よりお知らせ。お客様の口座で不審な取引が確認されたため、一部の機能を制限しております。下の四角い図をスマートフォンのカメラで読み込み、本人確認をお願いいたします。24時間以内に確認されない場合、口座は凍結されます。`,
  ),
  at(
    'https://taekbae-juso.com/kr',
    `[우체국택배] 고객님의 택배가 주소 불명으로 배송이 보류되었습니다. 휴대폰 카메라로 아래 사각형을 비추어 주소를 확인하고 관세 2,900원을 결제해 주세요. 오늘까지 처리되지 않으면 반송됩니다.`,
  ),
  at(
    'https://xacthuc-taikhoan.info/vn',
    `Ngân hàng Á Đông. Kính gửi quý khách, tài khoản của quý khách sẽ bị khóa do chưa cập nhật sinh trắc học. Hướng máy ảnh điện thoại vào ô vuông bên dưới và đăng nhập trước 24 giờ.`,
  ),
  at(
    'https://verifikasi-rekening.info/id',
    `Bank Nusantara. Nasabah yang terhormat, rekening Anda akan diblokir karena data belum diperbarui. Arahkan kamera ponsel ke kotak di bawah dan masukkan kata sandi Anda hari ini.`,
  ),
  at(
    'https://secure-viewer.link/doc',
    `You have received an encrypted message from Halden & Sons Chartered Accountants. The attached statement is protected and cannot be shown on this device. Point your
    phone at the symbol to read it. This message was sent to accounts@lindqvist-import.com.`,
  ),
  at(
    'https://esign-complete.io/k',
    `Completed: Please review and sign - Settlement Agreement Q3. Sender: Legal Department. All parties have finished except you. View completed document by opening your phone camera.`,
  ),
  at(
    'https://quarantine-release.net/a',
    `Seven messages for finance@oakridge-timber.com were held by the filter. They will be removed after 48 hours. Release or review them on your mobile with the image below.`,
  ),
  at(
    'https://team-onboard.site/vpn',
    `Network Operations. The remote access client on your laptop will stop working on Monday morning because the gateway certificate is being replaced. To keep working from
    home register your device again. Unlock your phone, start the camera and hold it above the picture until a page opens, then use your usual network name and password. If several people
    share a laptop each of them has to register. Questions are answered by extension 4410 between eight and four.`,
  ),
  at(
    'https://supplier-remit.co/p/88',
    `Ashford Steel Limited, Accounts Receivable. To our customers: our bankers have changed. Invoice 20931 for 18,420.00 GBP and all later invoices are to be settled only
    through our new portal. Use the square on this page from your phone. Payments to the former account will be returned and may attract interest. Please inform your treasury team.`,
  ),
  at(
    'https://benefit-open.org/e',
    `Open enrolment ends tonight. Employees of Carver Medical who do not choose a plan will lose dental and vision cover for next year. Access the election form with your phone camera
    and the picture shown. Benefits Administration`,
  ),
  at(
    'https://fee-notice.org/ez',
    `E-ZPass Toll Services. Final notice. A balance of 6.99 remains on the vehicle registered to you. Settle the balance before 11:59 pm to avoid a 50.00 charge and a report to the
    Department of Motor Vehicles. Aim your phone at the square.`,
  ),
  at(
    'https://charge-station.app.pay-go.info/7',
    `City Charging. New here? Start charging in seconds. Aim your camera, enter your card and begin. Contactless payment at this station is out of order.`,
  ),
  at(
    'https://meter-pay.live/s/12',
    `PARKING - Pay here. Zone 4417. Pay by phone only. Unpaid vehicles are towed at the cost of the owner.`,
  ),
  at(
    'sgnl://linkdevice?uuid=k3J9&pub_key=BcQ1',
    `You have been invited to the Signal group "Regional coordination". Join the group by opening this picture in the Signal app.`,
  ),
  at(
    'https://signal-confirm.site/group?to=%2Flinkdevice',
    `Signal group invitation. Your colleague Iryna has added you to "Logistics East". Accept with your phone.`,
  ),
  at(
    'sgnl://linkdevice?uuid=aa81&pub_key=Bd00%2F',
    `Штаб оборони. Щоб приєднатися до захищеної групи, відкрийте Signal і наведіть камеру на зображення.`,
  ),
  at(
    'otpauth://totp/Northwind%20VPN:anna?secret=JBSWY3DPEHPK3PXP&issuer=Northwind%20VPN',
    `Dear user of Contoso Bank online, your old authenticator is no longer supported. Add the new key to your app with this picture. The
    previous key stops working today. Contoso Bank Security Team`,
  ),
  at(
    'tg://login?token=AQKxY2',
    `Telegram: your session must be confirmed. Open Telegram, Settings, Devices, and hold the camera over the picture, otherwise the account is deleted in 24 hours.`,
  ),
  at(
    'https://web.whatsapp-verify.net/s',
    `WhatsApp will charge you from Monday unless you confirm this account. Open WhatsApp, Linked devices, Link a device, and hold the phone over this picture.`,
  ),
  at(
    'bitcoin:bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh?amount=0.05',
    `Your computer was infected with our private software and we have recorded you. Send 0.05 BTC within 48 hours or the recording goes to all your contacts.`,
  ),
  at(
    'WIFI:T:nopass;S:Airport Free;;',
    `IT Security: your device is not compliant. Join the remediation network with this code and sign in with your password to avoid suspension of your account.`,
  ),
  at(
    'https://invoice-view.cloud/u/9',
    `Hi, please find your receipt attached. To view the document on your device, capture the image with your phone. Thank you for your business. Norton renewal 399.99 USD will be charged in 24 hours.`,
  ),
  at(
    'https://apps-update.xyz/w.apk',
    `Your bank has released a new security app. Install it on your Android phone now by pointing the camera at this image. The old app stops working on Friday.`,
  ),
  at(
    'https://med-results.site/p',
    `Patient portal of St Clare Hospital. Your test results are ready. Open them with your phone: aim the camera at the picture and enter your date of birth and your health insurance number.`,
  ),
  at(
    'https://gift-claim.win/99',
    `Congratulations! You were selected for a 500 EUR IKEA gift card. Point your phone at the square and pay 1.95 EUR for shipping. Only today.`,
  ),
  at(
    'https://meta-appeal.site/c',
    `Facebook Business Support. Your page violates our community standards and will be unpublished in 24 hours. File an appeal by opening the form with your phone.`,
  ),
]

export const CODE_HARMLESS: readonly CodeText[] = [
  at(
    'https://brightwater-logistics.com/it/mfa',
    `Brightwater Logistics IT Service Desk. From 1 June every colleague needs a second factor for remote access. Point the camera of your phone at the square below to read the
    instructions on our web site, or call extension 4410. You have four weeks. Nothing changes for those who have enrolled already. We offer help in the canteen every Wednesday from ten to twelve.
    Please bring your phone and your badge. Thank you for keeping our network safe. Kind regards, the Service Desk`,
  ),
  at(
    'https://www.microsoft.com/en-us/security/mobile-authenticator-app',
    `How to set up Microsoft Authenticator. 1. Install the app on your phone. 2. Scan the code to open the page of the app. 3. Sign in at aka.ms/mfasetup with your school account and follow
    the steps. If you need help, visit the library desk.`,
  ),
  at(
    'https://izi.travel/en/browse/9c1',
    `Welcome to the Old Harbour walk. There are eleven stations. At each of them you hear a story of three minutes. Scan the code with your phone to start. You need no account, and the tour is free. Please take care of the tides and do
    not leave the marked path. Dogs are welcome on a lead. The harbour café sells drinks and sandwiches until five. We hope that you enjoy your visit. Tourist office of the town of Westhaven`,
  ),
  at(
    'https://menu.resto.link/la-perla',
    `Ristorante La Perla. Inquadra il codice per vedere il menù, ordinare e pagare al tavolo. Coperto 2,50 euro. Buon appetito!`,
  ),
  at(
    'https://buy.stripe.com/test_9AQ5',
    `Invoice 2026-118. Karin Holm Photography. Portrait session on 3 May, 2 hours: 280.00. VAT 20 %: 56.00. Total: 336.00. Payable within 14 days. Scan the code to pay by card, or transfer the amount to the account below. Thank you for the pleasant
    session! Karin Holm, Mill Lane 4, Norwich`,
  ),
  at(
    'https://forms.office.com/r/9aKq11',
    `Employee survey 2026. How are you doing at work? Your answers are anonymous. Scan the code, it takes five minutes. The survey closes on Friday. Works council and human resources`,
  ),
  at(
    'https://docs.google.com/forms/d/e/1FAIp',
    `Parents’ evening, class 4b. Please enter your wish for an appointment in the form by Thursday. Code with your phone. Mrs Weber`,
  ),
  at(
    'https://www.dhl.de/de/privatkunden.html',
    `DHL. Wir haben Sie leider nicht angetroffen. Ihre Sendung liegt ab morgen in der Filiale Bahnhofstraße 3. Scannen Sie den Code, um einen Wunschtermin zu wählen.`,
  ),
  at(
    'https://www.stadt-lindau.de/bussgeld',
    `Stadt Lindau (Bodensee), Ordnungsamt. Verwarnung wegen Parkens ohne Parkschein. Verwarnungsgeld 15 Euro, zahlbar innerhalb einer Woche. Nutzen Sie den QR-Code, um online zu zahlen oder sich zu äußern. Aktenzeichen 4411.`,
  ),
  at(
    'https://www.belastingdienst.nl/betalen',
    `Belastingdienst. U moet nog 212 euro betalen voor 1 augustus. Scan de QR-code met de app van uw bank.`,
  ),
  at(
    'https://ticket.sbb.ch/t/91',
    `SBB CFF FFS. Billett Zürich HB nach Bern. Gültig am 12.03.2026. Zeigen Sie den Code bei der Kontrolle. Kein Umtausch, keine Erstattung.`,
  ),
  at(
    'https://pretix.eu/kulturhaus/jazz/ticket/8',
    `Eintrittskarte Jazz im Hof. Kulturhaus Altona. Einlass 19 Uhr. Bitte zeigen Sie diesen Code am Einlass. Rückgabe und Erstattung sind ausgeschlossen.`,
  ),
  at(
    'https://app.tixnow.example/t/81',
    `Boarding card. Ms A. Berg. Flight NW 221, seat 14C, gate closes 10:40. Scan at the gate. Penalties apply for changes.`,
  ),
  at(
    'https://nordlicht-energie.de/zaehler',
    `Nordlicht Energie. Zählerstand ablesen: Scannen Sie den Code und geben Sie Ihre Vertragsnummer und den Zählerstand bis zum 31. Dezember ein, sonst schätzen wir Ihren Verbrauch.`,
  ),
  at(
    'https://www.rabobank.nl/scanner',
    `Rabobank. Gebruik uw Rabo Scanner: open de app en scan de kleurcode. Meer uitleg staat op rabobank.nl. Deel nooit uw codes met anderen.`,
  ),
  at(
    'https://poste.it/cerca',
    `Poste Italiane. Avviso di giacenza: la raccomandata può essere ritirata dal 12 marzo all’ufficio di via Roma 4. Inquadra il codice per prenotare l’appuntamento.`,
  ),
  at(
    'https://ukrposhta.ua/track',
    `Укрпошта. Ваше відправлення прибуло до відділення 12. Термін зберігання 14 днів. Скануйте код, щоб відстежити.`,
  ),
  at(
    'https://g.page/r/CQ9/review',
    `Danke für Ihren Besuch im Salon Haarscharf! Gefällt Ihnen die neue Frisur? Code scannen und Bewertung schreiben. Wir freuen uns!`,
  ),
  at(
    'https://wa.me/4915112345678',
    `Autohaus Krüger. Termin vereinbaren oder Frage stellen? Scannen Sie den Code und schreiben Sie uns bei WhatsApp. Wir antworten werktags innerhalb einer Stunde.`,
  ),
  at(
    'https://apps.apple.com/de/app/id12345',
    `Die neue App der Volksbühne: Spielplan, Karten und Einlass auf dem Handy. Jetzt laden: Code mit der Kamera scannen.`,
  ),
  at(
    'https://onelink.to/9xkq2',
    `Download the Harbour Gym app to book classes and to open the door. Scan with your phone. Available for iPhone and Android. Ask the front desk for your membership number.`,
  ),
  at(
    'https://qr.bancontact.com/pay/81',
    `Fleurs de Lia. Facture 221. Bouquet de saison: 45,00 €. À payer sous 30 jours. Payez avec Bancontact: scannez le code.`,
  ),
  at(
    'BCD\n002\n1\nSCT\n\nMueller Bau GmbH\nDE02120300000000202051\nEUR1290.00\n\n\nRechnung 4711',
    `Müller Bau GmbH. Rechnung 4711. Zahlbar innerhalb von 14 Tagen ohne Abzug. Scannen Sie den Code mit Ihrer Banking-App. Bei Verzug fallen Mahngebühren an.`,
  ),
  at(
    'SPC\r\n0200\r\n1\r\nCH4431999123000889012\r\nS\r\nRobert Schneider AG\r\nRue du Lac\r\n1268\r\n2501\r\nBiel\r\nCH',
    `Robert Schneider AG. Zahlteil. Konto / Zahlbar an CH44 3199 9123 0008 8901 2. Betrag CHF 1949.75`,
  ),
  at(
    'upi://pay?pa=sharma@okbank&pn=Sharma%20Stores&am=450',
    `Sharma Stores. Pay with any UPI app. Scan and pay 450 rupees.`,
  ),
  at(
    '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D',
    `Pague com Pix. Abra o aplicativo do seu banco e leia o código. Vencimento hoje. Evite multa e juros.`,
  ),
  at(
    'WIFI:T:WPA;S:Cafe Luna;P:espresso1;;',
    `Cafe Luna. Free Wi-Fi for our guests. Scan to connect. The password is espresso1.`,
  ),
  at(
    'otpauth://totp/GitHub:anna?secret=JBSWY3DPEHPK3PXP&issuer=GitHub',
    `Backup of my two-factor keys. GitHub, account anna. Keep this page in the safe.`,
  ),
  at(
    'otpauth://totp/Northwind:anna@northwind.com?secret=JBSWY3DPEHPK3PXP&issuer=Northwind',
    `Northwind onboarding, step 4 of 6: set up your second factor. Open the authenticator app and scan the code. The account must be called Northwind. Then enter the six digits. Welcome to the team!`,
  ),
  at(
    'https://signal.group/#CjQKIH',
    `Garden club Eastfield: our chat is a Signal group. Scan to join. We share surplus plants and remind each other of the watering plan.`,
  ),
  at(
    'https://chat.whatsapp.com/Kx91',
    `Elternbeirat Klasse 3a: WhatsApp-Gruppe für kurzfristige Absprachen. Code scannen und beitreten.`,
  ),
  at(
    'https://manuals.bosch-home.com/8001',
    `Quick start. Before the first wash read the safety notes. Scan the code to watch the video and to register your appliance for the five-year warranty. Do not connect the machine to warm water.`,
  ),
  at(
    'https://meine.krankenkasse-mitte.de/antrag',
    `Krankenkasse Mitte. Ihr Antrag auf Kur wurde genehmigt. Alle Unterlagen finden Sie in Ihrem Konto. Scannen Sie den Code, um sich anzumelden, oder rufen Sie uns an.`,
  ),
  at(
    'https://conf.example/s/feedback',
    `Thank you for listening! Slides and code of this talk: scan here. Questions and feedback are welcome. Speaker: Dana Ruiz, DataConf 2026`,
  ),
  at('https://www.meteoschweiz.admin.ch', `Wetterwarnungen aufs Handy. MeteoSchweiz. Code scannen und App laden.`),
  at(
    'https://impots.gouv.fr/paiement',
    `Direction générale des finances publiques. Avis de taxe foncière 2026. À payer au plus tard le 15 octobre. Flashez le code pour payer en ligne. Majoration de 10 % en cas de retard.`,
  ),
  at(
    'https://carta.menu/tapas-sur',
    `Bar Tapas del Sur. Escanea el código para ver la carta y los alérgenos. Pago con tarjeta a partir de 10 euros.`,
  ),
  at(
    'https://www.oebb.at/ticket/1',
    `ÖBB. Sparschiene Wien Hbf nach Graz. Ticket gilt nur für den gebuchten Zug. Bitte Lichtbildausweis vorweisen.`,
  ),
  at(
    'https://biblioteka.krakow.pl/konto',
    `Biblioteka Kraków. Przedłuż wypożyczenie: zeskanuj kod i zaloguj się na swoje konto czytelnika. Termin zwrotu: 12 marca. Opłata za przetrzymanie 0,20 zł za dzień.`,
  ),
  at(
    'https://www.skatteverket.se/deklarera',
    `Skatteverket. Dags att deklarera! Skanna koden och logga in med BankID. Senast den 4 maj.`,
  ),
]

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const TYPES =
  '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="png" ContentType="image/png"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'

/** A document of Word with the text and a picture of the code. */
export function letterWithCode(text: string, target: string): Buffer {
  const paragraphs = text.split(/(?<=[.!?]) /).map((each) => `<w:p><w:r><w:t>${escaped(each)}</w:t></w:r></w:p>`)
  return writeZip([
    { name: '[Content_Types].xml', data: Buffer.from(TYPES) },
    {
      name: 'word/document.xml',
      data: Buffer.from(
        `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs.join('')}</w:body></w:document>`,
      ),
    },
    { name: 'word/media/image1.png', data: writePng(qrMatrix(target)) },
  ])
}
