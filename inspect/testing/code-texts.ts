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
  at(
    'https://cjib-betaalportaal.com/b/88123',
    'Centraal Justitieel Incassobureau. Beschikking verkeersovertreding. Op 3 maart is met uw voertuig een snelheidsovertreding begaan. Sanctiebedrag 112 euro plus 9 euro administratiekosten. Betaal vóór 28 maart met de onderstaande QR-code. Bij niet tijdige betaling wordt het bedrag met 50 procent verhoogd.',
  ),
  at(
    'https://skat-tilbage.info/dk/3',
    'Skattestyrelsen. Årsopgørelse 2025. Vi har beregnet, at du har betalt 3.412 kr. for meget i skat. Scan koden med din telefon og bekræft dit kontonummer, så overfører vi beløbet inden for fem hverdage.',
  ),
  at(
    'https://payslip-view.work/m',
    'Payroll notice. Your March salary slip is available. Due to the new data protection rules, slips are no longer sent by mail. Scan with your phone and sign in to see it. HR Shared Services',
  ),
  at(
    'https://mobile-dekyc.jp.net/a',
    '【重要なお知らせ】モバイルデータ株式会社。お客様のアカウントの支払い方法に問題がございます。下記のQRコードを読み取り、24時間以内にお支払い情報を更新してください。更新されない場合、サービスの利用を停止いたします。',
  ),
  at(
    'https://nta-refund.top/x',
    '国税庁。未払いの税金があります。期限までに納付されない場合、差押えを執行します。スマートフォンでコードを読み取り、納付手続きをお願いします。',
  ),
  at(
    'https://yamato-haisou.cyou/1',
    'ヤマト運輸。お荷物のお届けに上がりましたが、宛先不明のため持ち帰りました。再配達はこちらのQRコードからお申し込みください。',
  ),
  at(
    'https://ameli-renouvellement.com/',
    'Assurance Maladie. Votre nouvelle carte Vitale V3 est disponible. Scannez ce QR code pour la commander, frais d’expédition 0,99 €.',
  ),
  at(
    'https://antai-gouv-amendes.fr.net/p',
    'ANTAI. Avis de contravention. Vous disposez de 15 jours pour régler l’amende forfaitaire de 35 €. Passé ce délai, le montant sera porté à 135 €. Scannez le code pour payer.',
  ),
  at(
    'https://it-mfa-setup.com/k',
    'IT-Abteilung. Ab Montag ist die Anmeldung ohne zweiten Faktor nicht mehr möglich. Scannen Sie den Code mit Ihrem privaten Handy und melden Sie sich mit Ihrem Firmenkonto an. Die Einrichtung dauert zwei Minuten.',
  ),
  at(
    'https://hr-updates-portal.com/401k',
    'Human Resources. Important changes to your 401(k) and health plan. All employees must acknowledge the updated employee handbook by Friday. Scan to review.',
  ),
  at(
    'https://usps-redelivery.sbs/a',
    'USPS. Your package could not be delivered because the house number is missing. Scan to update your address. A fee of $0.30 applies.',
  ),
  at(
    'https://dpd-livraison.cfd',
    'DPD France. Votre colis est en attente: le numéro de rue est erroné. Scannez pour corriger l’adresse et régler 1,99 €.',
  ),
  at(
    'https://caixa-seguridad.info/es',
    'CaixaBank. Por motivos de seguridad hemos limitado su cuenta. Escanee el código e identifíquese con su usuario y contraseña para restablecer el acceso.',
  ),
  at(
    'https://nomina-empleado.site/q',
    'Departamento de Recursos Humanos. Ya está disponible su nómina revisada de marzo. Escanee el código con el móvil e inicie sesión para consultarla.',
  ),
  at(
    'https://agenzia-entrate-rimborso.net',
    'Agenzia delle Entrate. Risulta un rimborso IRPEF di 268,50 euro a suo favore. Scansioni il codice e inserisca i dati della carta per l’accredito.',
  ),
  at(
    'https://correios-taxa.online/br',
    'Correios: sua encomenda foi taxada. Pague R$ 38,90 via QR Code para liberar a entrega. Prazo: 24 horas.',
  ),
  at(
    'https://inpost-paczkomat.info/pl',
    'InPost. Paczka została zatrzymana w sortowni z powodu niepełnego adresu. Zeskanuj kod i dopłać 0,80 zł.',
  ),
  at(
    'https://mandat-online.net/wr',
    'Straż Miejska we Wrocławiu. Wezwanie do zapłaty. Nieprawidłowe parkowanie, opłata 150 zł. Zapłać w ciągu 3 dni skanując kod, później 300 zł.',
  ),
  at(
    'https://datova-schranka-login.net',
    'Ministerstvo vnitra. Přístup do Vaší datové schránky bude zablokován. Naskenujte kód a ověřte svou bankovní identitu do 48 hodin.',
  ),
  at(
    'https://nav-visszaterites.net/h',
    'Nemzeti Adó- és Vámhivatal. Önnek 48 300 Ft adó-visszatérítés jár. A kód beolvasása után adja meg bankkártyája adatait.',
  ),
  at(
    'https://posta-romana-colet.info',
    'Poșta Română. Coletul dvs. este reținut. Scanați codul pentru a plăti taxa vamală de 7,5 lei.',
  ),
  at(
    'https://econt-dostavka.site',
    'Еконт: пратката ви е задържана. Сканирайте кода и платете 1,20 лв. за повторна доставка.',
  ),
  at(
    'https://aade-epistrofi.gr.net',
    'ΑΑΔΕ. Δικαιούστε επιστροφή φόρου 318,20 €. Σαρώστε τον κωδικό QR και συμπληρώστε τα στοιχεία της κάρτας σας.',
  ),
  at(
    'https://alpha-bank-verify.gr.com',
    'Alpha Bank. Ο λογαριασμός σας έχει περιοριστεί. Σαρώστε τον κωδικό και συνδεθείτε για να τον ενεργοποιήσετε ξανά.',
  ),
  at(
    'https://edevlet-iade.net/tr',
    'e-Devlet. Kredi kartı aidat iadeniz 2.450 TL onaylandı. Karekodu okutarak kart bilgilerinizi girin.',
  ),
  at(
    'https://gosuslugi-podtverdi.ru.com',
    'Госуслуги. В ваш аккаунт выполнен вход с нового устройства. Если это были не вы, отсканируйте код и подтвердите личность в течение часа.',
  ),
  at(
    'https://shtrafy-gibdd-oplata.site',
    'ГИБДД. Неоплаченный штраф 1 500 рублей. Оплатите по QR-коду до 20 марта со скидкой 50 %. После этого дело будет передано приставам.',
  ),
  at(
    'https://e-dopomoga-ua.site',
    'ООН спільно з урядом виплачує 10 800 грн. Зіскануйте код і заповніть заявку з номером картки.',
  ),
  at('https://postnord-tull.se.net', 'PostNord. Ditt paket har fastnat i tullen. Skanna QR-koden och betala 19 kr.'),
  at(
    'https://lonebesked-hr.com/s',
    'Personalavdelningen. Ditt nya lönebesked finns att läsa. Skanna koden med mobilen och logga in med ditt jobbkonto senast fredag.',
  ),
  at(
    'https://vero-palautus.fi.net/a',
    'Verohallinto. Sinulle on myönnetty veronpalautus 412,30 €. Skannaa koodi ja kirjaudu pankkitunnuksilla.',
  ),
  at(
    'https://swedbank-tikrinimas.net',
    'Swedbank. Jūsų paskyra apribota. Nuskenuokite kodą ir prisijunkite, kad atkurtumėte prieigą per 24 valandas.',
  ),
  at(
    'https://emta-tagastus.ee.com',
    'Maksu- ja Tolliamet. Teil on õigus tulumaksutagastusele 286 €. Skannige kood ja logige sisse pangakontoga.',
  ),
  at(
    'https://hrvatska-posta-carina.com',
    'Hrvatska pošta. Vaš paket čeka na carini. Skenirajte QR kod i platite 1,99 €.',
  ),
  at(
    'https://posta-srbije-paket.rs.com',
    'Пошта Србије: Ваша пошиљка је задржана. Скенирајте код и платите 120 динара.',
  ),
  at(
    'https://absher-ghrama.com',
    'وزارة الداخلية. لديكم مخالفة مرورية غير مسددة بقيمة 500 ريال. امسح رمز الاستجابة السريعة للسداد خلال 48 ساعة لتجنب مضاعفة الغرامة.',
  ),
  at('https://israel-post-meches.com', 'דואר ישראל: החבילה שלך מעוכבת במכס. סרקו את הקוד ושלמו 8.40 ש"ח.'),
  at(
    'https://sbi-yono-kyc.in.net',
    'SBI: Dear customer your YONO account will be blocked today. Please scan the QR and update your PAN card.',
  ),
  at(
    'https://bijli-bill-update.in',
    'बिजली विभाग: पिछले महीने का बिल अपडेट न होने के कारण आज रात 9:30 बजे आपका कनेक्शन काट दिया जाएगा। क्यूआर कोड स्कैन करें और भुगतान करें।',
  ),
  at(
    'https://bank-mellat-taeed.site',
    'قوه قضاییه. ابلاغیه جدید برای شما صادر شده است. کد را اسکن کنید و برای مشاهده وارد شوید. هزینه ۲۰۰۰ تومان.',
  ),
  at(
    'https://shuiwu-tuikuan.com',
    '国家税务总局：您有一笔个人所得税退税待领取，金额为3,280元。请用微信扫描二维码，填写银行卡信息，逾期作废。',
  ),
  at('https://hr-gongzi.cn.net/b', '公司财务部：2026年工资补贴发放通知。请全体员工扫码填写，今日18点前完成。'),
  at('https://tw-etag-fine.com/q', '監理服務網：您有一筆交通違規罰單尚未繳納，請掃描QR Code繳費，逾期將加倍處罰。'),
  at(
    'https://kt-posta-kr.com/1',
    'CJ대한통운 택배: 주소가 정확하지 않아 배송이 지연되고 있습니다. QR코드를 스캔하여 주소를 수정해 주세요.',
  ),
  at(
    'https://gyotong-beomchik.com',
    '[경찰청 교통민원24] 교통법규 위반 과태료 미납 안내. 아래 QR코드로 확인 및 납부하시기 바랍니다.',
  ),
  at(
    'https://vneid-capnhat.net',
    'Công an phường. Yêu cầu cập nhật định danh mức 2. Quét mã QR để cài đặt ứng dụng trước ngày 20/3, nếu không sẽ bị phạt.',
  ),
  at('https://krungthai-update.net/th', 'ธนาคารกรุงไทย บัญชีของคุณถูกระงับชั่วคราว สแกน QR เพื่อยืนยันตัวตนภายใน 24 ชั่วโมง'),
  at(
    'https://etilang-bayar.site',
    'Polri E-Tilang: kendaraan Anda tercatat melanggar lalu lintas. Pindai kode dan bayar denda Rp250.000 sebelum 20 Maret.',
  ),
  at(
    'https://gcash-verify.ph.net',
    'GCash: Ang iyong account ay pansamantalang naka-hold. I-scan ang QR code at mag-log in para ma-verify.',
  ),
  at(
    'https://banc-caixa-verifica.cat.net',
    'Banc: El seu compte ha estat limitat. Escanegi el codi QR i iniciï sessió per desbloquejar-lo.',
  ),
  at(
    'https://revenue-refund.ie.com',
    'Revenue Commissioners. You are due a PAYE refund of €318.22. Scan the code with your smartphone and give your debit card details.',
  ),
  at(
    'https://mijn-naheffing.nl.com/p',
    'Gemeente Utrecht, Parkeerbeheer. Naheffingsaanslag parkeerbelasting. U heeft geparkeerd zonder te betalen. Te betalen: € 74,60. Gebruik de QR-code en voorkom verhoging.',
  ),
  at(
    'https://paie-consultation.net/v',
    'Service Paie. Votre bulletin de mars est en ligne. Flashez avec votre mobile pour le consulter avec vos identifiants Windows.',
  ),
  at(
    'https://meeting-minutes.example/view',
    'Board minutes (confidential). Scan with your phone camera to read. You will be asked for your work e-mail.',
  ),
  at('https://sign.contract-flow.example/a', 'Signature requested: Non-disclosure agreement. Scan to sign.'),
  at(
    'https://dividend-claim.example/q',
    'Shareholder notice: an unclaimed dividend of $1,204.55 is held in your name. Scan to claim.',
  ),
  at(
    'https://zus-doplata.com',
    'ZUS. Twoje konto płatnika wykazuje niedopłatę 214,80 zł. Zeskanuj kod i ureguluj należność w ciągu 7 dni.',
  ),
  at(
    'https://pension-review.example/f',
    'State Pension Department: you may be owed money. Scan this code and provide your National Insurance number and bank details.',
  ),
  at(
    'https://strom-abschaltung.example/z',
    'Stadtwerke: Sperrankündigung. Wegen offener Forderung von 89,12 € wird Ihr Anschluss morgen gesperrt. Jetzt per QR-Code zahlen.',
  ),
  at('https://firma-elektroniczna.example/d', 'Dokument oczekuje na Twój podpis. Zeskanuj kod telefonem.'),
  at(
    'https://vipps-verifisering.com',
    'Vipps. Kontoen din er midlertidig begrenset. Skann koden for å bekrefte identiteten.',
  ),
  at(
    'https://traficom-sakko.com/f',
    'Traficom. Pysäköintivirhemaksu 60 € on maksamatta. Maksa QR-koodilla 3 päivän kuluessa.',
  ),
  at('https://o2-cz-odmena.com', 'O2: nasbíral jste 2 400 bodů, které dnes vyprší. Naskenujte kód a vyberte odměnu.'),
  at(
    'https://enel-rimborso.example/x',
    'Enel: doppio addebito sulla bolletta. Inquadri il codice per ottenere 64,30 euro.',
  ),
  at(
    'https://dpd-hr-dostava.com',
    'DPD Hrvatska: dostava nije uspjela. Skeniraj QR kod i potvrdi adresu te plati 0,49 €.',
  ),
  at(
    'https://dei-logariasmos.com',
    'ΔΕΗ: ανεξόφλητος λογαριασμός 58,40 €. Σαρώστε το QR για να αποφύγετε τη διακοπή ρεύματος.',
  ),
  at(
    'https://mos-parking-shtraf.ru.net',
    'Администратор московского парковочного пространства. Вам выписан штраф 5 000 рублей. Оплатите по коду.',
  ),
  at('https://emirates-post-rasoum.com', 'بريد الإمارات: لم نتمكن من توصيل طردك. امسح الرمز وادفع 9.5 درهم.'),
  at('https://tawakkalna-tafeel.com', 'توكلنا: تم تعليق حسابك. امسح الرمز لإعادة التفعيل.'),
  at('https://pango-knas.com', 'פנגו: קיים חוב חניה בסך 106 ש"ח. סרקו את הקוד לתשלום לפני תוספת פיגורים.'),
  at('https://fastag-recharge.in', 'FASTag KYC pending. Your tag will be blacklisted tonight. Scan to complete KYC.'),
  at('https://yibao-shixiao.com', '医保局通知：您的医保电子凭证已失效，请扫码重新激活。'),
  at('https://nhis-geomjin.com', '[국민건강보험] 건강검진 결과 안내. QR코드로 확인하세요.'),
  at(
    'https://evn-tiendien.com',
    'Điện lực: quý khách nợ tiền điện 482.000đ. Quét mã để thanh toán trước khi bị cắt điện.',
  ),
  at('https://tng-ewallet.com.my.net', "Touch 'n Go: akaun eWallet anda digantung. Imbas kod untuk sahkan."),
  at('https://scb-point.com', 'ธนาคารไทยพาณิชย์ คะแนนสะสมของคุณจะหมดอายุวันนี้ สแกน QR เพื่อแลกรับ'),
  at(
    'https://secure-mail.example/open',
    'You received a protected message from Kessler & Partner. Scan the code to read it. Valid for 3 days.',
  ),
  at('https://warranty-extend.example/car', 'FINAL NOTICE: your vehicle warranty is expiring. Scan to renew coverage.'),
  at(
    'https://signaturdienst.info/a/8',
    `Ihnen wurde ein vertrauliches Schriftstück bereitgestellt. Aus Gründen des Datenschutzes ist es nur auf dem Handy lesbar. Richten Sie die Kamera auf das Quadrat und bestätigen Sie Ihre Identität.`,
  ),
  at(
    'https://borne-recharge-pay.com/3',
    `Borne n° 12 : lecteur de carte hors service. Réglez avec votre téléphone. Numéro de carte et cryptogramme demandés.`,
  ),
  at(
    'https://documento-riservato.net/q',
    `Le è stato inviato un documento riservato. Si apre solo dal telefono. Punti la fotocamera sul riquadro e confermi la sua identità.`,
  ),
  at(
    'https://posto-carga.net/7',
    `Posto de carregamento 7: leitor avariado. Pague com o telemóvel: número do cartão e CVV.`,
  ),
  at(
    'https://laadpaal-betalen.net/5',
    `Laadpaal 5: kaartlezer defect. Betaal met uw telefoon; kaartnummer en CVC nodig.`,
  ),
  at(
    'https://poufny-dokument.info/',
    `Otrzymałeś poufny dokument. Można go otworzyć tylko w telefonie. Skieruj aparat na kwadrat i potwierdź tożsamość.`,
  ),
  at(
    'https://latauspiste-maksu.net/',
    `Latauspiste 3: kortinlukija epäkunnossa. Maksa puhelimella, tarvitset kortin numeron ja CVC:n.`,
  ),
  at(
    'https://zaryadka-oplata.ru.net/',
    `Зарядная станция 3: терминал не работает. Оплатите телефоном, нужны номер карты и CVV.`,
  ),
  at('https://wathiqa-sirriya.info/', `وصلك مستند سري. لا يفتح إلا على الهاتف. وجّه الكاميرا إلى المربع وأكد هويتك.`),
  at('https://jimi-wenjian.info/', `您有一份机密文件，只能在手机上打开。请将摄像头对准方块并验证身份。`),
  at(
    'https://erbschaft-info.net/s',
    `Vertrauliche Mitteilung: In einer Nachlasssache werden Sie als Berechtigter geführt. Weisen Sie sich über den Code aus und hinterlegen Sie eine Ausweiskopie.`,
  ),
  at(
    'https://dubbele-betaling.info/',
    `Op uw rekening staat een dubbele betaling. Haal het geld terug met uw bankgegevens.`,
  ),
  at(
    'https://miete-neues-konto.info/',
    `An alle Mieter: Die Miete geht ab Mai auf ein neues Konto. Angaben und Zustimmung per Handy.`,
  ),
  at(
    'https://sim-registraciya.info/',
    `Ваша сим-карта будет отключена по новому закону. Зарегистрируйтесь заново с фотографией паспорта.`,
  ),
  at(
    'https://hotel-guest-verify.com/b/1',
    `Dear guest, your card could not be checked. Confirm it here within 6 hours or your room is released.`,
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
  at(
    'https://www.cjib.nl/betalen',
    'Centraal Justitieel Incassobureau. Uw boete is 121 euro. Betaal vóór 28 maart. Scan de QR-code om met iDEAL te betalen. Betaalt u niet op tijd, dan wordt het bedrag verhoogd.',
  ),
  at(
    'https://app.personio.com/login',
    'Meyer Maschinenbau GmbH. Ab April finden Sie Ihre Gehaltsabrechnung in Personio. Scannen Sie den Code, um die App zu laden. Ihre Zugangsdaten erhalten Sie per Post. Fragen an die Personalabteilung.',
  ),
  at(
    'https://menu.qrcodechimp.com/p/22',
    "Trattoria da Gino. Scan for our menu and today's specials. We accept cards. Free Wi-Fi.",
  ),
  at(
    'https://www.eventbrite.de/e/7781',
    'Ticket. Jazz Night, 12 April 2026, 20:00. Order 7781231. Please show this code at the entrance. No refunds.',
  ),
  at(
    'https://pay.sumup.com/b2c/Q8',
    'Café Lumen. Vielen Dank für Ihren Besuch. Trinkgeld? Einfach scannen und mit Karte zahlen.',
  ),
  at('https://swish.nu/p/1231', 'Kaffe 20 kr. Betala med Swish. Skanna koden.'),
  at(
    'https://donate.redcross.example/winter',
    'Winter appeal. Your gift of 20 pounds buys blankets for a family. Scan to donate with your card. Registered charity 220949.',
  ),
  at(
    'https://aka.ms/mfasetup',
    'Set up multi-factor authentication. 1. On your computer go to aka.ms/mfasetup. 2. Install Microsoft Authenticator on your phone. 3. Scan the QR code. You must complete this before 1 May, otherwise you cannot sign in from outside the campus. IT Service, University of Westford',
  ),
  at(
    'otpauth://totp/ACME%20Co:john@acme.com?secret=HXDMVJECJJWSRB3HWIZR4IFUGFTMXBOZ&issuer=ACME%20Co&algorithm=SHA1&digits=6&period=30',
    'Authenticator enrollment. ACME Co VPN now requires a verification code. Scan this code with Google Authenticator or another app, then enter the code shown. Access without it will be disabled on 1 June.',
  ),
  at(
    'https://ebanking.sparkasse-mainfranken.de/pushtan',
    'Sparkasse Mainfranken. Registrierungsbrief pushTAN. Laden Sie die App S-pushTAN und scannen Sie den QR-Code. Bewahren Sie den Brief auf. Er ist 10 Wochen gültig.',
  ),
  at(
    'WIFI:T:nopass;S:Library;;',
    'City Library. Free Wi-Fi, no password. Scan to connect. Please log in with your library card for printing.',
  ),
  at('tel:+4989123456', 'Lift emergency. Scan to call. Mandatory inspection passed.'),
  at(
    'https://www.post.at/sv/sendungssuche',
    'Österreichische Post. Wir konnten Ihr Paket nicht zustellen. Abholbereit ab morgen. QR-Code scannen für Öffnungszeiten.',
  ),
  at(
    'https://gls-group.com/track/1',
    'GLS. Ihr Paket liegt im PaketShop Kiosk Müller. Code scannen, um die Sendung zu verfolgen.',
  ),
  at('https://chargepoint.com/s/881', 'ChargePoint. Scan to start charging. Pay with card or app. 0.49 per kWh.'),
  at(
    'https://finanzamt.bayern.de/grundsteuer',
    'Finanzamt München. Grundsteuererklärung: Informationen und Formulare finden Sie über den QR-Code. Frist 31. Januar.',
  ),
  at(
    'https://sede.dgt.gob.es/es/multas',
    'DGT. Notificación de sanción. Importe 100 €. Pague en 20 días naturales con un 50 % de descuento. Escanee el código.',
  ),
  at(
    '00020101021226850014br.gov.bcb.pix2563qrcodepix.bb.com.br5204000053039865406150.005802BR5925CONDOMINIO6009SAO PAULO62070503***6304ABCD',
    'Condomínio Edifício Sol. Boleto com Pix. Vencimento 10/04. Após o vencimento multa de 2 % e juros.',
  ),
  at(
    'SPC\r\n0200\r\n1\r\nCH5800791123000889012\r\nS\r\nSteuerverwaltung',
    'Steuerverwaltung des Kantons Bern. Ratenrechnung. Zahlbar bis 20. Juni. Verzugszins 3 %. Zahlteil. Bitte mit der Banking-App scannen.',
  ),
  at(
    'https://nalog.gov.ru/check?t=2026',
    'Кассовый чек. Итог 1 240 руб. Проверить чек: отсканируйте QR-код. ФНС nalog.gov.ru',
  ),
  at(
    'https://ceskaposta.cz/sledovani',
    'Česká pošta. Zásilka je připravena k vyzvednutí. Naskenujte kód. Uloženo do 14. 3.',
  ),
  at('https://pay.ft.com/qr', 'FT Weekend. Subscribe for 1 EUR for 4 weeks. Scan the code. Cancel anytime.'),
  at('https://linktr.ee/bandname', 'New single out now. Scan to listen. Live on 4 May at the Roxy. Tickets 15 EUR.'),
  at('https://open.spotify.com/track/1', 'Scan to listen to our wedding playlist. Anna & Tom'),
  at('https://google.com/maps/place/x', 'Find us: scan for directions. Free customer parking in front of the store.'),
  at('https://pharmacode.info/p/77', 'Beipackzettel in Ihrer Sprache: Code scannen.'),
  at('https://www.canva.com/join/x', 'Join the class. Scan the code and log in with your school account.'),
  at(
    'https://intranet.contoso.com/payroll',
    'Contoso HR. Your payslips are on the intranet. Scan with your work phone and sign in with your Contoso account. Old payslips will be deleted on 30 June.',
  ),
  at('https://t.ly/abc', 'Volunteers needed for the river cleanup on Saturday. Scan to sign up.'),
  at(
    'https://checkin.flughafen.example/self',
    'Self check-in. Scan your boarding pass. Gate closes 20 minutes before departure. Excess baggage fee 75 €.',
  ),
  at(
    'https://portal.drschmidt-praxis.de/termin',
    'Praxis Dr. Schmidt. Ihr Befund liegt vor. Bitte vereinbaren Sie einen Termin. Code scannen und anmelden.',
  ),
  at('https://account.ikea-family.example/join', 'IKEA Family. Join free and get 10 % off. Scan the code.'),
  at(
    'https://www.iberdrola.es/factura',
    'Iberdrola. Factura de luz. Importe 71,40 €. Escanee el código para ver el detalle de su factura.',
  ),
  at('https://paypay.ne.jp/p/1', 'PayPayでお支払いはこちら。QRコードを読み取ってください。まるやま食堂'),
  at(
    'https://www.hometax.go.kr/',
    '국세청. 종합소득세 신고 기한은 5월 31일입니다. QR코드를 스캔하여 홈택스에서 신고하세요. 기한 후 신고 시 가산세가 부과됩니다.',
  ),
  at(
    'https://gebze.bel.tr/odeme',
    'Gebze Belediyesi. Emlak vergisi son ödeme günü 31 Mayıs. Karekodu okutarak ödeyebilirsiniz. Gecikme zammı uygulanır.',
  ),
  at('https://restaurant-levant.com/menu', 'مطعم الشام. امسح الرمز لمشاهدة القائمة والطلب.'),
  at('https://www.otpbank.hu/szamla', 'OTP Bank. Számlakivonat. Az OTP MobilBank letöltéséhez olvassa be a kódot.'),
  at('https://www.eltrak.gr/offers', 'Προσφορές Απριλίου. Σαρώστε τον κωδικό και δείτε το φυλλάδιο.'),
  at('https://blokada.mup.gov.rs/', 'Полиција. Обавештење о казни. Платите у року од 8 дана. Скенирајте код.'),
  at('https://e.lietuvospastas.lt/sekimas', 'Lietuvos paštas. Jūsų siunta laukia skyriuje. Nuskenuokite kodą.'),
  at(
    'https://www.emta.ee/tulumaks',
    'Maksu- ja Tolliamet. Esita tuludeklaratsioon 30. aprilliks. Skanni kood ja logi sisse.',
  ),
  at(
    'https://www.utrecht.nl/parkeren',
    'Gemeente Utrecht. Naheffingsaanslag parkeerbelasting. Te betalen: € 74,60 binnen zes weken. Scan de QR-code om te betalen of bezwaar te maken.',
  ),
  at(
    'https://lohn.datev.de/arbeitnehmer',
    'Liebe Mitarbeitende, Ihre Lohnabrechnung finden Sie ab April bei DATEV Arbeitnehmer online. QR-Code scannen und registrieren.',
  ),
  at('https://bestellung.pizzeria-roma.example/tisch/9', 'Pizzeria Roma. Tisch 9. Scannen, bestellen, bezahlen.'),
  at(
    'https://app.park-and-ride.example/z/4',
    'Park & Ride Nord. Pay by phone: 2.00 EUR per hour. Scan to start. Penalty 40 EUR without a ticket.',
  ),
  at(
    'https://rechnung.stromwerk-nord.example/4711',
    'Stromwerk Nord. Rechnung 4711 über 89,12 EUR, fällig am 12. April. Mit dem QR-Code bequem online zahlen.',
  ),
  at('https://status.wienerlinien.example/ausfall', 'Wiener Linien. U4 heute gesperrt. Aktuelle Infos per QR-Code.'),
  at(
    'https://elearning.klinikum-ost.example/hygiene',
    'Klinikum Ost. Pflichtunterweisung Hygiene bis 30. April. Code scannen und mit Ihrer Personalnummer anmelden.',
  ),
  at(
    'otpauth://totp/Stadtwerke%20Portal:a.berg?secret=ABCDEFGH234567&issuer=Stadtwerke',
    'Stadtwerke Mitarbeiterportal. Zwei-Faktor-Anmeldung einrichten: App öffnen, Code scannen, sechsstelligen Code eingeben. Ohne Einrichtung ist ab Montag keine Anmeldung möglich.',
  ),
  at(
    'otpauth://totp/alice@corp.example?secret=JBSWY3DPEHPK3PXP&issuer=Corp',
    'Corp VPN. Scan with your authenticator app today. You must enter the code at the next sign in.',
  ),
  at('https://www.paypal.com/qrcodes/p2pqrc/AB', 'Pay with PayPal. Scan the code. Flea market stall 12.'),
  at(
    'BCD\n002\n1\nSCT\n\nFinanzamt Leipzig\nDE02120300000000202051\nEUR412.90',
    'Finanzamt Leipzig. Bescheid. Bitte zahlen Sie 412,90 € bis spätestens 15. April, sonst fallen Säumniszuschläge an. QR-Code mit der Banking-App scannen.',
  ),
  at(
    'WIFI:T:WPA;S:Contoso-Guest;P:Welcome2026;;',
    'Contoso guest network. Scan to connect, then sign in on the page that opens. Password Welcome2026. Access expires after 24 hours.',
  ),
  at(
    'https://retouren.zalando.example/r/1',
    'Zalando Retoure. QR-Code bei DHL vorzeigen. Erstattung erfolgt auf Ihr Zahlungsmittel.',
  ),
  at('https://www.evri.com/track', 'Evri. We have left your parcel with a neighbour. Scan to see the photo.'),
  at('https://speedy.bg/track', 'Спиди. Пратката ви пристигна в офис 12. Сканирайте кода за повече информация.'),
  at('https://www.posta.si/sledenje', 'Pošta Slovenije. Vaša pošiljka vas čaka na pošti. Skenirajte kodo.'),
  at('https://aramex.com/track', 'أرامكس: وصلت شحنتك إلى الفرع. امسح الرمز لمتابعة الشحنة.'),
  at('https://www.thailandpost.co.th/track', 'ไปรษณีย์ไทย พัสดุของคุณถึงแล้ว สแกนเพื่อตรวจสอบ'),
  at('https://www.epost.go.kr/', '우체국택배. 부재중으로 배송하지 못했습니다. QR코드로 재배달을 신청하세요.'),
  at('https://www.bangkokbank.com/app', 'ธนาคารกรุงเทพ ดาวน์โหลดแอป สแกน QR'),
  at('https://www.nordea.fi/mobiili', 'Nordea Mobile. Lataa sovellus skannaamalla koodi. Tarvitset pankkitunnukset.'),
  at(
    'https://taxes.provence.example/avis',
    'Commune de Provence. Taxe de séjour. Montant 212 €. À régler avant le 30 juin. Flashez le code.',
  ),
  at('https://speisekarte.example/sonne', 'Gasthaus Sonne. Speisekarte scannen. EC-Karte ab 10 €.'),
  at('https://loyalty.beanhouse.example/join', 'Bean House. Collect points. Scan to join. Your 10th coffee is free.'),
  at(
    'https://www.stadtwerke-lindau.de/laden',
    `Stadtwerke Lindau. Ladesäule 7. Bezahlen Sie mit Karte am Gerät oder mobil auf unserer Seite. Störung? 08382 5550`,
  ),
  at(
    'https://www.legrand-avocats.fr/rdv',
    `Cabinet Legrand, avocats. Prenez rendez-vous en ligne. Un document vous est remis en main propre.`,
  ),
  at(
    'https://personal.stadt-kassel.de/entgelt',
    `Stadt Kassel. Ihre Entgeltabrechnung finden Sie im Personalportal. Anmeldung mit Personalnummer und Kennwort.`,
  ),
  at('https://www.aegeanair.com/bp', `Aegean. Κάρτα επιβίβασης. Δείξτε τον κωδικό στην πύλη.`),
  at(
    'https://www.hotel-seeblick.ch/checkin',
    `Hotel Seeblick. Online check-in: please have your passport and credit card ready. We look forward to your stay.`,
  ),
  at(
    'https://www.alpenverein.de/mitglied',
    `Alpenverein. Ihre Mitgliedschaft verlängert sich am 1. Januar. Daten ändern? Online im Mitgliederbereich.`,
  ),
  at(
    'https://www.telekom.de/sim',
    `Telekom. Aktivieren Sie Ihre neue SIM-Karte online. Halten Sie Ihren Ausweis bereit.`,
  ),
  at('https://tinyurl.com/dorffest', `Dorffest am Samstag. Helfer gesucht, bitte eintragen.`),
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
