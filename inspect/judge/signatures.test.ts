import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { SIGNATURES_VERSION } from './signatures.ts'

const { inspect } = useInspector()
const found = (bytes: Uint8Array): [string, readonly string[]][] =>
  inspect(bytes).findings.map(({ id, path }) => [id.replace('Docvet.', ''), path])

const PROGRAM = 'TVqQAAMAAAAEAAAA//8AALgAAAA'

const CASES: readonly (readonly [text: string | Buffer, id: string, isFound: boolean])[] = [
  [EICAR, 'Test.Eicar', true],
  [EICAR.toLowerCase(), 'Test.Eicar', false],
  [EICAR.slice(0, -1), 'Test.Eicar', false],
  [`Text: ${PROGRAM}`, 'Embedded.EncodedExecutable', true],
  [Buffer.from(`Text: ${PROGRAM}`, 'utf16le'), 'Embedded.EncodedExecutable', true],
  [`Text: ${PROGRAM.toLowerCase()}`, 'Embedded.EncodedExecutable', false],
  ['{\\rtf1 {\\object\\objdata 4D5A90000300000004000000FFFF0000}}', 'Rtf.EncodedExecutable', true],
  ['A program: 4d5a90000300000004000000ffff0000', 'Rtf.EncodedExecutable', false],
  [`<script>a="${PROGRAM}";URL.CREATEOBJECTURL(b)</script>`, 'Html.Smuggling', true],
  [`<a href="data:application/x;base64,${PROGRAM}" download>`, 'Html.Smuggling', true],
  [`<a href="data:text/plain;base64,${PROGRAM}" download>`, 'Html.Smuggling', false],
]

suite('signatures', () => {
  for (const [text, id, isFound] of CASES)
    test(`${isFound ? id : `no ${id}`} in ${JSON.stringify(text.toString()).slice(0, 60)}`, () => {
      const ids = found(Buffer.from(text)).map(([name]) => name)
      assert.equal(ids.includes(id), isFound, ids.join())
    })

  test('come after the findings of formats, which know more', () => {
    const program = Buffer.alloc(1_024)
    program.write('MZ')
    program.writeUInt32LE(0x80, 0x3c)
    program.write('PE\0\0', 0x80, 'latin1')
    Buffer.from('0E1FBA0E00B409CD21B8014CCD21546869732070726F6772616D20', 'hex').copy(program, 0x40)
    const others = ['README.md', 'LICENSE', 'src/a.c', 'src/b.c'].map((name) => ({ name, data: 'Good morning' }))
    const ids = found(writeZip([...others, { name: 'bin/a.exe', data: program }])).map(([id]) => id)
    assert.deepEqual(ids.slice(0, 2), ['Archive.Executable', 'Embedded.ProgramStart'])
  })

  test('parts in different members make none', () => {
    const apart = writeZip([
      { name: 'a.txt', data: `"${PROGRAM}"` },
      { name: 'b.txt', data: 'URL.createObjectURL(x)' },
    ])
    assert.ok(!found(apart).some(([id, path]) => id === 'Html.Smuggling' && path.length > 0))
  })

  test('members of any length are searched to their end, and across all of it', () => {
    const filler = Buffer.alloc(70_000_000, 'Good evening. ')
    const page = [
      Buffer.from(`<html><script>"${PROGRAM}";`),
      filler.subarray(0, 36_000_000),
      Buffer.from('atob(x)</script>'),
    ]
    const bytes = writeZip([
      { name: 'a', data: Buffer.concat([filler, Buffer.from(EICAR)]) },
      { name: 'b', data: EICAR },
      { name: 'c', data: Buffer.concat(page) },
    ])
    assert.deepEqual(
      found(bytes).filter(([id]) => /Eicar|Smuggling$/.test(id)),
      [
        ['Test.Eicar', ['a']],
        ['Test.Eicar', ['b']],
        ['Html.Smuggling', ['c']],
      ],
    )
  })
})

test('their version does not depend on the marks that others made before', () => {
  const url = (file: string): string => JSON.stringify(import.meta.resolve(file))
  const code = `import { mark } from ${url('#inspect/core/marks.ts')}; mark(['a']); mark(['b'])
    process.stdout.write((await import(${url('#inspect/judge/signatures.ts')})).SIGNATURES_VERSION)`
  const version = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { encoding: 'utf8' })
  assert.equal(version, SIGNATURES_VERSION)
})
