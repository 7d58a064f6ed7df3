/** Words of requests that fraudsters make, in the languages of most readers. Data only. */

import { patternOfPhrases } from './lure-words.ts'

/** Lower case, without accents. `*`: the rest of a word. `_`: up to six words. */
/** Of a payment that the reader has not made. */
export const UNMADE = patternOfPhrases(
  [
    'did not authorize|did not authorise|did not make|did not place|did not order|did not request|do not recognize|do not recognise|not authorized|not authorised|unauthorized|unauthorised|not made by you|was not you|wasn t you',
    'nicht autorisiert*|nicht veranlasst|nicht getatigt|nicht bestellt|nicht erkennen|nicht von ihnen|pas autorise*|pas effectue*|pas a l origine|ne reconnaissez pas|no autoriz*|no reconoce|no ha realizado|no realizo|non autorizzat*|non ha effettuato|non riconosce|nao autoriz*|nao reconhece|nao realizou|nao fez',
    'niet geautoriseerd|niet gedaan|niet herken*|nie autoryzowal*|nie dokonal*|inte godkant|inte gjort|ikke godkendt|ikke foretaget|yapmadiysaniz|onaylamadiysaniz|не совершали|не авторизовали|не здіисн*',
  ],
  '身に覚えのない|心当たりがない|未授权|非本人|본인이 아닌|승인하지 않',
)
/** Beside a number to call: what the one who answers wants. No company says so on an invoice. */
export const CONTROLS = patternOfPhrases(
  [
    'connect to your computer|connect to your device|connect to your pc|connects to your computer|connects to your device|connect remotely to your|remotely _ your computer|remotely _ your device|remote verification|remote connection to your|online banking at hand|online banking ready|online banking open|your bank app open|guide you through _ refund|guide you through _ form',
    'verbindet sich mit ihrem|mit ihrem computer verbinden|mit ihrem rechner verbinden|online banking bereit*|onlinebanking bereit*|se connectera a votre|connexion a votre ordinateur|banque en ligne a portee|espace bancaire ouvert',
    'se conectara a su|conectarse a su ordenador|conectarse a su computadora|conectarse a su equipo|banca en linea a mano|banca online abierta|si colleghera al suo|si connettera al suo|collegarsi al suo computer|home banking aperto',
    'conectar se a ao seu computador|conectara ao seu|ligar ao seu computador|aplicativo do banco aberto|maakt verbinding met uw|verbinding met uw computer|połaczy sie z panstwa komputerem|połaczy sie z twoim',
    'ansluta till din dator|ansluter till din dator|opretter forbindelse til din computer|bilgisayariniza baglan*|подключится к вашему|підключиться до вашого',
  ],
  '遠隔操作|リモート接続|远程连接您|원격 연결',
)

/** To make a group in a chat. */
export const GROUPS = patternOfPhrases(
  [
    'create _ group|creating _ group|set up _ group|open _ group|make _ group|start _ group|gruppe _ erstellen|gruppe _ anlegen|gruppe _ einrichten|erstellen sie _ gruppe|legen sie _ gruppe|chatgruppe|creez _ groupe|creer _ groupe|ouvrez _ groupe|cree _ grupo|crear _ grupo|abra _ grupo|crea _ gruppo|creare _ gruppo|crie _ grupo|criar _ grupo',
    'maak _ groep|maken _ groep|groep aan|utworz* _ grupe|załoz* _ grupe|skapa _ grupp|opret _ gruppe|opprett _ gruppe|luo _ ryhma|vytvor* _ skupinu|hozz* letre _ csoportot|grup olustur*|grubu olustur*|creati _ grup|создаите _ групп*|створіть _ груп*|tao _ nhom|buat _ grup',
  ],
  'グループを作成|グループの作成|グループを新規|グループを立ち上げ|グループを作って|グループをお作り|ワークグループ|ルームを作成|建群|建立一个群|建一个群|创建一个群|创建群|建立群|新建群|建立群組|建立一個群|그룹을 만들|단체방을 만들|채팅방을 만들|단톡방',
)
/** By which a stranger joins it. */
export const SHARES = patternOfPhrases(
  [
    'qr|qr code*|qr kod*|invite link|invitation link|joining link|einladungslink|lien d invitation|enlace de invitacion|link di invito|link de convite|uitnodigingslink|link zaproszenia|кр код*|ссылк* приглаш*',
  ],
  'qrコード|二维码|二維碼|招待リンク|群链接|초대 링크|초대링크',
)
/** Nobody else may know. */
export const KEEPS = patternOfPhrases(
  [
    'confidential|do not tell|do not inform|do not add _|do not share|nobody else|no one else|anyone else|between us|keep this _ us|vertraulich*|niemandem|niemanden|sonst niemand*|unter uns|confidentiel*|personne d autre|n en parlez|entre nous|confidencial*|nadie mas|no lo comente|entre nosotros|riservat*|nessun altro|tra noi|mais ninguem|nao comente|entre nos|vertrouwelijk|niemand anders|onder ons',
    'poufn*|nikomu|nikogo innego|konfidentiell*|ingen annan|fortrolig*|ingen andre|luottamuksel*|duvern*|doverne|nikomu|bizalmas*|gizli|kimse*|confidential*|nimanui|конфиденциальн*|никому|конфіденціин*|нікому|bao mat|rahasia',
  ],
  '追加しない|追加せず|伝えない|口外|機密|内密|他言|他の社員|保密|不要告诉|不要拉|不要告訴|勿告|기밀|비밀|알리지|초대하지',
)
/** What it is about. */
export const MONEY = patternOfPhrases(
  [
    'balance|balances|bank account|payment|payments|transfer|transfers|accountant|accounting|kontostand|uberweis*|zahlung*|buchhalt*|solde|virement*|paiement*|comptab*|saldo|transferencia*|pago|pagos|contab*|bonific*|pagament*|transferencia*|overboek*|betaling*|boekhoud*|przelew*|ksiegow*|saldo|overforing*|betalning*|utbetal*',
    'tilisiirto*|maksu*|prevod*|platb*|utalas*|havale*|odeme*|muhasebe*|viramen*|plata|plati|contabil*|перевод*|бухгалтер*|остат* на счет*|переказ*|chuyen khoan|thanh toan|transfer dana|pembayaran',
  ],
  '口座|残高|振込|振り込み|送金|支払い|経理|余额|付款|转账|轉帳|餘額|财务|財務|会计|잔액|송금|이체|경리',
)

/** To open a download on a computer with Windows, and on nothing else. */
export const ONLY_WINDOWS = patternOfPhrases(
  [
    'open _ on a windows computer|open _ on a windows pc|open _ on a computer with windows|only _ opened on _ windows|only _ on a windows computer|only _ on a windows pc|only on windows computers|windows computer only|windows pc only|nur auf _ windows|nur mit _ windows|ausschliesslich auf _ windows|auf einem windows pc offnen|auf einem windows computer offnen',
    'uniquement sur _ windows|seulement sur _ windows|sur un ordinateur windows|sur un ordinateur avec windows|solo en _ windows|unicamente en _ windows|computadora con windows|ordenador con windows|equipo con windows|pc con windows|computer con windows|solo su _ windows|computador com windows|somente em _ windows|apenas em _ windows|so abre em _ windows|alleen op _ windows|computer met windows|tylko na _ windows|komputerze z windows',
    'endast pa _ windows|kun pa _ windows|vain windows*|pouze na _ windows|len na _ windows|csak windows*|doar pe _ windows|yalnizca windows*|sadece windows*|windows yuklu bilgisayar*|только на _ windows|на компьютере с windows|лише на _ windows|на комп ютері з windows|chi mo tren _ windows|hanya di _ windows',
  ],
  'windowsパソコンで|windowsのパソコン|windows搭載|windows电脑|windows電腦|윈도우 pc|윈도우 컴퓨터|windows pc에서',
)
/** Papers that people open on everything. */
export const PAPERS = patternOfPhrases(
  [
    'invoice*|receipt|payslip*|summons|fine|rechnung*|mahnung*|bescheid|facture*|amende|factura*|comprobante|recibo|cfdi|multa|citacion|fattura|fatture|ricevuta|fatura*|boleto|nota fiscal|factuur|facturen|boete|faktura|faktury|wezwanie|fakturan|lasku*|fakturu|szamla*|makbuz|счет*|рахунок|рахунк*|штраф*|hoa đon|tagihan',
  ],
  '請求書|領収書|发票|帳單|账单|청구서|영수증|계산서',
)
/** Which do run on one system only. */
export const PROGRAMS = patternOfPhrases(
  [
    'program*|software|app|apps|application|driver*|installer|install|setup|version|update|viewer|treiber|anwendung|logiciel|pilote|aplicacion|instalador|applicazione|aplicativo|aplicacao|applicatie|aplikacj*|програм*|прилож*',
  ],
  'ソフト|アプリ|软件|軟體|프로그램',
)
