/** Objects are judged by their class, their target and their content. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FONT_NAME_MAX, MATRIX_MAX } from '#inspect/codecs/equation.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import {
  CHARACTER,
  EQUATION_CLSID,
  equationData,
  equationObject,
  equationOfVersion,
  fileMoniker,
  fontRecord,
  linkObject,
  ole1Link,
  urlMoniker,
} from '#inspect/testing/objects-writer.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { ole1Object, packageObject } from '#inspect/testing/package-writer.ts'
import { docx } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const idsOf = (bytes: Uint8Array): string[] => inspector.inspect(bytes).findings.map(({ id }) => id)
const inRtf = (object: Buffer, more = ''): string[] =>
  idsOf(Buffer.from(`{\\rtf1{\\object\\objemb${more}{\\*\\objdata ${object.toString('hex')}}}}`))
const inDocx = (object: Uint8Array): string[] => idsOf(docx({ 'word/embeddings/oleObject1.bin': object }))

const matrix = (rows: number): Buffer => Buffer.concat([Buffer.from([5, 0, 0, 0, rows, 1]), Buffer.alloc(40)])
const ORDINARY = equationData(fontRecord('Times New Roman'), CHARACTER)
const ATTACK = equationData(fontRecord(`cmd.exe /c calc.exe${'A'.repeat(30)}`), CHARACTER)

suite('an Equation Editor object', () => {
  test('with an equation is a notice, also in RTF', () => {
    assert.deepEqual(inDocx(equationObject(ORDINARY)), ['Docvet.Ole.Equation'])
    for (const object of [equationObject(ORDINARY), ORDINARY])
      assert.deepEqual(inRtf(ole1Object('Equation.3', object), '{\\*\\objclass Equation.3}'), ['Docvet.Ole.Equation'])
  })
  test('with an overlong font name or matrix is malicious', () => {
    assert.ok(inDocx(equationObject(ATTACK)).includes('Docvet.Ole.EquationExploit'))
    assert.ok(inRtf(ole1Object('Equation.3', equationObject(ATTACK))).includes('Docvet.Rtf.EquationEditor'))
    const font = (length: number): string[] => inDocx(equationObject(equationData(fontRecord('A'.repeat(length)))))
    assert.deepEqual(font(FONT_NAME_MAX), ['Docvet.Ole.Equation'])
    assert.deepEqual(font(FONT_NAME_MAX + 1), ['Docvet.Ole.EquationExploit'])
    assert.ok(!inDocx(equationObject(equationData(matrix(MATRIX_MAX)))).includes('Docvet.Ole.EquationExploit'))
    assert.deepEqual(inDocx(equationObject(equationData(matrix(MATRIX_MAX + 1)))), ['Docvet.Ole.EquationExploit'])
  })
  suite('of an earlier version', () => {
    // f'(x): the code of a character has one byte, and what follows would be a matrix with many rows.
    const derived = Buffer.from('0a0132836606050002822812837802822900', 'hex')
    for (const version of [1, 2])
      test(`${version}`, () => {
        const found = (...records: Uint8Array[]): string[] =>
          inDocx(equationObject(equationOfVersion(version, ...records)))
        assert.deepEqual(found(derived), ['Docvet.Ole.Equation'])
        assert.deepEqual(found(fontRecord('Times New Roman'), derived), ['Docvet.Ole.Equation'])
        assert.deepEqual(found(fontRecord('A'.repeat(FONT_NAME_MAX + 1)), derived), ['Docvet.Ole.EquationExploit'])
        assert.deepEqual(found(derived.subarray(0, -1), fontRecord('A'.repeat(FONT_NAME_MAX + 1))), [
          'Docvet.Ole.EquationExploit',
        ])
        assert.deepEqual(found(matrix(MATRIX_MAX + 1)), ['Docvet.Ole.EquationExploit'])
        // Only readable as the program's own version, and an attack then.
        assert.deepEqual(found(Buffer.from([1, 2, 0x83, 15, 0]), fontRecord('A'.repeat(99))), [
          'Docvet.Ole.EquationExploit',
        ])
      })
    test('is no equation of another', () => {
      assert.notDeepEqual(inDocx(equationObject(equationData(derived))), ['Docvet.Ole.Equation'])
      assert.notDeepEqual(inDocx(equationObject(equationOfVersion(0, derived))), ['Docvet.Ole.Equation'])
    })
  })
  test('with other data is suspicious, and malicious in RTF', () => {
    for (const data of [Buffer.alloc(200, 0xcc), Buffer.from('a'), equationData(Buffer.from([15, 1]))]) {
      assert.deepEqual(inDocx(equationObject(data)), ['Docvet.Ole.EquationOdd'])
      assert.ok(inRtf(ole1Object('a', equationObject(data))).includes('Docvet.Rtf.EquationEditor'))
    }
    assert.ok(inRtf(Buffer.from('01'), '{\\*\\objclass Equ{a}tion.3}').includes('Docvet.Rtf.EquationEditor'))
  })
  test('with a preview in its native data is ordinary outside RTF', () => {
    const streams = { '\x01Ole10Native': Buffer.alloc(100, 1) }
    assert.deepEqual(idsOf(writeOle({ clsid: EQUATION_CLSID, streams })), [])
  })
})

suite('a linked object', () => {
  test('on a web server or with a script is malicious', () => {
    for (const moniker of [
      urlMoniker('http://example.com/a.hta'),
      Buffer.concat([Buffer.alloc(7), urlMoniker('https://example.com/')]),
      urlMoniker('script:http://example.com/a.sct'),
      Buffer.from('c7b0abec197fd211978e0000f8757e2a00000000', 'hex'),
      Buffer.from('d30b2906aa48d2118432006008c3fbfc', 'hex'),
    ]) {
      assert.ok(inDocx(linkObject(moniker)).includes('Docvet.Ole.LinkMoniker'))
      assert.ok(inRtf(ole1Object('OLE2Link', linkObject(moniker))).includes('Docvet.Ole.LinkMoniker'))
    }
    assert.ok(inRtf(ole1Link('Word.Document.8', 'http://example.com/a.doc')).includes('Docvet.Ole.LinkMoniker'))
  })
  test('on a file server is suspicious', () => {
    assert.deepEqual(inDocx(linkObject(fileMoniker('\\\\server\\a.xls'))), ['Docvet.Office.CompanyServer'])
    assert.deepEqual(inRtf(ole1Link('Excel.Sheet.8', '\\\\server\\a.xls')), ['Docvet.Office.CompanyServer'])
  })
  test('on the computer of the author is not reported', () => {
    assert.deepEqual(inDocx(linkObject(fileMoniker('C:\\a.xls'))), [])
    assert.deepEqual(inRtf(ole1Link('Excel.Sheet.8', 'C:\\a.xls')), [])
  })
})

suite('a package', () => {
  const ids = (name: string, text = 'Good morning'): string[] => inDocx(packageObject(name, Buffer.from(text)))
  test('with a script, program or shortcut by its name is malicious', () => {
    for (const name of ['readme.js', 'a.hta', 'b.lnk', 'invoice.pdf.vbs', 'c.exe'])
      assert.ok(ids(name).includes('Docvet.Ole.PackageProgram'), name)
    assert.ok(ids('invoice.pdf.vbs').includes('Docvet.Ole.PackageName'))
  })
  test('that starts a command is malicious', () => {
    const command = (text: string): string[] => {
      const native = Buffer.from(`\x02\0Report\0C:\\a\0\0\0\x01\0\x01\0${text}\0`, 'latin1')
      const size = Buffer.alloc(4)
      size.writeUInt32LE(native.length)
      return inDocx(writeOle({ streams: { '\x01Ole10Native': Buffer.concat([size, native]) } }))
    }
    assert.ok(command('C:\\Windows\\System32\\calc.exe').includes('Docvet.Ole.PackageProgram'))
    assert.ok(command('cmd /c powershell -enc AAAA').includes('Docvet.Ole.PackageProgram'))
    assert.deepEqual(command('C:\\Users\\a\\report.docx'), ['Docvet.Ole.PackageFile'])
  })
  test('with a text, picture or archive is a notice', () => {
    for (const name of ['a.txt', 'b.csv', 'Report 2024.05.01.txt'])
      assert.deepEqual(ids(name), ['Docvet.Ole.PackageFile'])
  })
})

suite('the class of an object', () => {
  const stored = 'b69041c78985d111b16a00c0f0283628'
  test('with known vulnerabilities is suspicious, and malicious in RTF', () => {
    const control = writeOle({ clsid: stored, streams: { contents: Buffer.from('a') } })
    assert.deepEqual(inDocx(control), ['Docvet.Ole.RiskyClass'])
    assert.ok(inRtf(ole1Object('MSComctlLib.TreeCtrl.2', control)).includes('Docvet.Ole.ExploitedClass'))
    const inner = writeOle({
      storages: ['ObjectPool', `ObjectPool/_1#${stored}`],
      streams: { WordDocument: Buffer.from('a') },
    })
    assert.deepEqual(idsOf(inner), ['Docvet.Ole.RiskyClass'])
  })
  test('that runs code is malicious', () => {
    assert.deepEqual(
      inDocx(writeOle({ clsid: 'd8f45030b598cf11bb8200aa00bdce0b', streams: { a: Buffer.from('a') } })),
      ['Docvet.Ole.ExploitedClass'],
    )
  })
  test('of a form control is a notice', () => {
    const part = (clsid: string): string[] =>
      idsOf(docx({ 'word/activeX/activeX1.xml': `<ax:ocx ax:classid="{${clsid}}"/>` }))
    assert.deepEqual(part('8BD21D40-EC42-11CE-9E0D-00AA006002F3'), ['Docvet.Ole.ActiveX'])
    assert.deepEqual(part('c74190b6-8589-11d1-b16a-00c0f0283628'), ['Docvet.Ole.RiskyClass', 'Docvet.Ole.ActiveX'])
  })
  test('of a control that loads a page from a server without a name is malicious', () => {
    const control = (address: string): string[] =>
      idsOf(
        docx({
          'word/activeX/activeX1.xml': `<ax:ocx ax:classid="{AE24FDAE-03C6-11D1-8B76-0080C744F389}"><ax:ocxPr ax:name="URL" ax:value="${address}"/></ax:ocx>`,
        }),
      )
    const shown = ['Docvet.Ole.RiskyClass', 'Docvet.Ole.ActiveX']
    assert.deepEqual(control('http://192.0.2.1/a.html'), ['Docvet.Ole.LinkMoniker', ...shown])
    assert.deepEqual(control('https://example.com/a.html'), shown)
  })
})

suite('a control', () => {
  const object = (clsid: string, data: string, encoding: BufferEncoding = 'latin1'): string[] =>
    inDocx(writeOle({ streams: { CONTENTS: Buffer.from(`${data}${' '.repeat(100)}`, encoding) }, clsid }))
  const SUBMIT = '10d11255c65ccf118d6700aa00bdce1d'
  const BROWSER = 'c32ab2eac130cf11a7eb0000c05bae0b'
  test('of a form that leads to a program is suspicious', () => {
    assert.ok(object(SUBMIT, '<FORM ACTION="file:///c|/a/b.exe">').includes('Docvet.Ole.RiskyClass'))
    assert.ok(object(SUBMIT, 'http://192.0.2.1/a.exe', 'utf16le').includes('Docvet.Ole.RiskyClass'))
  })
  test('of a form that was pasted from a page is harmless', () =>
    assert.ok(!object(SUBMIT, '<FORM ACTION="https://a.example/search">').includes('Docvet.Ole.RiskyClass')))
  test('of a browser is malicious with a shortcut, and suspicious without', () => {
    const shortcut = Buffer.from('4c0000000114020000000000c000000000000046', 'hex').toString('latin1')
    assert.ok(object(BROWSER, shortcut).includes('Docvet.Ole.ExploitedClass'))
    assert.ok(object(BROWSER, 'https://a.example/').includes('Docvet.Ole.RiskyClass'))
  })
})

suite('a common control', () => {
  const control = (size: number): string[] => {
    const contents = Buffer.concat([
      Buffer.alloc(40, 1),
      Buffer.from('Cobj'),
      Buffer.from([100, 0, 0, 0]),
      Buffer.alloc(4),
      Buffer.alloc(40),
    ])
    contents.writeUInt32LE(size, 48)
    return inDocx(writeOle({ streams: { Contents: contents } }))
  }
  test('whose size is larger than its field is an attack', () => {
    assert.deepEqual(control(0x8282), ['Docvet.Ole.ExploitedClass'])
    assert.deepEqual(control(9), ['Docvet.Ole.ExploitedClass'])
  })
  test('with its usual data is not', () => assert.deepEqual(control(8), []))
})

suite('a package that is a link to a file', () => {
  const linked = (target: string): string[] => {
    const name = target.split('\\').at(-1) ?? ''
    const length = Buffer.alloc(4)
    length.writeUInt32LE(target.length + 1)
    const native = Buffer.concat([
      Buffer.from([2, 0]),
      Buffer.from(`${name}\0${target}\0`),
      Buffer.from([0, 0, 1, 0]),
      length,
      Buffer.from(`${target}\0`),
    ])
    const size = Buffer.alloc(4)
    size.writeUInt32LE(native.length)
    return inDocx(writeOle({ streams: { '\x01Ole10Native': Buffer.concat([size, native]) } }))
  }
  test('on a foreign server is malicious, also if it is a picture', () => {
    assert.ok(linked('\\\\192.0.2.245\\public\\slides.inf').includes('Docvet.Ole.LinkMoniker'))
    assert.ok(linked('\\\\192.0.2.245\\public\\slide1.gif').includes('Docvet.Ole.LinkMoniker'))
  })
  test('on the same computer is a notice', () =>
    assert.deepEqual(linked('C:\\Plans\\plan.pdf'), ['Docvet.Ole.PackageFile']))
})
