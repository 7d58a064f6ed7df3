/** Documents of every kind with one link. */

import { page, pdf, slides, wordDocument, workbook } from './hidden-texts.ts'
import { writeZip } from './zip-writer.ts'

/** `shown`: what is clicked. */
type Carrier = (target: string, shown: string) => Buffer

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
const relationship = (target: string): string =>
  `<Relationships><Relationship Id="rId9" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="${escaped(target)}" TargetMode="External"/></Relationships>`
const runOf = (text: string): string => `<w:r><w:t>${escaped(text)}</w:t></w:r>`
const anchor = (target: string, shown: string): string =>
  `<p>Hello</p><a href="${escaped(target)}">${escaped(shown)}</a>`

const HEAD = 'From: a@example.com\r\nTo: b@example.com\r\nSubject: Sums\r\nMIME-Version: 1.0\r\nContent-Type: text/'
const quoted = (text: string): string =>
  text.replace(/[=\u0080-\uffff]/g, (sign) =>
    [...Buffer.from(sign)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(''),
  )
const folded = (text: string): string => text.replace(/[^\n]{70}(?=[^\n])/g, (line) => `${line}=\r\n`)

export const LINK_CARRIERS: Readonly<Record<string, Carrier>> = {
  pdf: (target, shown) =>
    pdf({
      content: `BT /F1 12 Tf 72 600 Td (${shown}) Tj ET`,
      page: `/Annots[<</Type/Annot/Subtype/Link/Rect[70 595 500 615]/A<</S/URI/URI(${target})>>>>]`,
    }),
  docx: (target, shown) =>
    wordDocument(`<w:p><w:hyperlink r:id="rId9">${runOf(shown)}</w:hyperlink></w:p>`, {
      'word/_rels/document.xml.rels': relationship(target),
    }),
  'docx, simple field': (target, shown) =>
    wordDocument(
      `<w:p><w:fldSimple w:instr=" HYPERLINK &quot;${escaped(target)}&quot; ">${runOf(shown)}</w:fldSimple></w:p>`,
    ),
  'docx, field': (target, shown) =>
    wordDocument(
      `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "${escaped(target)}" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${runOf(shown)}<w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`,
    ),
  xlsx: (target, shown) =>
    workbook(
      `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${escaped(shown)}</t></is></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="rId9" display="${escaped(shown)}"/></hyperlinks></worksheet>`,
      { parts: { 'xl/worksheets/_rels/sheet2.xml.rels': relationship(target) } },
    ),
  'xlsx, cell': (target, shown) =>
    workbook(
      `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>${escaped(shown)}</t></is></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="rId9"/></hyperlinks></worksheet>`,
      { parts: { 'xl/worksheets/_rels/sheet2.xml.rels': relationship(target) } },
    ),
  'xlsx, shared string': (target, shown) =>
    workbook(
      '<worksheet><sheetData><row r="1"><c r="A1" s="1" t="s"><v>1</v></c></row></sheetData><hyperlinks><hyperlink ref="A1:B1" r:id="rId9"/></hyperlinks></worksheet>',
      {
        parts: {
          'xl/sharedStrings.xml': `<sst count="2"><si><t>Sums</t></si><si><r><t>${escaped(shown)}</t></r></si></sst>`,
          'xl/worksheets/_rels/sheet2.xml.rels': relationship(target),
        },
      },
    ),
  'xlsx, formula': (target, shown) =>
    workbook(
      `<worksheet><sheetData><row r="1"><c r="A1" t="str"><f>HYPERLINK("${escaped(target)}","${escaped(shown)}")</f><v>${escaped(shown)}</v></c></row></sheetData></worksheet>`,
    ),
  pptx: (target, shown) =>
    slides(
      `<p:sld xmlns:p="p" xmlns:a="a" xmlns:r="r"><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:rPr lang="en"><a:hlinkClick r:id="rId9"/></a:rPr><a:t>${escaped(shown)}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
      { 'ppt/slides/_rels/slide2.xml.rels': relationship(target) },
    ),
  odt: (target, shown) =>
    openText(`<text:p><text:a xlink:type="simple" xlink:href="${escaped(target)}">${escaped(shown)}</text:a></text:p>`),
  rtf: (target, shown) =>
    Buffer.from(String.raw`{\rtf1\ansi Hello {\field{\*\fldinst{HYPERLINK "${target}"}}{\fldrslt{\ul ${shown}}}}\par}`),
  html: (target, shown) => page(anchor(target, shown)),
  epub: (target, shown) => book(anchor(target, shown)),
  svg: (target, shown) =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><a xlink:href="${escaped(target)}"><text x="10" y="20">${escaped(shown)}</text></a></svg>`,
    ),
  'mail, page': (target, shown) => Buffer.from(`${HEAD}html; charset=utf-8\r\n\r\n${page(anchor(target, shown))}\r\n`),
  'mail, quoted-printable': (target, shown) =>
    Buffer.from(
      `${HEAD}html; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${folded(quoted(page(anchor(target, shown)).toString()))}\r\n`,
    ),
  'mail, text': (target, shown) =>
    Buffer.from(`${HEAD}plain; charset=utf-8\r\n\r\nHello,\r\n\r\nplease open ${shown}<${target}> today.\r\n`),
  'md, link': (target, shown) => Buffer.from(`# Notice\n\nPlease open [${shown}](${target}) today.\n`),
  'md, reference': (target, shown) => Buffer.from(`# Notice\n\nPlease open [${shown}][1] today.\n\n[1]: ${target}\n`),
  csv: (target, shown) => Buffer.from(`name,link\nAnna,"=HYPERLINK(""${target}"",""${shown}"")"\nBob,none\n`),
  ics: (target, shown) =>
    Buffer.from(
      `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\nDESCRIPTION:Open ${shown}\r\nX-ALT-DESC;FMTTYPE=text/html:<html><body>${anchor(target, shown)}</body></html>\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
    ),
  vcf: (target, shown) =>
    Buffer.from(`BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna Berg\r\nNOTE:<a href="${target}">${shown}</a>\r\nEND:VCARD\r\n`),
  'json, Slack': (target, shown) =>
    Buffer.from(
      JSON.stringify([
        { type: 'message', user: 'U01', ts: '1760000000.000100', text: 'hello all' },
        { type: 'message', user: 'U02', ts: '1760000001.000100', text: `please open <${target}|${shown}>` },
      ]),
    ),
  'json, Teams': (target, shown) =>
    Buffer.from(
      JSON.stringify({
        messages: [
          {
            messageType: 'message',
            createdDateTime: '2026-03-12T10:01:00Z',
            body: { contentType: 'html', content: anchor(target, shown) },
          },
        ],
      }),
    ),
}

const ODF =
  'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" xmlns:fo="urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'

const stored = (mimetype: string) => ({ name: 'mimetype', data: Buffer.from(mimetype), method: 'stored' as const })

export function openText(body: string, styles = ''): Buffer {
  return writeZip([
    stored('application/vnd.oasis.opendocument.text'),
    {
      name: 'content.xml',
      data: Buffer.from(
        `<office:document-content ${ODF}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
      ),
    },
    { name: 'META-INF/manifest.xml', data: Buffer.from('<manifest:manifest/>') },
  ])
}

export function book(body: string, styles = ''): Buffer {
  return writeZip([
    stored('application/epub+zip'),
    {
      name: 'META-INF/container.xml',
      data: Buffer.from(
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="a.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
      ),
    },
    {
      name: 'a.opf',
      data: Buffer.from(
        '<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
      ),
    },
    {
      name: 'a.xhtml',
      data: Buffer.from(
        `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>a</title>${styles && '<link rel="stylesheet" href="a.css"/>'}</head><body>${body}</body></html>`,
      ),
    },
    ...(styles ? [{ name: 'a.css', data: Buffer.from(styles) }] : []),
  ])
}
