/** Documents of every kind with a text in each place where readers do not see it. */

import { page, pdf, slides, wordDocument, workbook } from './hidden-texts.ts'
import { book, openText } from './link-carriers.ts'

type Carrier = (text: string) => Buffer

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const runOf = (properties: string, text: string): string =>
  `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r></w:p>`
const sheetOf = (content: string): string => `<worksheet><sheetData>${content}</sheetData></worksheet>`
const cellOf = (reference: string, text: string): string =>
  `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
const slideOf = (shapes: string): string =>
  `<p:sld xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
const shapeOf = (run: string, place = '<a:off x="100" y="100"/><a:ext cx="9000" cy="900"/>'): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="2" name="a"/></p:nvSpPr><p:spPr><a:xfrm>${place}</a:xfrm></p:spPr><p:txBody><a:p><a:r>${run}</a:r></a:p></p:txBody></p:sp>`
const drawing = (content: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300"><text x="10" y="20">Sums</text>${content}</svg>`,
  )
const hexOf = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`
/** Letters of a PDF in a font whose characters are those of Unicode. */
const FONT =
  '6 0 obj\n<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/DW 500>>]/ToUnicode 8 0 R>>\nendobj\n'
const TABLE = '/CIDInit begincmap 1 beginbfrange <0000> <ffff> <0000> endbfrange endcmap'
const table = `8 0 obj\n<</Length ${TABLE.length}>>\nstream\n${TABLE}\nendstream\nendobj\n`
const shownIn = (text: string): string => `<${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj`
function hexForm(content: string): string {
  const hex = `${Buffer.from(content).toString('hex')}>`
  return `7 0 obj\n<</Type/XObject/Subtype/Form/BBox[0 0 612 792]/Filter/ASCIIHexDecode/Length ${hex.length}>>\nstream\n${hex}\nendstream\nendobj\n`
}
const pdfWith = (content: string, more: { resources?: string; catalogue?: string; objects?: string } = {}): Buffer =>
  pdf({ content, fonts: '/F2 6 0 R', ...more, objects: `${FONT}${table}${more.objects ?? ''}` })

const mailOf = (type: string, body: string, more = ''): Buffer =>
  Buffer.from(
    `From: a@example.com\r\nTo: b@example.com\r\nSubject: Sums\r\nMIME-Version: 1.0\r\n${more}Content-Type: ${type}\r\n${body}`,
  )
const pageMail = (body: string): Buffer => mailOf('text/html; charset=utf-8', `\r\n${page(body)}`)
const quoted = (bytes: Buffer): string =>
  [...bytes]
    .map((byte) =>
      byte > 126 || byte === 61 ? `=${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte),
    )
    .join('')
    .replace(/(?:=..|[^=\n]){1,60}(?=[^\n])/g, (line) => `${line}=\r\n`)
const calendar = (lines: string): Buffer =>
  Buffer.from(
    `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nSUMMARY:Review\r\n${lines}\r\nDTSTART:20260312T100000Z\r\nLOCATION:Room 4\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`,
  )

export const TEXT_CARRIERS: Readonly<Record<string, Carrier>> = {
  'docx, vanish': (text) => wordDocument(runOf('<w:vanish/>', text)),
  'docx, web hidden': (text) => wordDocument(runOf('<w:webHidden/><w:vanish/>', text)),
  'docx, white': (text) => wordDocument(runOf('<w:color w:val="FFFFFF"/>', text)),
  'docx, one point': (text) => wordDocument(runOf('<w:sz w:val="2"/>', text)),
  'docx, alternative text': (text) =>
    wordDocument(
      `<w:p><w:r><w:drawing><wp:inline><wp:docPr id="1" name="a" descr="${text}"/></wp:inline></w:drawing></w:r></w:p>`,
    ),
  'docx, comment': (text) =>
    wordDocument('', {
      'word/comments.xml': `<w:comments ${W}><w:comment w:id="0">${runOf('', text)}</w:comment></w:comments>`,
    }),
  'docx, properties': (text) =>
    wordDocument('', {
      'docProps/core.xml': `<cp:coreProperties><dc:description>${text}</dc:description></cp:coreProperties>`,
    }),
  'docx, keywords': (text) =>
    wordDocument('', {
      'docProps/core.xml': `<cp:coreProperties><cp:keywords>${text}</cp:keywords></cp:coreProperties>`,
    }),
  'docx, own property': (text) =>
    wordDocument('', {
      'docProps/custom.xml': `<Properties><property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="2" name="Note"><vt:lpwstr>${text}</vt:lpwstr></property></Properties>`,
    }),
  'docx, own XML': (text) =>
    wordDocument('', { 'customXml/item1.xml': `<?xml version="1.0"?><data><note>${text}</note></data>` }),
  'docx, header in white': (text) =>
    wordDocument('', { 'word/header1.xml': `<w:hdr ${W}>${runOf('<w:color w:val="FFFFFF"/>', text)}</w:hdr>` }),
  'docx, deleted': (text) =>
    wordDocument(`<w:p><w:del w:id="1"><w:r><w:delText>${text}</w:delText></w:r></w:del></w:p>`),
  'docx, content control': (text) =>
    wordDocument(
      `<w:sdt><w:sdtPr><w:alias w:val="${text}"/><w:tag w:val="a"/></w:sdtPr><w:sdtContent>${runOf('', 'Sums')}</w:sdtContent></w:sdt>`,
    ),
  'docx, variable': (text) =>
    wordDocument('', {
      'word/settings.xml': `<w:settings ${W}><w:docVars><w:docVar w:name="a" w:val="${text}"/></w:docVars></w:settings>`,
    }),
  'docx, footnote that vanishes': (text) =>
    wordDocument('', {
      'word/footnotes.xml': `<w:footnotes ${W}><w:footnote w:id="2">${runOf('<w:vanish/>', text)}</w:footnote></w:footnotes>`,
    }),
  'xlsx, hidden sheet': (text) =>
    workbook(sheetOf(`<row r="1">${cellOf('A1', text)}</row>`), { state: ' state="hidden"' }),
  'xlsx, low row': (text) => workbook(sheetOf(`<row r="9" ht="0.75" customHeight="1">${cellOf('A9', text)}</row>`)),
  'xlsx, narrow column': (text) =>
    workbook(
      `<worksheet><cols><col min="3" max="3" width="0.1" customWidth="1"/></cols><sheetData><row r="1">${cellOf('C1', text)}</row></sheetData></worksheet>`,
    ),
  'xlsx, far cell': (text) =>
    workbook(sheetOf(`<row r="1">${cellOf('A1', 'Sums')}</row><row r="9000">${cellOf('ZZ9000', text)}</row>`)),
  'xlsx, white': (text) =>
    workbook(sheetOf(`<row r="1"><c r="A1" s="1" t="inlineStr"><is><t>${text}</t></is></c></row>`)),
  'xlsx, comment': (text) =>
    workbook(sheetOf(''), {
      parts: {
        'xl/comments1.xml': `<comments><commentList><comment ref="A1"><text><t>${text}</t></text></comment></commentList></comments>`,
      },
    }),
  'xlsx, number of a text': (text) => workbook(sheetOf(`<row r="1"><c r="A1"><f>3+N("${text}")</f><v>3</v></c></row>`)),
  'xlsx, name': (text) =>
    workbook(sheetOf(''), {
      parts: {
        'xl/workbook.xml': `<workbook><sheets><sheet name="Sums" sheetId="1" r:id="rId1"/></sheets><definedNames><definedName name="note" comment="${text}">"a"</definedName></definedNames></workbook>`,
      },
    }),
  'xlsx, message of a cell': (text) =>
    workbook(
      `<worksheet><sheetData/><dataValidations><dataValidation sqref="A1" prompt="${text}"/></dataValidations></worksheet>`,
    ),
  'pptx, notes': (text) =>
    slides(slideOf(''), {
      'ppt/notesSlides/notesSlide1.xml': `<p:notes xmlns:p="p" xmlns:a="a">${shapeOf(`<a:t>${text}</a:t>`)}</p:notes>`,
    }),
  'pptx, beside the slide': (text) =>
    slides(slideOf(shapeOf(`<a:t>${text}</a:t>`, '<a:off x="13000000" y="100"/><a:ext cx="900" cy="900"/>'))),
  'pptx, below the slide': (text) =>
    slides(slideOf(shapeOf(`<a:t>${text}</a:t>`, '<a:off x="100" y="9000000"/><a:ext cx="900" cy="900"/>'))),
  'pptx, white': (text) =>
    slides(slideOf(shapeOf(`<a:rPr><a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill></a:rPr><a:t>${text}</a:t>`))),
  'pptx, not filled': (text) => slides(slideOf(shapeOf(`<a:rPr><a:noFill/></a:rPr><a:t>${text}</a:t>`))),
  'pptx, one point': (text) => slides(slideOf(shapeOf(`<a:rPr sz="100"/><a:t>${text}</a:t>`))),
  'pptx, alternative text': (text) =>
    slides(slideOf(`<p:pic><p:nvPicPr><p:cNvPr id="3" name="a" descr="${text}"/></p:nvPicPr></p:pic>`)),
  'pptx, hidden slide': (text) => slides(slideOf(shapeOf(`<a:t>${text}</a:t>`)).replace('<p:sld ', '<p:sld show="0" ')),
  'odt, vanish': (text) =>
    openText(
      `<text:p><text:span text:style-name="T1">${text}</text:span></text:p>`,
      '<style:style style:name="T1" style:family="text"><style:text-properties text:display="none"/></style:style>',
    ),
  'odt, white': (text) =>
    openText(
      `<text:p><text:span text:style-name="T1">${text}</text:span></text:p>`,
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:color="#ffffff"/></style:style>',
    ),
  'odt, one point': (text) =>
    openText(
      `<text:p><text:span text:style-name="T1">${text}</text:span></text:p>`,
      '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-size="1pt"/></style:style>',
    ),
  'odt, annotation': (text) =>
    openText(`<text:p>Sums<office:annotation><text:p>${text}</text:p></office:annotation></text:p>`),
  'odt, description': (text) => openText(`<text:p><draw:frame><svg:desc>${text}</svg:desc></draw:frame></text:p>`),
  'odt, hidden paragraph': (text) =>
    openText(
      `<text:p>Sums</text:p><text:p><text:hidden-paragraph text:condition="ooow:1==1" text:is-hidden="true"/>${text}</text:p>`,
    ),
  'odt, user field': (text) =>
    openText(
      `<text:user-field-decls><text:user-field-decl text:name="a" office:value-type="string" office:string-value="${text}"/></text:user-field-decls><text:p>Sums</text:p>`,
    ),
  'rtf, vanish': (text) => richText(`{\\v ${unicodeOf(text)}}`),
  'rtf, one point': (text) => richText(`{\\fs2 ${unicodeOf(text)}}`),
  'rtf, white': (text) => richText(`{\\cf1 ${unicodeOf(text)}}`, '{\\colortbl;\\red255\\green255\\blue255;}'),
  'rtf, annotation': (text) => richText(`{\\*\\annotation ${unicodeOf(text)}}`),
  'rtf, properties': (text) => richText('', `{\\info{\\subject ${unicodeOf(text)}}}`),
  'rtf, field of remarks': (text) => richText(`{\\field{\\*\\fldinst{COMMENTS "${unicodeOf(text)}"}}{\\fldrslt }}`),
  'rtf, unknown group': (text) => richText(`{\\*\\note9 ${unicodeOf(text)}}`),
  'pdf, mode 3': (text) => pdfWith(`BT /F2 12 Tf 3 Tr 72 600 Td ${shownIn(text)} ET`),
  'pdf, white': (text) => pdfWith(`1 1 1 rg BT /F2 12 Tf 72 600 Td ${shownIn(text)} ET`),
  'pdf, tiny': (text) => pdfWith(`BT /F2 0.5 Tf 72 600 Td ${shownIn(text)} ET`),
  'pdf, clipped': (text) => pdfWith(`q 10 10 5 5 re W n BT /F2 12 Tf 72 600 Td ${shownIn(text)} ET Q`),
  'pdf, behind a picture': (text) =>
    pdfWith(`BT /F2 6 Tf 72 600 Td ${shownIn(text)} ET\nq 2000 0 0 60 0 580 cm /I1 Do Q`, {
      resources: '/XObject<</I1 7 0 R>>',
      objects:
        '7 0 obj\n<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Length 1>>\nstream\nx\nendstream\nendobj\n',
    }),
  'pdf, transparent': (text) =>
    pdfWith(`/G1 gs BT /F2 12 Tf 72 600 Td ${shownIn(text)} ET`, { resources: '/ExtGState<</G1<</ca 0.01>>>>' }),
  'pdf, layer': (text) =>
    pdfWith(`/OC /L1 BDC BT /F2 12 Tf 72 600 Td ${shownIn(text)} ET EMC`, {
      resources: '/Properties<</L1 7 0 R>>',
      objects: '7 0 obj\n<</Type/OCG/Name(x)>>\nendobj\n',
      catalogue: '/OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>',
    }),
  'pdf, outside the page': (text) => pdfWith(`BT /F2 12 Tf 72 -600 Td ${shownIn(text)} ET`),
  'pdf, properties': (text) => pdf({ content: '', objects: `9 0 obj\n<</Subject${hexOf(text)}>>\nendobj\n` }),
  'pdf, note': (text) =>
    pdf({ content: '', page: `/Annots[<</Type/Annot/Subtype/Text/F 2/Rect[0 0 9 9]/Contents${hexOf(text)}>>]` }),
  'pdf, alternative text': (text) => pdf({ content: `/Figure <</Alt${hexOf(text)}>> BDC EMC` }),
  'pdf, actual text': (text) =>
    pdf({ content: `/Span <</ActualText${hexOf(text)}>> BDC BT /F1 12 Tf 72 500 Td (a) Tj ET EMC` }),
  'pdf, actual text of a form': (text) =>
    pdf({
      content: '/X1 Do',
      resources: '/XObject<</X1 7 0 R>>',
      objects: hexForm(`/Span <</ActualText${hexOf(text)}>> BDC BT /F1 12 Tf 72 500 Td (a) Tj ET EMC`),
    }),
  'pdf, one point in a font without a table': (text) =>
    pdf({
      content: `BT /F2 0.5 Tf 72 600 Td <${Buffer.from(text, 'utf16le').swap16().toString('hex')}> Tj ET`,
      fonts: '/F2 6 0 R',
      objects: '6 0 obj\n<</Type/Font/Subtype/Type0/BaseFont/STSong-Light/Encoding/UniGB-UTF16-H>>\nendobj\n',
    }),
  'pdf, hidden field': (text) =>
    pdf({
      content: '',
      catalogue: `/AcroForm<</Fields[<</FT/Tx/T(a)/F 2/Subtype/Widget/Rect[0 0 0 0]/V${hexOf(text)}>>]>>`,
    }),
  'html, comment': (text) => page(`<!-- ${text} -->`),
  'html, display:none': (text) => page(`<div style="display:none">${text}</div>`),
  'html, transparent': (text) => page(`<div style="opacity:0.01">${text}</div>`),
  'html, off screen': (text) => page(`<div style="position:fixed;left:-99em">${text}</div>`),
  'html, by a class': (text) => page(`<p class="q">${text}</p>`, '<style>.q{font-size:0;line-height:0}</style>'),
  'html, only for print': (text) =>
    page(`<p class="q">${text}</p>`, '<style>.q{display:none}@media print{.q{display:block}}</style>'),
  'html, turned away': (text) => page(`<p style="transform:rotateX(90deg)">${text}</p>`),
  'html, tiny by its font': (text) => page(`<p style="font:0/0 a">${text}</p>`),
  'html, white by a value with a name': (text) =>
    page(`<p class="q">${text}</p>`, '<style>:root{--w:#fff}@media screen{.q{color:var(--w)}}</style>'),
  'html, scaled': (text) => page(`<p style="transform:scale(0)">${text}</p>`),
  'html, clipped': (text) => page(`<p style="clip-path:inset(100%);position:absolute">${text}</p>`),
  'html, aria label': (text) => page(`<span aria-label="${text}"></span>`),
  'html, description': (text) => page('', `<meta name="description" content="${text}">`),
  'html, hidden field': (text) => page(`<input type="hidden" name="a" value="${text}">`),
  'html, data for programs': (text) =>
    page('', `<script type="application/ld+json">{"@type":"Thing","description":"${text}"}</script>`),
  'svg, transparent': (text) => drawing(`<text opacity="0" x="10" y="50">${text}</text>`),
  'svg, off view': (text) => drawing(`<text x="9000" y="50">${text}</text>`),
  'svg, description': (text) => drawing(`<desc>${text}</desc>`),
  'svg, title': (text) => drawing(`<title>${text}</title>`),
  'svg, comment': (text) => drawing(`<!-- ${text} -->`),
  'svg, tiny': (text) => drawing(`<text font-size="0.1" x="10" y="50">${text}</text>`),
  'svg, not filled by its opacity': (text) => drawing(`<text fill-opacity="0" x="10" y="50">${text}</text>`),
  'svg, metadata': (text) => drawing(`<metadata><note>${text}</note></metadata>`),
  'svg, not filled': (text) => drawing(`<text fill="none" x="10" y="50">${text}</text>`),
  'mail, display:none': (text) => pageMail(`<div style="display:none">${text}</div>`),
  'mail, font-size 0': (text) => pageMail(`<span style="font-size:0px">${text}</span>`),
  'mail, preheader': (text) =>
    pageMail(
      `<div style="display:none;max-height:0;overflow:hidden;mso-hide:all;font-size:1px;color:#fff">${text}</div>`,
    ),
  'mail, white': (text) => pageMail(`<span style="color:#fefefe">${text}</span>`),
  'mail, quoted-printable': (text) =>
    mailOf(
      'text/html; charset=utf-8',
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${quoted(page(`<div style="display:none">${text}</div>`))}\r\n`,
    ),
  'mail, Base64': (text) =>
    mailOf(
      'text/html; charset=utf-8',
      `Content-Transfer-Encoding: base64\r\n\r\n${page(`<div style="display:none">${text}</div>`).toString('base64')}\r\n`,
    ),
  'mail, other version': (text) =>
    mailOf(
      'multipart/alternative; boundary="x"',
      `\r\n--x\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n--x\r\nContent-Type: text/html\r\n\r\n${page('')}\r\n--x--\r\n`,
    ),
  'mail, header': (text) =>
    mailOf(
      'text/plain; charset=utf-8',
      '\r\nHello\r\n',
      `X-Note: =?utf-8?B?${Buffer.from(text).toString('base64')}?=\r\n`,
    ),
  'md, comment of HTML': (text) => Buffer.from(`# Sums\n\nHello.\n\n<!-- ${text} -->\n`),
  'md, comment of Markdown': (text) => Buffer.from(`# Sums\n\nHello.\n\n[//]: # (${text})\n`),
  'md, comment with parentheses': (text) => Buffer.from(`# Sums\n\n[//]: # (Note (1): ${text})\n`),
  'md, alternative text': (text) => Buffer.from(`# Sums\n\n![${text}](a.png)\n`),
  'md, title of a link': (text) => Buffer.from(`# Sums\n\n[Home](https://example.com "${text}")\n`),
  'md, hidden element': (text) => Buffer.from(`# Sums\n\n<span style="display:none">${text}</span>\n`),
  'md, front matter': (text) => Buffer.from(`---\ntitle: Sums\nnote: ${text}\n---\n\n# Sums\n\nHello.\n`),
  'csv, far cell': (text) => Buffer.from(`name,sum\nAnna,3\nBob,4\nEve,5${','.repeat(60)}"${text}"\n`),
  'csv, cell': (text) => Buffer.from(`name,sum,note\nAnna,3,paid\nBob,4,"${text}"\nEve,5,open\n`),
  'csv, comment': (text) => Buffer.from(`# ${text}\nname,sum\nAnna,3\nBob,4\n`),
  'ics, description': (text) => calendar(`DESCRIPTION:Agenda${'\\n'.repeat(40)}${text}`),
  'ics, page': (text) =>
    calendar(
      `X-ALT-DESC;FMTTYPE=text/html:<html><body><p>Hello</p><div style="display:none">${text}</div></body></html>`,
    ),
  'ics, comment': (text) => calendar(`COMMENT:${text}`),
  'ics, own property': (text) => calendar(`X-NOTE:${text}`),
  'vcf, note': (text) => card(`NOTE:${text}`),
  'vcf, own property': (text) => card(`X-NOTE:${text}`),
  'txt, far below': (text) => Buffer.from(`Hello\n${'\n'.repeat(80)}${text}\n`),
  'txt, far right': (text) => Buffer.from(`Hello${' '.repeat(400)}${text}\n`),
  'txt, tags': (text) => Buffer.from(`Hello ${tagged(text)}\n`),
  'txt, bits': (text) => Buffer.from(`Hello ${bitsOf(text)}\n`),
  'epub, display:none': (text) => book(`<p>Hello</p><p style="display:none">${text}</p>`),
  'epub, off screen by a class': (text) =>
    book(`<p>Hello</p><p class="k">${text}</p>`, 'p{margin:0}.k{position:absolute;left:-9999px}'),
  'epub, comment': (text) => book(`<p>Hello</p><!-- ${text} -->`),
  'json, chat with tags': (text) =>
    Buffer.from(JSON.stringify([{ user: 'a', ts: '1', text: `hello ${tagged(text)}` }])),
  'json, hidden element': (text) =>
    Buffer.from(
      JSON.stringify({
        messages: [
          {
            createdDateTime: '2026-03-12',
            body: { contentType: 'html', content: `<p>Hello</p><div style="display:none">${text}</div>` },
          },
        ],
      }),
    ),
}

/** Letters of ASCII; others are left out. */
const tagged = (text: string): string =>
  Array.from(text.replace(/[^ -~]/g, ''), (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0))).join('')
const bitsOf = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => byte.toString(2).padStart(8, '0'))
    .join('')
    .replace(/[01]/g, (bit) => (bit === '0' ? '\u200b' : '\u200c'))
const unicodeOf = (text: string): string =>
  text.replace(/[^ -~]/g, (sign) => [...sign].map((_, i) => `\\u${(sign.charCodeAt(i) << 16) >> 16}?`).join(''))
const richText = (body: string, head = ''): Buffer =>
  Buffer.from(`{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}${head}\\pard Sums\\par ${body}}`)
const card = (line: string): Buffer =>
  Buffer.from(
    `BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Anna Berg\r\nTEL:+49 30 1234\r\nEMAIL:anna@example.com\r\n${line}\r\nEND:VCARD\r\n`,
  )
