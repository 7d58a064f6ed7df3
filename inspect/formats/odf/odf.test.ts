/** OpenDocument files with macros bound to events, script links, DDE and remote objects, as packages and flat. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const inspector = useInspector()

const ROOT = '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0">'
const NOTICES = new Set(['Docvet.Odf.Macro', 'Docvet.Office.ExternalLinks'])

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
    ])
      assert.deepEqual(accused(idsOf(event('dom:load', 'a.py$main'), { 'Scripts/python/a.py': source })), [
        'Docvet.Odf.AutoMacro',
      ])
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
  assert.deepEqual(cell('of:=SUM([.A1:.A2])'), [])
})

test('objects and sections from servers are suspicious, pictures from the web a notice', () => {
  const loaded = (tag: string, href: string): string[] => idsOf(`<${tag} xlink:href="${href}"/>`)
  assert.deepEqual(loaded('text:section-source', 'https://example.com/a.odt'), ['Docvet.Odf.RemoteObject'])
  assert.deepEqual(loaded('draw:object', 'http://192.0.2.1/a.odt'), ['Docvet.Ooxml.RemoteObject'])
  assert.deepEqual(loaded('draw:object', 'http://192.0.2.1/a'), ['Docvet.Ooxml.RemoteObject'])
  assert.deepEqual(loaded('draw:floating-frame', 'file://192.0.2.1/a'), ['Docvet.Office.CredentialLeak'])
  assert.deepEqual(loaded('draw:image', 'https://example.com/a.png'), ['Docvet.Ooxml.RemotePicture'])
  assert.deepEqual(loaded('draw:object', './Object 1'), [])
  assert.deepEqual(loaded('draw:image', 'Pictures/a.png'), [])
})
