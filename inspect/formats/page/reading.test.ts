/** Notes, logs, rules and sources quote pages. Under their names they are no pages, unless they begin or look like one. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect } = useInspector()

const code = Buffer.from("location='https://kit.example/'").toString('base64')
const ATTACK = `<img src=x onerror=eval(atob('${code}'))>`
const FILLER = { name: 'other.bin', data: 'other' }

function accusations(name: string, text: string): string[] {
  const { findings } = inspect(writeZip([{ name, data: text }, FILLER]))
  return findings.filter(({ severity }) => severity !== 'notice').map(({ id }) => id)
}

const TEXTS: Record<string, [name: string, text: string]> = {
  'a note with a fence': ['xss.md', `# Filter evasion\n\nThis one is decoded:\n\n\`\`\`html\n${ATTACK}\n\`\`\`\n`],
  'a note with another fence': ['xss.md', `# Filter evasion\n\n~~~\n${ATTACK}\n~~~\n`],
  'a note with a fence in a list': ['xss.md', `- first\n\n  \`\`\`\n  ${ATTACK}\n  \`\`\`\n- second\n`],
  'a note with backticks': ['README.markdown', `Send \`${ATTACK}\` to the form.\n`],
  'a note with two backticks': ['README.md', `Send \`\`${ATTACK}\`\` to the form.\n`],
  'an indented note': ['xss.md', `Filter evasion:\n\n    ${ATTACK}\n\nand so on.\n`],
  'a log of a server': ['access.log', `192.0.2.7 - - [17/Nov/2026] "GET /?q=${ATTACK} HTTP/1.1" 404 9\n`],
  'a rule': ['xss.yar', `rule xss { strings: $a = "${ATTACK}" condition: $a }\n`],
  'rules of a firewall': ['web.rules', `alert tcp any any -> any 80 (msg:"xss"; content:"${ATTACK}"; sid:1;)\n`],
  'a list of payloads in a table': ['payloads.csv', `id,payload\n1,"${ATTACK}"\n`],
  'a test with a page in lines of its own': [
    'test_pages.py',
    `import base64\nimport textwrap\nimport unittest\nfrom gateway import scan\n\n\nclass Pages(unittest.TestCase):\n    def test_xss(self):\n        s = textwrap.dedent(f"""\n            <p>Hello</p>\n            ${ATTACK}\n            """)\n        self.assertTrue(scan(s))\n\n\nif __name__ == "__main__":\n    unittest.main()\n`,
  ],
  'a source': ['test_xss.py', `def test_xss():\n    assert clean('${ATTACK}') == ''\n`],
}

suite('a quoted attack is none', () => {
  for (const [what, [name, text]] of Object.entries(TEXTS))
    test(`in ${what}`, () => assert.deepEqual(accusations(name, text), []))
})

suite('the same text is judged as a page', () => {
  for (const [what, [, text]] of Object.entries(TEXTS))
    for (const name of ['page.html', 'page.htm', 'page.svg', 'page', 'page.unknown'])
      test(`${what} as ${name}`, () => assert.notDeepEqual(accusations(name, text), []))
})

suite('a page is one under every name', () => {
  const pages = {
    'with a tag first': `<p>Hello</p>\n${ATTACK}`,
    'with a mark and spaces first': `\ufeff\n  <p>Hello</p>${ATTACK}`,
    'with tags in their places': `Hello\n<p>Hello</p>\n${ATTACK}\n`,
  }
  for (const [what, text] of Object.entries(pages))
    for (const name of ['page.txt', 'page.py', 'page.log', 'page.md', 'page.json', 'page.html'])
      test(`${what} as ${name}`, () => assert.notDeepEqual(accusations(name, text), []))
})
