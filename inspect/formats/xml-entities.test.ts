/** Entity expansion bombs and ordinary entities. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { assertCheap } from '#inspect/testing/cpu-time.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { DECLARATIONS_DEEP_MAX, ENTITIES_DEEP_MAX, EXPANDED_MAX } from './xml-entities.ts'

const inspector = useInspector()

const documentOf = (definitions: string): string => `<?xml version="1.0"?><!DOCTYPE a [${definitions}]><a/>`

function found(definitions: string): boolean {
  const { findings, obstacle } = inspector.inspect(Buffer.from(documentOf(definitions)))
  const isBomb = findings.some(({ id }) => id === 'Docvet.Bomb.Entities')
  // A bomb is also too complex to expand.
  if (!isBomb) assert.equal(obstacle, null)
  return isBomb
}

suite('ordinary entities are clean', () => {
  for (const definitions of [
    '<!ENTITY x "&lt;&gt;&amp;&quot;&apos;&lt;">',
    '<!ENTITY x "&lt;&lt;&lt;&lt;&lt;&lt;">',
    '<!ENTITY % a "x"><!ENTITY % all "%a; %b; %c; %d; %e; %f;">',
    '<!ENTITY x "&#38;#60;&#38;#38;&#169;&#169;&#169;&#169;&#169;&#169;">',
    '<!ENTITY % block "%p; %h; %l; %q; %r; dl | div"><!ENTITY % flow "%block; %inline; %misc; %x; %y;">',
  ])
    test(definitions, () => assert.equal(found(definitions), false))
})

suite('only XML declares entities', () => {
  const declarations = '<!ENTITY a "&b;&b;&b;&b;&b;"><!ENTITY b "DDE">'
  const field = '<w:instrText>&b; c:\\a</w:instrText>'
  const outcomes = (text: string): string | undefined => {
    const { findings, obstacle } = inspector.inspect(Buffer.from(text))
    return findings.find(({ severity }) => severity !== 'notice')?.id ?? obstacle?.reason
  }
  const bombs: Record<string, string> = {
    'after a declaration': `<?xml version="1.0"?><!DOCTYPE a [${declarations}]><a>${field}</a>`,
    'after comments with elements': `\ufeff\n<!-- <a> --><?b <c>?><!-- --> <!DOCTYPE a [${declarations}]><a>${field}</a>`,
    'after another document type': `<!DOCTYPE a PUBLIC "-//A>[//" 'b>["' [${declarations}]><a>${field}</a>`,
    'in a file of its own': `<!-- entities -->${declarations}`,
    'in a file of its own, after others': `<!ELEMENT a (b)>${declarations}`,
    'in a section': `<![INCLUDE[${declarations}]]>`,
    'after an entity': `%other;${declarations}`,
  }
  for (const [name, text] of Object.entries(bombs))
    test(name, () => assert.equal(outcomes(text), 'Docvet.Bomb.Entities'))
  const quotes: Record<string, string> = {
    'in a script': `var dtd = '<!DOCTYPE a [${declarations}]>';\nvar field = '${field}';\n`,
    'in a page': `<!DOCTYPE html><html><script>var dtd = '<!DOCTYPE a [${declarations}]>', field = '${field}'</script></html>`,
    'in an article': `# Billion laughs\n\n\`\`\`xml\n<!DOCTYPE a [${declarations}]><a>&a;</a>\n\`\`\`\n`,
    'in the text of an element': `<?xml version="1.0"?><a><![CDATA[<!DOCTYPE a [${declarations}]>${field}]]></a>`,
  }
  for (const [name, text] of Object.entries(quotes)) test(name, () => assert.equal(outcomes(text), undefined))
})

suite('expansion bombs are found', () => {
  const level = (name: string, inner: string): string => `<!ENTITY ${name} "${inner}">`
  test('by a repeated reference', () => {
    assert.equal(found(level('a', '&b;&b;&b;&b;')), false)
    assert.equal(found(level('a', '&b;&b;&b;&b;&b;')), true)
  })
  test('by two alternating references over several levels', () => {
    const pairs = Array.from({ length: 8 }, (_, i) => level(`a${i + 1}`, `x&a${i};-&lt;&a${i};`.repeat(6)))
    assert.equal(found(`${level('a0', 'ha')}${pairs.join('')}`), true)
  })
  test('by references built from character references', () => {
    for (const and of ['&#38;', '&#038;', '&#x26;', '&#x00026;']) {
      assert.equal(found(level('a', `${and}b;`.repeat(4))), false)
      assert.equal(found(level('a', `${and}b;`.repeat(5))), true)
    }
    assert.equal(found(level('a', '&#38;&#98;&#x3b;'.repeat(5))), true)
    assert.equal(found(level('a', '&#38;lt;'.repeat(5))), false)
    // Readers expand these to characters only.
    assert.equal(found(level('a', '&#38;#38;b;'.repeat(5))), false)
    const pairs = Array.from({ length: 8 }, (_, i) => level(`a${i + 1}`, `x&#38;a${i};-`.repeat(9)))
    assert.equal(found(`${level('a0', 'ha')}${pairs.join('')}`), true)
  })
  test('by names with special characters', () => {
    for (const name of ['é', '名', 'a·b']) assert.equal(found(level('a', `&${name};`.repeat(5))), true)
    const pairs = Array.from({ length: 8 }, (_, i) => level(`é${i + 1}`, `x&é${i};-`.repeat(9)))
    assert.equal(found(`${level('é0', 'ha')}${pairs.join('')}`), true)
  })
  test('by nested declarations at the limit, and one past it', () => {
    const inside = (depth: number): string => {
      let text = `<!ENTITY a "${'&b;'.repeat(5)}">`
      for (let i = 0; i < depth; i++)
        text = `<!ENTITY % p${i} "${text.replaceAll('&', '&#38;').replaceAll('"', '&#34;')}">`
      return text
    }
    for (let depth = 0; depth <= DECLARATIONS_DEEP_MAX; depth++) assert.equal(found(inside(depth)), true, `${depth}`)
    const { obstacle } = inspector.inspect(Buffer.from(documentOf(inside(DECLARATIONS_DEEP_MAX + 1))))
    assert.equal(obstacle?.reason, 'too_complex')
  })
  test('by their expanded length at the limit, and one past it', () => {
    const of = (length: number): string => `${level('a', 'x'.repeat(length))}${level('b', '&a;&a;')}`
    const rest = documentOf(of(0)).length - '&a;&a;'.length
    assert.equal(found(of(EXPANDED_MAX + rest)), false)
    assert.equal(found(of(EXPANDED_MAX + rest + 1)), true)
  })
  test('by their depth at the limit, and one past it', () => {
    const of = (depth: number): string =>
      Array.from({ length: depth }, (_, i) => level(`a${i}`, i === depth - 1 ? 'x' : `&a${i + 1};`)).join('')
    assert.equal(found(of(ENTITIES_DEEP_MAX)), false)
    assert.equal(found(of(ENTITIES_DEEP_MAX + 1)), true)
  })
})

suite('hostile repetition takes little CPU time', () => {
  for (const pattern of [
    '<!ENTITY a "&a;&b; ',
    '<!ENTITY a "&a;">',
    `<!ENTITY ${' '.repeat(5000)}`,
    '<!ENTITY a \'"',
    '<!ENTITY a "&#38;b;&#38;c;">',
    '<!ENTITY a "<!ENTITY &#38;#38;',
  ]) {
    test(pattern.trim(), () => {
      assertCheap(() => inspector.inspect(Buffer.alloc(8_000_000, pattern)))
    })
  }
})
