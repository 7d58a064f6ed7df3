/** File names as they are displayed. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { displayFileName, FILE_NAME_BYTES_MAX } from './file-name.ts'

describe('displayFileName', () => {
  test('keeps an ordinary name as it is', () => {
    for (const name of [
      'report.pdf',
      'Ünïcödé 報告書.docx',
      '<script>',
      '=cmd()',
      "a'b.txt",
      'a"b.txt',
      'x y.csv',
      '🙂.txt',
    ]) {
      assert.equal(displayFileName(name), name)
    }
  })

  test('takes the last segment of a path, of either kind', () => {
    assert.equal(displayFileName('../../etc/passwd'), 'passwd')
    assert.equal(displayFileName('C:\\x\\a.exe'), 'a.exe')
    assert.equal(displayFileName('\\\\server\\share/b.doc'), 'b.doc')
  })

  test('removes control characters: C0, C1 and NUL', () => {
    assert.equal(displayFileName('a\0b\u0001c\u001fd\u007fe\u0080f\u009fg\r\n\t.txt'), 'abcdefg.txt')
  })

  test('removes every bidirectional control', () => {
    const controls = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e']
    const isolates = ['\u2066', '\u2067', '\u2068', '\u2069']
    for (const control of [...controls, ...isolates])
      assert.equal(displayFileName(`inv${control}fdp.exe`), 'invfdp.exe')
  })

  test('removes other invisible characters', () => {
    const invisible = [
      '\u00ad',
      '\u034f',
      '\u115f',
      '\u180e',
      '\u200b',
      '\u200d',
      '\u2028',
      '\u2029',
      '\u2060',
      '\u2800',
    ]
    for (const character of [...invisible, '\u3164', '\ufe0f', '\ufeff', '\uffa0', '\ufff9', '\u{e0041}', '\ud800']) {
      assert.equal(displayFileName(`a${character}b`), 'ab', `U+${character.codePointAt(0)?.toString(16)}`)
    }
  })

  test('is normalised to NFC, also across a removed character', () => {
    assert.equal(displayFileName('u\u0308.txt'), 'ü.txt')
    assert.equal(displayFileName('u\u200b\u0308.txt'), 'ü.txt')
  })

  test('is never empty and never names a folder', () => {
    for (const name of ['', ' ', '\u202e', 'folder/', 'C:\\', '.', '..', 'a/..', '\0/\0', ' . ']) {
      assert.equal(displayFileName(name), 'document', JSON.stringify(name))
    }
    assert.equal(displayFileName('...'), '...')
    assert.equal(displayFileName('.env'), '.env')
  })

  test('is truncated to 255 bytes of UTF-8 between characters', () => {
    assert.equal(FILE_NAME_BYTES_MAX, 255)
    assert.equal(displayFileName('a'.repeat(255)), 'a'.repeat(255))
    assert.equal(displayFileName('a'.repeat(256)), 'a'.repeat(255))
    assert.equal(displayFileName(`${'a'.repeat(253)}ü`), `${'a'.repeat(253)}ü`)
    assert.equal(displayFileName(`${'a'.repeat(254)}ü`), 'a'.repeat(254))
    assert.equal(displayFileName('🙂'.repeat(64)), '🙂'.repeat(63))
    assert.equal(displayFileName(`${'a'.repeat(254)} b`), 'a'.repeat(254))
  })
})
