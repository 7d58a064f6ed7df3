import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'
import { writeVba } from '#inspect/testing/vba-writer.ts'

const { inspect } = useInspector()

const MACRO = 'Sub Foo(a)\r\nShell "cmd /c x"\r\nEnd Sub\r\nSub Bar()\r\nEnd Sub\r\n'

/** Whether the document has a malicious finding. */
function isMalicious(name: string, part: string, source = MACRO): boolean {
  const document = docx({
    '[Content_Types].xml':
      '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/></Types>',
    [name]: part,
    'word/vbaProject.bin': writeVba({ M: `Attribute VB_Name = "M"\r\n${source}` }),
  })
  return inspect(document).findings.some(({ severity }) => severity === 'malicious')
}

suite('a macro that a ribbon calls', () => {
  const ribbon = (attributes: string, source?: string): boolean =>
    isMalicious(
      'customUI/customUI14.xml',
      `<customUI xmlns="a"><ribbon><tabs><tab ${attributes}/></tabs></ribbon></customUI>`,
      source,
    )
  const cases: Record<string, boolean> = {
    'onLoad="Foo"': true,
    'getLabel="Foo"': true,
    'getVisible="M.Foo"': true,
    'loadImage="&#70;oo"': true,
    'onAction="Foo"': false,
    'onChange="Foo"': false,
    'getContent="Foo"': false,
    'getItemLabel="Foo"': false,
    'onLoad="Bar" onAction="Foo"': false,
    'getLabel="Missing"': false,
  }
  for (const [attributes, expected] of Object.entries(cases))
    test(`by ${attributes}`, () => assert.equal(ribbon(attributes), expected))
  test('and that starts nothing, or an everyday tool', () => {
    assert.equal(ribbon('onLoad="Foo"', 'Sub Foo(r)\r\nSet ui = r\r\nEnd Sub\r\n'), false)
    assert.equal(ribbon('onLoad="Foo"', 'Sub Foo(r)\r\nShell "notepad C:\\a.txt"\r\nEnd Sub\r\n'), false)
  })
})

test('a macro that runs when the mouse moves over a shape, but not by a click', () => {
  const slide = (tag: string, action: string): boolean =>
    isMalicious('ppt/slides/slide1.xml', `<p:sld><a:${tag} r:id="" action="${action}"/></p:sld>`)
  assert.equal(slide('hlinkMouseOver', 'ppaction://macro?name=Foo'), true)
  assert.equal(slide('hlinkHover', '&#112;paction://Macro?name=M.Foo'), true)
  assert.equal(slide('hlinkMouseOver', 'ppaction://macro?name=Bar'), false)
  assert.equal(slide('hlinkClick', 'ppaction://macro?name=Foo'), false)
})
