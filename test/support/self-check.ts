/** Harmless documents: every kind that is often sent, in ten languages, with what honest documents contain, and links to known hosts. */
import { deflateRawSync } from 'node:zlib'
import { BRANDS } from '#inspect/judge/deception/brands.ts'
import { docx, pdf } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const TEXTS: Record<string, string> = {
  english:
    'Dear customer, please find the invoice for November attached. Payment is due within thirty days. Kind regards',
  german: 'Sehr geehrte Damen und Herren, anbei erhalten Sie die Rechnung für November. Mit freundlichen Grüßen',
  french: 'Madame, Monsieur, veuillez trouver ci-joint le compte rendu de la réunion du mois de novembre. Cordialement',
  spanish: 'Estimado cliente, le enviamos el presupuesto y las condiciones de entrega del pedido. Un saludo',
  polish: 'Szanowni Państwo, w załączeniu przesyłamy umowę oraz harmonogram prac na przyszły rok. Z poważaniem',
  russian: 'Уважаемые коллеги, направляем протокол совещания и список участников. С уважением',
  greek: 'Αγαπητοί συνάδελφοι, σας στέλνουμε το πρόγραμμα του συνεδρίου και τον κατάλογο. Με εκτίμηση',
  arabic: 'السادة الكرام، نرسل إليكم جدول الأعمال وقائمة المشاركين في الاجتماع القادم. مع التحية',
  japanese: 'お世話になっております。十一月分の請求書をお送りいたします。ご確認のほどよろしくお願いいたします。',
  hindi: 'प्रिय ग्राहक, नवंबर का बीजक संलग्न है। कृपया तीस दिनों के भीतर भुगतान करें। धन्यवाद',
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const part = (name: string, data: string) => ({ name, data })
const office = (main: string, data: string, type: string) =>
  writeZip([
    part(
      '[Content_Types].xml',
      `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
    ),
    part(
      '_rels/.rels',
      `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="${main}"/></Relationships>`,
    ),
    part(main, `${xml}${data}`),
  ])
const openDocument = (kind: string, text: string) =>
  writeZip([
    part('mimetype', `application/vnd.oasis.opendocument.${kind}`),
    part(
      'content.xml',
      `${xml}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>${text}</text:p></office:text></office:body></office:document-content>`,
    ),
  ])
const hex = (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16().toString('hex')
const paper = (text: string, more = '', page = '') => {
  const content = `BT /F 12 Tf 50 700 Td (Document) Tj ET ${more}`
  return pdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> ${page} >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      `<< /Title <${hex(text)}> /Producer (Writer) >>`,
    ],
    '/Info 5 0 R',
  )
}
const mail = (headers: string, body: string) =>
  `From: Office <office@company.example>\r\nTo: customer@example.net\r\nDate: Tue, 3 Nov 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\n${headers}\r\n\r\n${body}\r\n`
const page = (body: string, head = '') =>
  `<!doctype html><html><head><meta charset="utf-8"><title>Notes</title>${head}</head><body>${body}</body></html>`
const rtf = (text: string) =>
  `{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0 Arial;}}\\f0\\fs24 ${[...text].map((sign) => (sign < '\u0080' ? sign : `\\u${(sign.charCodeAt(0) << 16) >> 16}?`)).join('')}\\par}`
const wordDocument = (body: string) =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`

/** Each makes one document of a text. */
const MAKERS: Record<string, (text: string) => Buffer | string> = {
  'text.txt': (text) => `${text}\n`,
  'table.csv': (text) => `Number,Text,Amount\n1,"${text}",12.50\n2,"${text}",99.00\n`,
  'data.json': (text) => JSON.stringify({ id: 7, note: text, items: [1, 2, 3] }),
  'data.xml': (text) => `${xml}<order><number>7</number><note>${text}</note></order>`,
  'page.html': (text) => page(`<h1>Notes</h1><p>${text}</p><a href="https://www.company.example/">Company</a>`),
  'styled.html': (text) => page(`<div class="a">${text}</div>`, '<style>.a{color:#333;margin:1em}</style>'),
  'script.html': (text) => page(`<p id="a">${text}</p><script>document.getElementById("a").title="Notes"</script>`),
  'drawing.svg': (text) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50"><rect width="200" height="50" fill="#eee"/><text x="5" y="20">${text}</text></svg>`,
  'letter.rtf': rtf,
  'letter.docx': (text) =>
    office('word/document.xml', wordDocument(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`), 'wordprocessingml.document'),
  'table.docx': (text) =>
    docx({
      'word/document.xml': wordDocument(
        `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`,
      ),
    }),
  'sheet.xlsx': (text) =>
    office(
      'xl/workbook.xml',
      `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheets><sheet name="${text.slice(0, 20)}" sheetId="1"/></sheets></workbook>`,
      'spreadsheetml.sheet',
    ),
  'slides.pptx': (text) =>
    office(
      'ppt/presentation.xml',
      `<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"><p:note>${text}</p:note></p:presentation>`,
      'presentationml.presentation',
    ),
  'letter.odt': (text) => openDocument('text', text),
  'table.ods': (text) => openDocument('spreadsheet', text),
  'paper.pdf': (text) => paper(text),
  'linked.pdf': (text) =>
    paper(
      text,
      '0 0 1 rg 50 600 100 20 re f',
      '/Annots [<< /Type /Annot /Subtype /Link /Rect [50 600 150 620] /A << /S /URI /URI (https://www.company.example/terms) >> >>]',
    ),
  'letter.eml': (text) => mail('Subject: Invoice\r\nContent-Type: text/plain; charset=utf-8', text),
  'newsletter.eml': (text) =>
    mail(
      'Subject: News\r\nContent-Type: text/html; charset=utf-8',
      page(`<p>${text}</p><a href="https://www.company.example/news">Read more</a>`),
    ),
  'archive.zip': (text) => writeZip([part('a.txt', text), part('b/c.html', page(text))]),
}

/** Honest hosts that no brand of ours owns. A list or table that names one of them is a mistake. */
const HOSTS = `wikipedia.org wikimedia.org mozilla.org w3.org ietf.org iana.org icann.org python.org nodejs.org npmjs.com pypi.org kernel.org debian.org
  ubuntu.com apache.org gnu.org eclipse.org stackoverflow.com archive.org openstreetmap.org letsencrypt.org unicode.org schema.org jquery.com
  bbc.co.uk nytimes.com theguardian.com reuters.com lemonde.fr spiegel.de zeit.de elpais.com corriere.it nos.nl svt.se dr.dk yle.fi
  who.int un.org europa.eu oecd.org worldbank.org nasa.gov nih.gov cdc.gov usa.gov service.gov.uk bund.de admin.ch gouv.fr gov.pl
  mit.edu stanford.edu harvard.edu cam.ac.uk ox.ac.uk ethz.ch tum.de nature.com science.org springer.com elsevier.com doi.org arxiv.org
  wordpress.org wordpress.com medium.com squarespace.com eventbrite.com surveymonkey.com typeform.com jotform.com calendly.com doodle.com
  siemens.com bosch.com bmw.com volkswagen.de toyota.com samsung.com sony.com philips.com nestle.com unilever.com airbus.com boeing.com
  lufthansa.com airfrance.fr britishairways.com klm.com deutschebahn.com sncf.com sbb.ch marriott.com hilton.com ikea.com lidl.de aldi.com
  rewe.de carrefour.fr tesco.com sainsburys.co.uk zalando.de otto.de bol.com allegro.pl rakuten.co.jp mercadolibre.com company.example`
const LINKS_IN_PAGE = 80

/** Links as newsletters have them: with the reader in the query, which is one weak sign. Brands own short addresses, which are another. */
function knownHosts(): [string, Buffer][] {
  const owned = new Set(BRANDS.flatMap((brand) => [...brand.owned]))
  const others = HOSTS.trim().split(/\s+/)
  const links = [
    ...[...owned, ...others].map((domain) => `<a href="https://${domain}/">Start</a>`),
    ...others.map((domain) => `<a href="https://www.${domain}/news?reader=reader@example.net">News</a>`),
  ]
  const pages = Array.from({ length: Math.ceil(links.length / LINKS_IN_PAGE) }, (_, index) =>
    links.slice(index * LINKS_IN_PAGE, (index + 1) * LINKS_IN_PAGE),
  )
  return pages.map((some, index) => [`known hosts ${index + 1}.html`, Buffer.from(page(some.join('\n')))])
}

function selfCheckSet(): [string, Buffer][] {
  const written = Object.entries(MAKERS).flatMap(([file, make]) =>
    Object.entries(TEXTS).map(([language, text]): [string, Buffer] => [`${language} ${file}`, Buffer.from(make(text))]),
  )
  return [...written, ...knownHosts()]
}

export function renderSelfCheck(): string {
  const documents = selfCheckSet().map(([name, bytes]) => [name, bytes.toString('base64')])
  const packed = deflateRawSync(JSON.stringify(documents), { level: 9 })
  return `${JSON.stringify({ documents: packed.toString('base64') }, null, 2)}\n`
}
