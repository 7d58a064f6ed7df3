/** PDF encryption with and without a password. */

import assert from 'node:assert/strict'
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { rc4 } from '#inspect/core/rc4.ts'
import type { Inspection } from '#inspect/inspect.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR, pdf } from '#inspect/testing/samples.ts'
import { ENCLOSING_MAX } from '../syntax/enclosing-objects.ts'
import { DICTIONARY_MAX } from './encryption.ts'

const inspector = useInspector()

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const content = deflateSync(EICAR)

function md5(...parts: Uint8Array[]): Buffer {
  return createHash('md5').update(Buffer.concat(parts)).digest()
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function inspect(data: Uint8Array, encryption: string, trailer?: string, passwords: string[] = []): Inspection {
  return inspector.inspect(encrypted(data, encryption, trailer), { passwords })
}

function encrypted(data: Uint8Array, encryption: string, trailer = '/Encrypt 2 0 R'): Buffer {
  const stream = `<< /Filter /FlateDecode /Length ${data.length} >>\nstream\n${Buffer.from(data).toString('latin1')}\nendstream`
  return pdf([stream, `<< /Filter /Standard ${encryption} >>`], `${trailer} /ID [<01020304> <01020304>]`)
}

/** Appends a text to a password-protected file. */
function appended(text: string): Inspection {
  return inspector.inspect(Buffer.concat([rc4Bytes(Buffer.alloc(32, 7)), Buffer.from(text)]))
}

/** Revision 2, 40-bit RC4, with the user's password padded as given. */
function rc4Pdf(password: Buffer, trailer?: string): Inspection {
  return inspector.inspect(rc4Bytes(password, trailer))
}

function rc4Bytes(password: Buffer, trailer?: string, data = content): Buffer {
  return rc4Parts(password, (seal, dictionary) => encrypted(seal(data), dictionary, trailer))
}

let owners = 0

/** `seal` encrypts data of the first object, `sealFor` encrypts EICAR for another object. */
function rc4Parts(
  password: Buffer,
  make: (
    seal: (data: Buffer) => Buffer,
    dictionary: string,
    sealFor: (object: number, generation: number) => Buffer,
  ) => Buffer,
): Buffer {
  // Not random: one of some hundred keys turns spoilt bytes into a stream that can be inflated.
  const owner = createHash('sha256').update(`owner ${++owners}`).digest()
  const key = md5(password, owner, Buffer.from([0xfc, 0xff, 0xff, 0xff]), Buffer.from('01020304', 'hex')).subarray(0, 5)
  const keyFor = (object: number, generation: number): Buffer =>
    md5(key, Buffer.from([object, 0, 0, generation, 0])).subarray(0, 10)
  const user = rc4(key, PADDING)
  const dictionary = `/V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}>`
  return make(
    (data) => rc4(keyFor(1, 0), data),
    dictionary,
    (object, generation) => rc4(keyFor(object, generation), Buffer.from(EICAR)),
  )
}

/** Revision 5, AES-256. */
function aesPdf(password: string, ...passwords: string[]): Inspection {
  const salts = randomBytes(16)
  const key = randomBytes(32)
  const check = sha256(Buffer.concat([Buffer.from(password), salts.subarray(0, 8)]))
  const intermediate = sha256(Buffer.concat([Buffer.from(password), salts.subarray(8)]))
  const wrap = createCipheriv('aes-256-cbc', intermediate, Buffer.alloc(16)).setAutoPadding(false)
  const userKey = Buffer.concat([wrap.update(key), wrap.final()])
  const vector = randomBytes(16)
  const cipher = createCipheriv('aes-256-cbc', key, vector)
  const data = Buffer.concat([vector, cipher.update(content), cipher.final()])
  const user = Buffer.concat([check, salts]).toString('hex')
  const filter = '/CF << /StdCF << /CFM /AESV3 /Length 32 >> >> /StmF /StdCF /StrF /StdCF'
  const secrets = `/O <${randomBytes(48).toString('hex')}> /OE <${randomBytes(32).toString('hex')}> /U <${user}> /UE <${userKey.toString('hex')}>`
  return inspect(data, `/V 5 /R 5 /P -4 ${filter} ${secrets}`, undefined, passwords)
}

function outcome({ findings, obstacle }: Inspection): (string | undefined)[] {
  return [findings[0]?.id, obstacle?.reason]
}

test('RC4 matches a published test vector', () => {
  assert.equal(rc4(Buffer.from('Key'), Buffer.from('Plaintext')).toString('hex'), 'bbf316e8d940af0ad3')
})

suite('files with an empty user password are decrypted', () => {
  test('RC4', () => assert.deepEqual(outcome(rc4Pdf(PADDING)), ['Docvet.Test.Eicar', undefined]))
  test('AES-256', () => assert.deepEqual(outcome(aesPdf('')), ['Docvet.Test.Eicar', undefined]))
  test('with an escaped name', () => {
    assert.deepEqual(outcome(rc4Pdf(PADDING, '/#45ncr#79pt 2 0 R')), ['Docvet.Test.Eicar', undefined])
  })
})

suite('files with another user password', () => {
  const FOUND = ['Docvet.Test.Eicar', undefined]
  const LOCKED = [undefined, 'encrypted']
  const padded = Buffer.concat([Buffer.from('Geheim-ß', 'latin1'), PADDING]).subarray(0, 32)
  const rc4With = (...passwords: string[]) => outcome(inspector.inspect(rc4Bytes(padded), { passwords }))

  test('RC4: only the right password opens it', () => {
    assert.deepEqual(rc4With('Geheim-ß'), FOUND)
    assert.deepEqual(rc4With('wrong', 'Geheim-ß'), FOUND)
    for (const wrong of [[], ['geheim-ß'], ['']]) assert.deepEqual(rc4With(...wrong), LOCKED)
  })

  test('RC4: in the encoding of PDF, of Windows or in UTF-8', () => {
    for (const hex of ['83a0', '8580', 'e280a6e282ac']) {
      const secret = Buffer.concat([Buffer.from(hex, 'hex'), PADDING]).subarray(0, 32)
      assert.deepEqual(outcome(inspector.inspect(rc4Bytes(secret), { passwords: ['…€'] })), FOUND, hex)
      assert.deepEqual(outcome(inspector.inspect(rc4Bytes(secret), { passwords: ['€…'] })), LOCKED, hex)
    }
  })

  test('AES-256: only the right password opens it, normalised', () => {
    assert.deepEqual(outcome(aesPdf('Gehe\u00efm', 'Gehei\u0308m')), FOUND)
    assert.deepEqual(outcome(aesPdf('Geheim', 'geheim')), LOCKED)
    assert.deepEqual(outcome(aesPdf('Geheim')), LOCKED)
  })
})

test('an encrypted string is decrypted', () => {
  const script = (write: (sealed: Buffer) => string): Buffer =>
    rc4Parts(PADDING, (seal, dictionary) => {
      const objects = [`<< /JS ${write(seal(Buffer.from(EICAR)))} >>`, `<< /Filter /Standard ${dictionary} >>`]
      return pdf(objects, '/Encrypt 2 0 R /ID [<01020304> <01020304>]')
    })
  for (const write of [
    (sealed: Buffer) => `<${sealed.toString('hex')}>`,
    (sealed: Buffer) =>
      `(${sealed.toString('latin1').replaceAll(/[()\\\r]/g, (char) => (char === '\r' ? '\\r' : `\\${char}`))})`,
  ])
    assert.deepEqual(outcome(inspector.inspect(script(write))), ['Docvet.Test.Eicar', undefined])
})

suite('a string is decrypted with the key of its object', () => {
  /** `write` creates the objects and encrypts a script for any object. */
  type Write = (seal: (object: number, generation?: number) => string) => string
  const script = (write: Write): (string | undefined)[] => {
    const document = rc4Parts(PADDING, (_, dictionary, sealFor) => {
      const objects = write((object, generation = 0) => `<${sealFor(object, generation).toString('hex')}>`)
      return pdf([objects, `<< /Filter /Standard ${dictionary} >>`], '/Encrypt 2 0 R /ID [<01020304> <01020304>]')
    })
    return outcome(inspector.inspect(document))
  }
  const FOUND = ['Docvet.Test.Eicar', undefined]
  const assertFound = (...all: Write[]): void => {
    for (const write of all) assert.deepEqual(script(write), FOUND, `${write}`)
  }
  test('including its generation', () => {
    assertFound(
      (seal) => `<< /JS 5 3 R >> endobj 5 3 obj ${seal(5, 3)}`,
      (seal) => `<< /JS 5 3 R >> endobj 5 0 obj ${seal(5, 3)}`,
      (seal) => `<< /JS 5 0 R /JS 5 3 R >> endobj 5 0 obj ${seal(5, 3)}`,
      (seal) => `1 endobj 5 3 obj << /JS ${seal(5, 3)} >>`,
    )
  })
  test('with object headers in strings and comments', () => {
    assertFound(
      (seal) => `<< /X (9 0 obj) /JS ${seal(1)} >>`,
      (seal) => `[<< /X %9 0 obj\n(a) >> << /JS ${seal(1)} >>]`,
      (seal) => `<< /X (9 0 obj << >> endobj 8 0 obj) /JS ${seal(1)} >>`,
      (seal) => `<< /X (9 0 obj) /JS ${seal(9)} >>`,
    )
  })
  test('through another reference', () => {
    assertFound(
      (seal) => `<< /JS 5 0 R >> endobj 5 0 obj 6 0 R endobj 6 0 obj ${seal(6)}`,
      (seal) => `<< /JS 5 0 R >> endobj 5 0 obj 6 0 R endobj 6 0 obj ${seal(5)}`,
    )
  })
  test('unless its header is ambiguous', () => {
    const [, reason] = script((seal) => `1 endobj 5 %\n0 obj << /JS ${seal(5)} >>`)
    assert.equal(reason, 'encrypted')
    const found = script((seal) => `<< /JS 5 0 R >> endobj 5 %\n0 obj ${seal(5)}`)
    assert.deepEqual(found, ['Docvet.Test.Eicar', 'encrypted'])
  })
  test('of enclosing objects, at the limit and one past it', () => {
    const of = (count: number) => script((seal) => `<< /X (${'9 0 obj ['.repeat(count - 1)}) /JS ${seal(1)} >>`)
    assert.deepEqual(of(ENCLOSING_MAX), FOUND)
    assert.deepEqual(of(ENCLOSING_MAX + 1), [undefined, 'too_complex'])
  })
})

suite('the encryption dictionary is found', () => {
  const password = Buffer.alloc(32, 7)
  /** Replaces the header of the dictionary, with and without a password. */
  const withHeader = (header: string, change = (text: string) => text): Inspection[] =>
    [PADDING, password].map((secret) => {
      const text = rc4Bytes(secret).toString('latin1').replace('2 0 obj', header)
      return inspector.inspect(Buffer.from(change(text), 'latin1'))
    })
  const DECRYPTED = [['Docvet.Test.Eicar', undefined], 'encrypted']
  const outcomes = ([open, locked]: Inspection[]) => [open && outcome(open), locked?.obstacle?.reason]
  const headers = [
    '2 %\n0 obj',
    '2 %x\n0 obj',
    '2 0 %\robj',
    '00000000000002 0 obj',
    '2 000000 obj',
    '+2 0 obj',
    '2.0 0 obj',
  ]
  for (const header of [...headers, `2${' '.repeat(100)}0 obj`, '4294967298 0 obj'])
    test(`by the header ${JSON.stringify(header.replace(/ +/, ' '))}, with and without a decoy`, () => {
      assert.deepEqual(outcomes(withHeader(`2 0 obj <<>> endobj ${header}`)), DECRYPTED)
      assert.deepEqual(outcomes(withHeader(header)), DECRYPTED)
    })
  test('through another reference', () => {
    assert.deepEqual(outcomes(withHeader('2 0 obj 3 0 R endobj 3 0 obj')), DECRYPTED)
    assert.deepEqual(outcomes(withHeader('2 0 obj 2 0 R endobj 2 0 obj')), DECRYPTED)
  })
  test('or reported as encrypted if the reference leads to another object', () => {
    assert.equal(rc4Pdf(password, '/Encrypt 1 0 R').obstacle?.reason, 'encrypted')
    const afterComment = (text: string) => text.replace('trailer\n', 'trailer %<<>>\n')
    assert.equal(withHeader('7 0 obj', afterComment)[1]?.obstacle?.reason, 'encrypted')
  })
})

suite('reported as encrypted', () => {
  test('RC4', () => assert.deepEqual(outcome(rc4Pdf(Buffer.alloc(32, 7))), [undefined, 'encrypted']))
  test('AES-256', () => assert.deepEqual(outcome(aesPdf('secret')), [undefined, 'encrypted']))
  test('an unknown method or a missing dictionary', () => {
    assert.equal(inspect(content, '/V 9 /R 9').obstacle?.reason, 'encrypted')
    assert.equal(inspect(content, '', '/Encrypt 99 0 R').obstacle?.reason, 'encrypted')
    assert.equal(inspect(content, '', '/Encrypt << /Filter /Adobe.PubSec >>').obstacle?.reason, 'encrypted')
  })
  test('with misleading text appended', () => {
    const texts = ['% /Encrypt 1 0 R', '% /Encrypt << >>', '% 2 0 obj << >> endobj', '% 2 0 obj null endobj', '']
    for (const text of texts) assert.equal(appended(`\n${text}\n%%EOF`).obstacle?.reason, 'encrypted', text)
  })
  test('with comments and other white space in the reference', () => {
    for (const trailer of ['/Encrypt % x\n2 0 R', '/Encrypt\x002 %\n0\x00R', '/Encrypt%\r2 0 R'])
      assert.equal(outcome(rc4Pdf(Buffer.alloc(32, 7), trailer))[1], 'encrypted', trailer)
  })
  test('two encryptions, both without a password', () => {
    const inner = rc4Bytes(PADDING).toString('latin1')
    const other = rc4Bytes(PADDING).toString('latin1').replaceAll('2 0 obj', '7 0 obj').replaceAll('2 0 R', '7 0 R')
    const { obstacle } = inspector.inspect(Buffer.from(`${inner}${other}`, 'latin1'))
    assert.deepEqual([obstacle?.reason, obstacle?.detail], ['encrypted', 'The PDF declares more than one encryption.'])
    assert.equal(inspector.inspect(Buffer.from(`${inner}${inner}`, 'latin1')).obstacle, null)
  })
  test('occurrences of the key, one past the limit', () => {
    const mentions = (count: number) => inspector.inspect(pdf(['<< >>'], `(${'/Encrypt 1 0 R '.repeat(count)})`))
    assert.equal(mentions(1000).obstacle, null)
    assert.equal(mentions(1001).obstacle?.reason, 'encrypted')
  })
  test('dictionaries, one past the limit', () => {
    const one = rc4Bytes(PADDING).toString('latin1')
    const dictionary = /2 0 obj\s+<<(.*)>>/.exec(one)?.[1] ?? ''
    const more = (count: number): Inspection => {
      const updates = Array.from({ length: count }, (_, i) => `2 0 obj\n<< ${dictionary} /X ${i} >>\nendobj\n`)
      return inspector.inspect(Buffer.from(`${one}${updates.join('')}%%EOF`, 'latin1'))
    }
    assert.deepEqual(outcome(more(15)), ['Docvet.Test.Eicar', undefined])
    assert.equal(more(16).obstacle?.reason, 'encrypted')
  })
  test('a reference longer than the limit', () => {
    const of = (before: number) => rc4Pdf(Buffer.alloc(32, 7), `/Encrypt${' '.repeat(before)}2 0 R`)
    const apart = (between: number) => rc4Pdf(Buffer.alloc(32, 7), `/Encrypt 2${' '.repeat(between)}0 R`)
    const comment = (length: number) => rc4Pdf(Buffer.alloc(32, 7), `/Encrypt %${'x'.repeat(length)}\n2 0 R`)
    for (const space of [DICTIONARY_MAX - 10, DICTIONARY_MAX, DICTIONARY_MAX + 1, 20_000])
      for (const inspection of [of(space), apart(space), comment(space)])
        assert.equal(inspection.obstacle?.reason, 'encrypted', `${space}`)
    // Without a password, it is decrypted up to the limit.
    assert.deepEqual(outcome(rc4Pdf(PADDING, `/Encrypt${' '.repeat(DICTIONARY_MAX - 5)}2 0 R`)), [
      'Docvet.Test.Eicar',
      undefined,
    ])
    assert.equal(rc4Pdf(PADDING, `/Encrypt${' '.repeat(DICTIONARY_MAX - 4)}2 0 R`).obstacle?.reason, 'encrypted')
  })
  test('a stream that cannot be decrypted', () => {
    const spoilt = rc4Bytes(PADDING).toString('latin1').replace('stream\n', 'stream\n\xff\xff')
    const { obstacle } = inspector.inspect(Buffer.from(spoilt, 'latin1'))
    assert.deepEqual([obstacle?.reason, obstacle?.path], ['encrypted', ['object 1']])
  })
  test('a stream with an ambiguous header, because its number is part of the key', () => {
    const of = (header: string) => {
      const text = rc4Bytes(PADDING, undefined, Buffer.from(EICAR)).toString('latin1')
      return inspector.inspect(
        Buffer.from(text.replace('1 0 obj', header).replace('/Filter /FlateDecode', ''), 'latin1'),
      )
    }
    assert.deepEqual(outcome(of(`1${' '.repeat(100)}0 obj`)), ['Docvet.Test.Eicar', undefined])
    for (const header of ['1 %\n0 obj', '+1 0 obj', '1 0 %\nobj'])
      assert.equal(of(header).obstacle?.reason, 'encrypted', header)
  })
  test('but not a null value', () => {
    for (const trailer of ['/Encrypt null', '/Encrypt 3 0 R'])
      assert.equal(inspector.inspect(pdf(['1', '2', 'null'], trailer)).obstacle, null, trailer)
  })
  test('but not a name with the same start', () => {
    assert.equal(inspect(deflateSync('Good morning'), '', '/EncryptMetadata false').obstacle, null)
  })
})
