/** References of Office packages, by the type of the relationship and the class of its target. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const TYPES = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/'

/** Findings by id, notices included. */
function found(type: string, target: string, mode = ' TargetMode="External"'): string[] {
  const part = `<Relationships><Relationship Id="r" Type="${TYPES}${type}" Target="${target}"${mode}/></Relationships>`
  return inspector.inspect(docx({ 'word/_rels/document.xml.rels': part })).findings.map(({ id }) => id)
}

const partFound = (name: string, text: string, more: Record<string, string> = {}): string[] =>
  inspector.inspect(docx({ [name]: text, ...more })).findings.map(({ id }) => id)

suite('a reference is judged by its type and target', () => {
  const CASES: [type: string, target: string, id: string | null][] = [
    ['attachedTemplate', 'https://example.com/a.dotx', 'Docvet.Ooxml.WebTemplate'],
    ['attachedTemplate', 'https://example.com/a.dotm?raw=true', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'https://contoso.sharepoint.com/sites/a/Letter.dotm', 'Docvet.Ooxml.WebTemplate'],
    ['attachedTemplate', 'https://contoso.sharepoint.com/sites/a/Letter.dotx', 'Docvet.Office.CompanyServer'],
    ['attachedTemplate', 'file:///\\\\fileserver\\Templates\\Letter.dotx', 'Docvet.Office.CompanyServer'],
    ['attachedTemplate', '\\\\192.0.2.1\\a\\b.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', '\\\\files.example.com\\a\\b.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', '\\\\10.example.com\\a\\b.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'file://192.168.example.com/a/b.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', '\\\\192.168.1.10\\a\\b.dotm', 'Docvet.Office.CompanyServer'],
    ['attachedTemplate', '\\\\192.168.1.10@80\\a\\b.dotm', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'http://192.168.1.10/a.dotm', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'http://intranet/a/b.dotx', 'Docvet.Office.CompanyServer'],
    ['attachedTemplate', '\\\\fs1.corp.example.com\\a\\b.dotx', 'Docvet.Ooxml.FileServerReference'],
    ['attachedTemplate', '\\\\fs1.corp.example.com@SSL\\a\\b.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', '\\\\example.com@SSL\\DavWWWRoot\\b.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'http://office@3221225985/a?id=1', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'ms-word:ofe|u|https://example.com/a.dotx', 'Docvet.Ooxml.RemoteTemplate'],
    ['attachedTemplate', 'file:///C:\\Users\\a\\b.dotx', 'Docvet.Ooxml.LocalTemplate'],
    ['attachedTemplate', 'Normal.dotm', null],
    ['oleObject', '&#104;ttp://example.com/a.html!', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'mhtml:http://example.com/a.html!x-usc:http://example.com/a.html', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'ms-its:http://example.com/a.chm::/a.htm', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', '\\\\192.0.2.1\\a\\b.html', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'file:///\\\\fileserver\\a\\b.xls', 'Docvet.Office.CompanyServer'],
    ['oleObject', '\\\\files.example.com\\a\\b.xls', 'Docvet.Ooxml.FileServerObject'],
    ['oleObject', 'http://intranet/a/b.xlsx!Sheet1!R1C1', 'Docvet.Office.CompanyServer'],
    ['oleObject', 'http://intranet/a/b.html!', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'https://intranet.example.com/a/b.xlsx!Sheet1!R1C1', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'http://intranet/a/b.xlsx!x-usc:http://192.0.2.1/a.html', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'https://a.sharepoint.com/b.docx!x-usc:http://192.0.2.1/a.html', 'Docvet.Ooxml.RemoteObject'],
    ['oleObject', 'https://a.sharepoint.com/b.xlsx!Sheet1!R1C1', 'Docvet.Ooxml.FileServerObject'],
    ['oleObject', 'file:///E:\\a.xlsx', 'Docvet.Ooxml.LinkedObject'],
    ['oleObject', 'file://localhost/Users/a.xlsx', 'Docvet.Ooxml.LinkedObject'],
    ['frame', 'https://example.com/a.htm', 'Docvet.Ooxml.RemoteFrame'],
    ['frame', 'http://192.0.2.1/a.htm', 'Docvet.Ooxml.RemoteFrame'],
    ['subDocument', '\\\\server\\a\\b.docx', 'Docvet.Office.CompanyServer'],
    ['subDocument', '\\\\192.168.1.10\\a\\b.docx', 'Docvet.Office.CompanyServer'],
    ['subDocument', 'http://intranet/a/b.docx', 'Docvet.Office.CompanyServer'],
    ['subDocument', '\\\\files.example.com\\a\\b.docx', 'Docvet.Ooxml.FileServerReference'],
    ['subDocument', '\\\\192.0.2.1\\a\\b.docx', 'Docvet.Ooxml.RemoteFrame'],
    ['subDocument', '\\\\server@80\\a\\b.docx', 'Docvet.Ooxml.RemoteFrame'],
    ['subDocument', 'chapter1.docx', null],
    ['aFChunk', 'http://example.com/a.htm', 'Docvet.Ooxml.RemoteFrame'],
    ['image', '\\\\server\\a\\b.png', 'Docvet.Office.CompanyServer'],
    ['image', '\\\\files.example.com\\a\\b.png', 'Docvet.Ooxml.FileServerReference'],
    ['image', '\\\\10.1.2.3\\a\\b.png', 'Docvet.Office.CompanyServer'],
    ['image', '\\\\10.example.com\\a\\b.png', 'Docvet.Ooxml.FileServerReference'],
    ['image', '\\\\0313.0.0161.5\\a\\b.png', 'Docvet.Office.CredentialLeak'],
    ['image', 'file://192.0.2.1/a/b.png', 'Docvet.Office.CredentialLeak'],
    ['image', '\\\\example.com@80\\a\\b.png', 'Docvet.Office.CredentialLeak'],
    ['image', '\\\\contoso.sharepoint.com@SSL\\DavWWWRoot\\b.png', 'Docvet.Ooxml.FileServerReference'],
    ['image', 'https://example.com/a.png', 'Docvet.Ooxml.RemotePicture'],
    ['image', 'file:///C:\\a.png', null],
    ['externalLinkPath', '\\\\server\\a\\b.xlsx', 'Docvet.Ooxml.LinkedObject'],
    ['externalLinkPath', '\\\\192.0.2.1\\a\\b.xlsx', 'Docvet.Ooxml.FileServerReference'],
    ['externalLinkPath', 'https://example.com/b.hta', 'Docvet.Ooxml.ExternalPart'],
    ['mailMergeSource', '\\\\server\\a\\b.mdb', 'Docvet.Office.CompanyServer'],
    ['mailMergeSource', '\\\\files.example.com\\b.mdb', 'Docvet.Office.RemoteMailMerge'],
    ['mailMergeSource', '\\\\192.0.2.1\\b.mdb', 'Docvet.Office.CredentialLeak'],
    ['mailMergeSource', 'file:///C:\\a.docx', 'Docvet.Ooxml.MailMergeSource'],
    ['slideUpdateUrl', 'https://example.com/slides', 'Docvet.Ooxml.ExternalPart'],
    ...'attachedToolbars keyMapCustomizations transform slideUpdateInfo attachedSchema externalData connections'
      .split(' ')
      .map((type): [string, string, string] => [type, 'https://example.com/a', 'Docvet.Ooxml.ExternalPart']),
    ['attachedToolbars', '\\\\server\\a.bin', 'Docvet.Office.CompanyServer'],
    ['officeDocument', 'https://example.com/document.xml', 'Docvet.Ooxml.ExternalCore'],
    ['vbaProject', '\\\\server\\vbaProject.bin', 'Docvet.Ooxml.ExternalCore'],
    ['neverHeardOf', '\\\\server\\a', 'Docvet.Office.CompanyServer'],
    ['neverHeardOf', 'https://example.com/a', null],
  ]
  for (const [type, target, id] of CASES)
    test(`${type} ${target}`, () => assert.deepEqual(found(type, target), id === null ? [] : [id]))
  test('parts inside the package are not', () => {
    for (const type of ['oleObject', 'attachedTemplate', 'officeDocument', 'image'])
      assert.deepEqual(found(type, '/word/embeddings/a.bin', ''), [], type)
  })
  test('local paths are not shown', () => {
    const part = `<Relationship Type="${TYPES}oleObject" Target="file:///C:\\Users\\jane\\a.xls" TargetMode="External"/>`
    const [finding] = inspector.inspect(docx({ 'word/_rels/document.xml.rels': part })).findings
    assert.equal(finding?.detail, null)
  })
})

suite('a hyperlink', () => {
  const link = (target: string): string[] => found('hyperlink', target)
  test('to the web is one notice for the whole document', () => {
    const part = (count: number): string =>
      Array.from(
        { length: count },
        (_, i) => `<Relationship Type="${TYPES}hyperlink" Target="https://example.com/${i}"/>`,
      ).join('')
    const { findings } = inspector.inspect(docx({ 'word/_rels/a.xml.rels': part(2), 'word/_rels/b.xml.rels': part(3) }))
    assert.deepEqual(
      findings.map(({ id, path, detail }) => [id, path, detail]),
      [['Docvet.Office.ExternalLinks', [], '5 links, the first to hxxps://example[.]com/0']],
    )
  })
  test('to a program handler or a share is reported', () => {
    assert.ok(link('ms-msdt:/id PCWDiagnostic').includes('Docvet.Link.Troubleshooter'))
    assert.ok(link('search-ms:query=a&amp;crumb=location:\\\\192.0.2.1\\a').includes('Docvet.Link.HandlerProgram'))
    assert.ok(link('ms-officecmd:{}').includes('Docvet.Link.Handler'))
    assert.ok(link('file://server/a/b.exe').includes('Docvet.Link.FileServer'))
    assert.ok(link('file://server/a/b.docx').includes('Docvet.Link.CompanyServer'))
    assert.deepEqual(link('javascript:window.close()'), ['Docvet.Link.Script'])
  })
  test('inside the document or to a mail address is not', () => {
    for (const target of ['#a', 'mailto:a@example.com', 'other.docx', 'file:///C:\\a.docx'])
      assert.deepEqual(link(target), [])
  })
})

suite('a slide', () => {
  const slide = (inside: string, target: string): string[] =>
    partFound('ppt/slides/slide1.xml', `<p:sld><p:cNvPr>${inside}</p:cNvPr></p:sld>`, {
      'ppt/slides/_rels/slide1.xml.rels': `<Relationship Id="r2" Type="${TYPES}hyperlink" Target="${target}" TargetMode="External"/>`,
    }).filter((id) => id !== 'Docvet.Office.ExternalLinks')
  test('that starts a program is malicious', () => {
    for (const action of ['ppaction://program', 'PPAction://Program', '&#112;paction://program?a'])
      assert.deepEqual(slide(`<a:hlinkClick r:id="r2" action="${action}"/>`, 'a.exe'), ['Docvet.Ooxml.ProgramAction'])
    assert.deepEqual(slide('<a:hlinkMouseOver r:id="r2" action="ppaction://program"/>', 'a'), [
      'Docvet.Ooxml.ProgramAction',
    ])
  })
  test('that opens an address when the mouse touches it is suspicious, a share or a command malicious', () => {
    const hover = (target: string): string[] => slide('<a:hlinkMouseOver r:id="r2"/>', target)
    assert.deepEqual(hover('https://example.com/a'), ['Docvet.Ooxml.HoverAction'])
    assert.ok(hover('\\\\192.0.2.1\\a').includes('Docvet.Link.HandlerAutomatic'))
    assert.ok(hover('powershell -nop -w hidden -c iex').includes('Docvet.Ooxml.ProgramAction'))
  })
  test('with ordinary links is not', () => {
    assert.deepEqual(slide('<a:hlinkClick r:id="r2" action="ppaction://hlinkshowjump?jump=nextslide"/>', '#1'), [])
    assert.deepEqual(slide('<a:hlinkMouseOver r:id="r2" action="ppaction://hlinksldjump"/>', 'slide2.xml'), [])
    assert.deepEqual(slide('<a:hlinkClick r:id="r2"/>', 'https://example.com/a'), [])
  })
})

suite('a ribbon', () => {
  const ribbon = (attributes: string): string[] =>
    partFound('customUI/customUI.xml', `<customUI xmlns="a" ${attributes}><ribbon/></customUI>`)
  test('that calls code on a server is malicious', () => {
    for (const value of ['https://example.com/a.xlam!run', "'\\\\server\\a.xlam'!run", '&#104;ttp://example.com/a!b'])
      assert.ok(ribbon(`onLoad="${value}"`).includes('Docvet.Ooxml.RemoteRibbon'), value)
    assert.ok(ribbon('loadImage = "https://example.com/a!b"').includes('Docvet.Ooxml.RemoteRibbon'))
  })
  test('with macros of its own is a notice', () => {
    assert.deepEqual(ribbon('onLoad="Ribbon_Load" getVisible="module.Visible"'), ['Docvet.Ooxml.Ribbon'])
  })
})

suite('an add-in that the document asks for', () => {
  const properties = (value: string, name = '_AssemblyLocation'): string[] =>
    partFound(
      'docProps/custom.xml',
      `<Properties><property name="${name}"><vt:lpwstr>${value}</vt:lpwstr></property></Properties>`,
    )
  test('is suspicious on a web host, malicious on a share or an IP address', () => {
    assert.deepEqual(properties('https://example.com/a.vsto|1234'), ['Docvet.Ooxml.AddInLink'])
    assert.deepEqual(properties('http://192.0.2.1/a.vsto|1234'), ['Docvet.Ooxml.AddInShare'])
    assert.deepEqual(properties('http://192.0.2.1/a.vsto|1', '_Assembly&#x4c;ocation'), ['Docvet.Ooxml.AddInShare'])
    assert.deepEqual(properties('\\\\server\\a.vsto|1234'), ['Docvet.Ooxml.AddInShare'])
  })
  test('is nothing if it comes with the document or is another property', () => {
    assert.deepEqual(properties('a.vsto|1234|vstolocal'), [])
    assert.deepEqual(properties('https://example.com/', 'Homepage'), [])
  })
})

suite('references in the markup', () => {
  const of = (text: string): string[] =>
    inspector
      .inspect(Buffer.from(`<?xml version="1.0"?><w:wordDocument>${text}</w:wordDocument>`))
      .findings.map(({ id }) => id)
  test('of Word 2003 and VML are judged like relationships', () => {
    assert.deepEqual(of('<w:attachedTemplate w:val="http://192.0.2.1/a.dot"/>'), ['Docvet.Ooxml.RemoteTemplate'])
    assert.deepEqual(of('<v:imagedata src="\\\\server\\a.png"/>'), ['Docvet.Office.CompanyServer'])
    assert.deepEqual(of('<w:sourceFileName w:val="https://example.com/a.htm"/>'), ['Docvet.Ooxml.RemoteFrame'])
    assert.deepEqual(of('<w:hlink w:dest="ms-officecmd:a">'), ['Docvet.Link.Handler', 'Docvet.Office.ExternalLinks'])
  })
  test('declare macros of Word 2003', () => {
    const of2003 = (present: string): string[] =>
      inspector
        .inspect(Buffer.from(`<?xml version="1.0"?><w:wordDocument w:macrosPresent="${present}"/>`))
        .findings.map(({ id }) => id)
    assert.deepEqual(of2003('yes'), ['Docvet.Mht.ActiveMime'])
    assert.deepEqual(of2003('y&#101;s'), ['Docvet.Mht.ActiveMime'])
    assert.deepEqual(of2003('n&#111;'), [])
  })
  test('to local files are not', () => {
    assert.deepEqual(of('<w:attachedTemplate w:val="C:\\a.dot"/><v:imagedata src="a.png"/>'), [])
  })
})

test('the stored properties of a web browser control are judged by the address in them', () => {
  const clsid = Buffer.from('61f956880a34d011a96b00c04fd705a2', 'hex')
  const control = (address: string): string[] =>
    inspector
      .inspect(docx({ 'word/activeX/activeX1.bin': Buffer.concat([clsid, Buffer.from(address, 'utf16le')]) }))
      .findings.map(({ id, severity }) => `${severity} ${id}`)
  assert.deepEqual(control('http://192.0.2.1/a.hta'), ['malicious Docvet.Ole.ExploitedClass'])
  assert.deepEqual(control('https://example.com/'), ['suspicious Docvet.Ole.RiskyClass'])
})

test('a query of a mail merge that calls Shell is malicious', () => {
  const query = (text: string): string[] =>
    partFound('word/settings.xml', `<w:settings><w:mailMerge><w:query w:val="${text}"/></w:mailMerge></w:settings>`)
  assert.ok(query("SELECT * FROM a WHERE Shell('cmd /c x')=0").includes('Docvet.Excel.ProgramProvider'))
  assert.deepEqual(query('SELECT * FROM `Sheet1$`'), ['Docvet.Ooxml.MailMergeSource'])
})
