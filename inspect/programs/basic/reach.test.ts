/** Which procedures of a macro run without a click. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readBasic } from './basic.ts'
import { needsUser } from './triggers.ts'

const OPEN = (body: string): string => `Sub AutoOpen()\n${body}\nEnd Sub\n`
const SHELL = (header: string, command = '"calc"'): string => `${header}\nShell ${command}\nEnd Sub\n`

type Modules = Readonly<Record<string, string>>

/** Commands that run without a click. */
const automatic = (modules: Modules): string[] =>
  readBasic(Object.entries(modules).map(([name, text]) => ({ name, text })))
    .effects.filter(({ kind, isAutomatic }) => kind === 'start' && isAutomatic)
    .map(({ text }) => text)

function check(cases: Readonly<Record<string, readonly [modules: Modules, runs: boolean]>>): void {
  for (const [name, [modules, runs]] of Object.entries(cases))
    test(name, () => assert.deepEqual([...new Set(automatic(modules))], runs ? ['calc'] : []))
}

suite('conditional compilation', () => {
  const headers = (first: string, second: string): string => `#If VBA7 Then\n${first}\n#Else\n${second}\n#End If\n`
  const CALC = 'Shell "calc"\nEnd Sub\n'
  check({
    'a header in the first branch': [{ m: headers('Sub AutoOpen()', 'Sub B()') + CALC }, true],
    'a header in the second branch': [{ m: headers('Sub B()', 'Sub AutoOpen()') + CALC }, true],
    'headers without either trigger': [{ m: headers('Sub B()', 'Sub C()') + CALC }, false],
    'a header in branches inside each other, with parameters': [
      {
        m: `#Const X = 1\n# If X Then\nSub B(ByVal a As LongPtr)\n#ElseIf Mac Then\n#If Win64 Then\nSub C()\n#Else\nSub AutoOpen()\n#End If\n#End If\n${CALC}`,
      },
      true,
    ],
    'headers in two blocks': [
      { m: `#If VBA7 Then\nSub AutoOpen()\n#End If\n#If Mac Then\nSub B()\n#End If\n${CALC}` },
      true,
    ],
    'an end in a branch': [{ m: `Sub AutoOpen()\n#If X Then\nEnd Sub\nSub B()\n#End If\n${CALC}` }, true],
    'an end in each branch, before another procedure': [
      { m: `Sub AutoOpen()\n#If X Then\na = 1\nEnd Sub\n#Else\nEnd Sub\n#End If\nSub B()\n${CALC}` },
      false,
    ],
    'whole procedures in branches': [{ m: headers('Sub AutoOpen()\nEnd Sub', `Sub B()\n${CALC}`) }, false],
    'a branch inside a procedure before another': [
      { m: `Sub AutoOpen()\n#If VBA7 Then\na = 1\n#End If\nEnd Sub\nSub B()\n${CALC}` },
      false,
    ],
  })
})

suite('objects', () => {
  const INITIALIZE = SHELL('Private Sub Class_Initialize()')
  const FORM = SHELL('Private Sub UserForm_Initialize()')
  check({
    'a class that is created': [{ m: OPEN('Dim x As New Cls\nx.Go'), Cls: `${INITIALIZE}Sub Go()\nEnd Sub` }, true],
    'a class that is created by a function': [
      { m: `${OPEN('Set x = Make')}Function Make()\nSet Make = New Cls\nEnd Function`, Cls: INITIALIZE },
      true,
    ],
    'a class of a variable of the module': [{ m: `Private x As New Cls\n${OPEN('x.Go')}`, Cls: INITIALIZE }, true],
    'a class by the name in its source': [
      { m: OPEN('Set x = New Cls'), Stream1: `Attribute VB_Name = "Cls"\n${INITIALIZE}` },
      true,
    ],
    'a class that is destroyed': [
      { m: OPEN('Set x = New Cls\nSet x = Nothing'), Cls: SHELL('Sub Class_Terminate()') },
      true,
    ],
    'a class that only a button creates': [
      { m: `${OPEN('a = 1')}Sub B_Click()\nSet x = New Cls\nEnd Sub`, Cls: INITIALIZE },
      false,
    ],
    'a form of which a property is read': [{ m: OPEN('x = UserForm1.Tag'), UserForm1: FORM }, true],
    'a form that is added by name': [{ m: OPEN('VBA.UserForms.Add "UserForm1"'), UserForm1: FORM }, true],
    'a form that is closed': [{ m: OPEN('UserForm1.Show'), UserForm1: SHELL('Sub UserForm_Terminate()') }, true],
    'a control that receives the focus': [
      { m: OPEN('UserForm1.Show'), UserForm1: SHELL('Sub TextBox1_Enter()') },
      true,
    ],
    'a button of a form': [{ m: OPEN('UserForm1.Show'), UserForm1: SHELL('Sub Button1_Click()') }, false],
    'a form that nothing mentions': [{ m: OPEN('x = 1'), UserForm1: FORM }, false],
    'an event that is raised': [
      {
        m: OPEN('Dim c As New Cls\nc.Fire'),
        Cls: 'Event Ding()\nSub Fire()\nRaiseEvent Ding\nEnd Sub',
        ThisDocument: `Private WithEvents z As Cls\n${SHELL('Private Sub z_Ding()')}`,
      },
      true,
    ],
    'an event that only a button raises': [
      {
        m: `${OPEN('a = 1')}Sub Fire_Click()\nRaiseEvent Ding\nEnd Sub`,
        ThisDocument: SHELL('Private Sub z_Ding()'),
      },
      false,
    ],
  })
})

suite('formulas', () => {
  const F = 'Function Foo()\nShell "calc"\nEnd Function\n'
  const WITH_ARGUMENT = 'Function Foo(s)\nShell s\nEnd Function\n'
  check({
    'in brackets': [{ m: OPEN('x = [Foo()]') + F }, true],
    'in brackets, with an argument': [{ m: OPEN('x = [Foo("ca" & "lc")]') + WITH_ARGUMENT }, true],
    'by Evaluate': [{ m: OPEN('x = Application.Evaluate("Foo()")') + F }, true],
    'by Evaluate, from pieces': [{ m: OPEN('Evaluate "Fo" & "o(""ca"" & ""lc"")"') + WITH_ARGUMENT }, true],
    'by Excel 4': [{ m: OPEN('Application.ExecuteExcel4Macro "RUN(""Foo"")"') + F }, true],
    'by Excel 4, from pieces': [{ m: OPEN('ExecuteExcel4Macro "RUN(""Bo" & "ok1!F" & "oo"")"') + F }, true],
    'of something else': [{ m: OPEN('x = [SUM(A1:B2)] + Evaluate("MAX(A1)")\nMsgBox "Foo is (not) run"') + F }, false],
  })
  test('an event with an argument', () => {
    const modules = {
      m: OPEN('Dim c As New Cls\nc.Fire "ca"'),
      Cls: 'Event Ding(s)\nSub Fire(s)\nRaiseEvent Ding(s & "lc")\nEnd Sub',
      ThisDocument: `Private WithEvents z As Cls\n${SHELL('Private Sub z_Ding(s)', 's')}`,
    }
    assert.ok(automatic(modules).includes('calc'))
  })
})

suite('keys', () => {
  check({
    'a procedure that a key runs': [{ m: OPEN('Application.OnKey "{F5}", "Go"') + SHELL('Sub Go()') }, false],
    'in parentheses': [{ m: OPEN('Call Application.OnKey("^k", "Module1.Go")') + SHELL('Sub Go()') }, false],
    'a procedure that is called as well': [{ m: OPEN('Go\nApplication.OnKey "{F5}", "Go"') + SHELL('Sub Go()') }, true],
    'a procedure that runs at a time': [{ m: OPEN('Application.OnTime Now, "Go"') + SHELL('Sub Go()') }, true],
  })
})

suite('names of modules', () => {
  check({
    'Main of a module that Word runs': [{ AutoOpen: SHELL('Sub Main()') }, true],
    'in capitals': [{ x: `Attribute VB_Name = "AUTOEXEC"\n${SHELL('Sub MAIN()')}` }, true],
    'Main of another module': [{ Module1: SHELL('Sub Main()') }, false],
    'another procedure of such a module': [{ AutoOpen: SHELL('Sub Go()') }, false],
  })
})

test('names of procedures that Office runs', () => {
  const automaticNames = `AutoOpen Auto_Close AutoExec AutoNextSlide App_WorkbookOpen Application_Startup Document_New DocumentOpen
    FileOpen Form_Load HelpAbout NewDocument OnLoadRibbon RibbonOnLoad OnSlideShowPageChange OnSlideShowTerminate PresentationOpen
    Presentation_Open Project_Activate Project_Calculate Project_Open Report_Open SlideShowBegin SlideShowNextSlide
    ThisDocument_DocumentOpened ToolsMacro ViewVBCode Workbook_Activate Worksheet_Calculate Chart_Activate __Auto_Open
    Ink_Painting Ink_Painted Rdp_OnConnecting Rdp_OnDisconnected Web_BeforeNavigate2 Web_DocumentComplete Multi_Layout
    Text_GotFocus Text_LostFocus Image_MouseMove Label_MouseEnter X_PropertyChange X_Resize X_TitleChange`
  for (const name of automaticNames.split(/\s+/))
    assert.deepEqual(automatic({ m: SHELL(`Sub ${name}()`) }), ['calc'], name)
  for (const name of [
    'Open',
    'Main',
    'Auto',
    'Button1_Click',
    'Project_Notes',
    'Report_Print',
    'SlideShow',
    'Paint_Now',
  ])
    assert.deepEqual(automatic({ m: SHELL(`Sub ${name}()`) }), [], name)
  for (const name of ['workbook_beforeprint', 'worksheet_change', 'filesave', 'toolsmacro', 'documentbeforesave'])
    assert.ok(needsUser(name), name)
  for (const name of ['autoopen', 'workbook_open', 'worksheet_calculate']) assert.ok(!needsUser(name), name)
})
