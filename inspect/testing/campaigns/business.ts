/** Ordinary macros of offices, many of which use what campaigns use: forms, stored texts, names of procedures, and programs. */

import { doc, docm, type OfficePlan, xls, xlsm } from './office.ts'

const [LABEL, TEXT_BOX] = [21, 23]
const workbook = (body: string, more = ''): Record<string, string> => ({
  ThisWorkbook: `Option Explicit\nPrivate Sub Workbook_Open()\n${body}\nEnd Sub\n`,
  Module1: more,
})
const letter = (body: string, more = ''): Record<string, string> => ({
  ThisDocument: `Private Sub Document_Open()\n${body}\nEnd Sub\n`,
  Module1: more,
})
const button = (body: string): Record<string, string> => ({
  Sheet1: `Private Sub CommandButton1_Click()\n${body}\nEnd Sub\n`,
})

const WORKBOOKS: Readonly<Record<string, OfficePlan>> = {
  'refreshes queries': {
    modules: workbook(
      'ThisWorkbook.RefreshAll\nSheets("Sheet1").Range("B1").Value = "Updated " & Format(Now, "dd.mm.yyyy hh:nn")',
    ),
  },
  'refreshes every minute': {
    modules: workbook(
      'Application.OnTime Now + TimeValue("00:01:00"), "Refresh"',
      'Sub Refresh()\nThisWorkbook.RefreshAll\nApplication.OnTime Now + TimeValue("00:01:00"), "Refresh"\nEnd Sub',
    ),
  },
  'runs a procedure by its name': {
    modules: workbook('Application.Run "Module1.Prepare", Date', 'Sub Prepare(d)\nRange("A1").Value = d\nEnd Sub'),
  },
  'hides and shows sheets': {
    modules: workbook(
      'Dim s As Worksheet\nFor Each s In Worksheets\ns.Visible = xlSheetVisible\nNext\nSheets("Sheet1").Visible = xlSheetVeryHidden',
    ),
  },
  'asks for a period': {
    modules: workbook(
      'Dim m\nm = InputBox("Which month?", "Report", Month(Date))\nIf m <> "" Then Range("C2").Value = m',
    ),
  },
  'sends a report by Outlook': {
    modules: button(
      'Dim o As Object, m As Object\nSet o = CreateObject("Outlook.Application")\nSet m = o.CreateItem(0)\nm.To = Range("B2").Value\nm.Subject = "Report " & Range("B3").Value\nm.Attachments.Add ThisWorkbook.FullName\nm.Display',
    ),
    cells: { B2: 'office@company.example', B3: 'May' },
  },
  'queries a database': {
    modules: button(
      'Dim c As Object, r As Object\nSet c = CreateObject("ADODB.Connection")\nc.Open "Provider=SQLOLEDB;Data Source=erp;Initial Catalog=Sales;Integrated Security=SSPI"\nSet r = c.Execute("SELECT * FROM Orders WHERE Year = " & Year(Date))\nRange("A5").CopyFromRecordset r\nc.Close',
    ),
  },
  'exports a PDF and opens it': {
    modules: button(
      'Dim p As String\np = ThisWorkbook.Path & "\\" & Range("A1").Value & ".pdf"\nActiveSheet.ExportAsFixedFormat 0, p\nThisWorkbook.FollowHyperlink p',
    ),
  },
  'opens a folder': { modules: button('Shell "explorer.exe " & Chr(34) & ThisWorkbook.Path & Chr(34), vbNormalFocus') },
  'opens the calculator': { modules: button('Shell "calc.exe", vbNormalFocus') },
  'starts a tool by its path': {
    modules: button(
      'Dim x\nx = Shell("""C:\\Program Files\\Ledger\\ledger.exe"" /import """ & ThisWorkbook.Path & "\\booking.csv""", vbNormalFocus)',
    ),
  },
  'starts a tool from a cell at opening': {
    modules: workbook('If Range("B2").Value <> "" Then Shell Range("B2").Value, vbHide'),
    cells: { B2: '"C:\\Program Files\\Ledger\\ledger.exe" /sync' },
  },
  'starts a tool from the registry at opening': {
    modules: workbook(
      'Dim p As String\np = GetSetting("Ledger", "Setup", "Path", "")\nIf p <> "" Then Shell p, vbNormalFocus',
    ),
  },
  'reads a file of settings': {
    modules: workbook(
      'Dim f As Integer, l As String\nf = FreeFile\nOpen ThisWorkbook.Path & "\\settings.ini" For Input As #f\nLine Input #f, l\nClose #f\nRange("A1").Value = Split(l, "=")(1)',
    ),
  },
  'writes a log': {
    modules: workbook(
      'Open ThisWorkbook.Path & "\\log.txt" For Append As #1\nPrint #1, Now & ";" & Environ("USERNAME") & ";" & ThisWorkbook.Name\nClose #1',
    ),
  },
  'saves a backup': {
    modules: {
      ThisWorkbook:
        'Private Sub Workbook_BeforeSave(ByVal SaveAsUI As Boolean, Cancel As Boolean)\nThisWorkbook.SaveCopyAs ThisWorkbook.Path & "\\Backup\\" & Format(Now, "yyyymmdd") & "_" & ThisWorkbook.Name\nEnd Sub',
    },
  },
  'exports lines as CSV': {
    modules: button(
      'Dim r As Long\nOpen ThisWorkbook.Path & "\\export.csv" For Output As #1\nFor r = 2 To Cells(Rows.Count, 1).End(xlUp).Row\nPrint #1, Cells(r, 1) & ";" & Cells(r, 2)\nNext\nClose #1',
    ),
  },
  'checks what is entered': {
    modules: {
      Sheet1:
        'Private Sub Worksheet_Change(ByVal Target As Range)\nIf Not Intersect(Target, Range("C2:C99")) Is Nothing Then\nIf Not IsNumeric(Target.Value) Then MsgBox "Enter a number.", vbExclamation\nEnd If\nEnd Sub',
    },
  },
  'shows a form': {
    modules: {
      ...workbook('UserForm1.Show'),
      UserForm1:
        'Private Sub UserForm_Initialize()\nMe.TextBox1.Text = Format(Date, "dd.mm.yyyy")\nMe.Label1.Caption = "Date of delivery"\nEnd Sub\nPrivate Sub TextBox1_Change()\nRange("D4").Value = TextBox1.Text\nEnd Sub',
    },
    forms: {
      UserForm1: [
        { name: 'Label1', type: LABEL, caption: 'Date', tip: 'The day on which the goods arrive' },
        { name: 'TextBox1', type: TEXT_BOX, tag: 'date' },
      ],
    },
  },
  'reads a control of the sheet': {
    modules: {
      Sheet1:
        'Private Sub TextBox1_GotFocus()\nTextBox1.SelStart = 0\nTextBox1.SelLength = Len(TextBox1.Text)\nRange("A1").Value = TextBox1.Text\nEnd Sub',
    },
    controls: [{ name: 'TextBox1', type: TEXT_BOX, value: 'Search' }],
  },
  'sets properties by their names': {
    modules: {
      Module1:
        'Sub Fill(o As Object, names, values)\nDim i\nFor i = 0 To UBound(names)\nCallByName o, names(i), VbLet, values(i)\nNext\nEnd Sub\nSub Auto_Open()\nFill New Customer, Array("Title", "Town"), Array("Ms", "Bern")\nEnd Sub',
      Customer: 'Public Title As String\nPublic Town As String',
    },
  },
  'reads the inventory by WMI': {
    modules: workbook(
      'Dim w, d, r\nr = 2\nSet w = GetObject("winmgmts:\\\\.\\root\\cimv2")\nFor Each d In w.ExecQuery("SELECT * FROM Win32_LogicalDisk")\nCells(r, 1) = d.DeviceID\nCells(r, 2) = d.FreeSpace\nr = r + 1\nNext',
    ),
  },
  'checks whether a program runs': {
    modules: button(
      'Dim p\nFor Each p In GetObject("winmgmts:").ExecQuery("SELECT * FROM Win32_Process WHERE Name = \'ledger.exe\'")\nMsgBox "Ledger is open."\nNext',
    ),
  },
  'counts words in a dictionary': {
    modules: {
      Module1:
        'Function Words(t As String) As Long\nDim d As Object, w\nSet d = CreateObject("Scripting.Dictionary")\nFor Each w In Split(t, " ")\nd(w) = d(w) + 1\nNext\nWords = d.Count\nEnd Function',
    },
  },
  'matches patterns': {
    modules: {
      Module1:
        'Function IsIban(t As String) As Boolean\nWith CreateObject("VBScript.RegExp")\n.Pattern = "^[A-Z]{2}[0-9]{2}[A-Z0-9]{10,30}$"\nIsIban = .Test(Replace(t, " ", ""))\nEnd With\nEnd Function',
    },
  },
  'calls a web service': {
    modules: button(
      'Dim h As Object\nSet h = CreateObject("MSXML2.XMLHTTP")\nh.Open "GET", "https://api.company.example/rates?date=" & Format(Date, "yyyy-mm-dd"), False\nh.Send\nRange("B1").Value = Split(h.responseText, ":")(1)',
    ),
  },
  'loads rates at opening': {
    modules: workbook(
      'Dim h As Object\nSet h = CreateObject("WinHttp.WinHttpRequest.5.1")\nh.Open "GET", Range("A1").Value, False\nh.Send\nRange("A2").Value = h.ResponseText',
    ),
    cells: { A1: 'https://rates.company.example/today' },
  },
  'pauses with a function of Windows': {
    modules: {
      Module1:
        'Private Declare PtrSafe Sub Sleep Lib "kernel32" (ByVal ms As Long)\nSub Auto_Open()\nSleep 200\nRange("A1").Select\nEnd Sub',
    },
  },
  'reads the name of the user': {
    modules: {
      Module1:
        'Private Declare PtrSafe Function GetUserName Lib "advapi32.dll" Alias "GetUserNameA" (ByVal b As String, n As Long) As Long\nSub Auto_Open()\nDim b As String, n As Long\nb = String(100, 0): n = 100\nGetUserName b, n\nRange("A1") = Left(b, n - 1)\nEnd Sub',
    },
  },
  'encrypts a column': {
    modules: button(
      'Dim i, j, k, t\nk = InputBox("Key")\nFor i = 2 To 50\nt = ""\nFor j = 1 To Len(Cells(i, 3))\nt = t & Chr(Asc(Mid(Cells(i, 3), j, 1)) Xor Asc(Mid(k, 1 + j Mod Len(k), 1)))\nNext\nCells(i, 4) = t\nNext',
    ),
  },
  'makes a check digit': {
    modules: {
      Module1:
        'Function Luhn(t) As Integer\nDim i, n, s\nFor i = Len(t) To 1 Step -1\nn = CInt(Mid(t, i, 1))\nIf (Len(t) - i) Mod 2 = 0 Then n = n * 2\nIf n > 9 Then n = n - 9\ns = s + n\nNext\nLuhn = (10 - s Mod 10) Mod 10\nEnd Function\nSub Auto_Open()\nRange("B1") = Luhn(Range("A1").Text)\nEnd Sub',
    },
    cells: { A1: '7992739871' },
  },
  'prints labels': {
    modules: button('Dim i\nFor i = 1 To Range("B1").Value\nSheets("Sheet1").PrintOut Copies:=1\nNext'),
  },
  'builds a chart': {
    modules: workbook(
      'With Sheets(1).Shapes.AddChart2(201, xlColumnClustered).Chart\n.SetSourceData Sheets(1).Range("A1:B9")\n.ChartTitle.Text = "Turnover"\nEnd With',
    ),
  },
  'protects sheets': {
    modules: workbook('Dim s\nFor Each s In Worksheets\ns.Protect Password:="spring", UserInterfaceOnly:=True\nNext'),
  },
}

const DOCUMENTS: Readonly<Record<string, OfficePlan>> = {
  'fills fields from variables': {
    modules: letter('ActiveDocument.Variables("Customer").Value = InputBox("Customer")\nActiveDocument.Fields.Update'),
    variables: { Customer: 'Company Ltd.', Reference: 'A-100' },
  },
  'shows a property': {
    modules: letter('StatusBar = "Version " & ActiveDocument.CustomDocumentProperties("Version").Value'),
    properties: { Version: '4.2' },
  },
  'greets by a form': {
    modules: {
      ...letter('Letter.Show'),
      Letter:
        'Private Sub UserForm_Initialize()\nListBox1.AddItem "Offer"\nListBox1.AddItem "Invoice"\nLabel1.Caption = "Kind of letter"\nEnd Sub\nPrivate Sub CommandButton1_Click()\nActiveDocument.Bookmarks("Kind").Range.Text = ListBox1.Value\nUnload Me\nEnd Sub',
    },
    forms: {
      Letter: [
        { name: 'Label1', type: LABEL, caption: 'Kind' },
        { name: 'ListBox1', type: 24 },
      ],
    },
  },
  'inserts the date': { modules: letter('ActiveDocument.Bookmarks("Date").Range.Text = Format(Date, "d MMMM yyyy")') },
  'numbers an invoice': {
    modules: letter(
      'Dim n\nn = System.PrivateProfileString(ThisDocument.Path & "\\number.ini", "Invoice", "Last")\nn = Val(n) + 1\nSystem.PrivateProfileString(ThisDocument.Path & "\\number.ini", "Invoice", "Last") = n\nActiveDocument.Bookmarks("Number").Range.Text = n',
    ),
  },
  'sets up key strokes': {
    modules: {
      Module1:
        'Sub AutoExec()\nCustomizationContext = NormalTemplate\nKeyBindings.Add wdKeyCategoryMacro, "InsertSignature", BuildKeyCode(wdKeyControl, wdKeyAlt, wdKeyS)\nEnd Sub\nSub InsertSignature()\nSelection.TypeText "Kind regards"\nEnd Sub',
    },
  },
  'listens to the application': {
    modules: {
      ...letter('Set Handler = New Events\nSet Handler.App = Application', 'Public Handler As Events'),
      Events:
        'Public WithEvents App As Word.Application\nPrivate Sub App_DocumentBeforePrint(ByVal d As Document, Cancel As Boolean)\nd.Fields.Update\nEnd Sub',
    },
  },
  'cleans text': {
    modules: {
      Module1:
        'Sub Clean()\nWith ActiveDocument.Content.Find\n.Text = "^p^p"\n.Replacement.Text = "^p"\n.Execute Replace:=wdReplaceAll\nEnd With\nEnd Sub',
    },
  },
  'counts paragraphs': {
    modules: letter(
      'Dim p, n\nFor Each p In ActiveDocument.Paragraphs\nIf Len(p.Range.Text) > 1 Then n = n + 1\nNext\nStatusBar = n & " paragraphs"',
    ),
    paragraphs: ['One', 'Two'],
  },
  'merges addresses': {
    modules: {
      Module1:
        'Sub Merge()\nWith ActiveDocument.MailMerge\n.OpenDataSource Name:=ThisDocument.Path & "\\addresses.xlsx"\n.Destination = wdSendToNewDocument\n.Execute\nEnd With\nEnd Sub',
    },
  },
  'saves the text for a program': {
    modules: {
      Module1:
        'Sub SaveText()\nDim p\np = Environ("TEMP") & "\\letter.txt"\nOpen p For Output As #1\nPrint #1, ActiveDocument.Range.Text\nClose #1\nShell "notepad.exe " & p, vbNormalFocus\nEnd Sub',
    },
  },
  'opens the archive': {
    modules: {
      ThisDocument:
        'Private Sub CommandButton1_Click()\nShell """C:\\Program Files\\Archive\\archive.exe"" /add """ & ActiveDocument.FullName & """", vbNormalFocus\nEnd Sub',
    },
  },
  'sends the letter': {
    modules: {
      Module1:
        'Sub Send()\nActiveDocument.SendMail\nEnd Sub\nSub AutoClose()\nIf Not ActiveDocument.Saved Then ActiveDocument.Save\nEnd Sub',
    },
  },
  'translates captions': {
    modules: {
      ...letter(
        'Translate Captions',
        'Sub Translate(f)\nDim c\nFor Each c In f.Controls\nIf c.Tag <> "" Then c.Caption = Split(c.Tag, "|")(0)\nNext\nEnd Sub',
      ),
      Captions: '',
    },
    forms: { Captions: [{ name: 'A', type: LABEL, tag: 'Name|Nom', caption: 'Name' }] },
  },
  'follows the frame': {
    modules: {
      ThisDocument:
        'Private Sub Frame1_Layout()\nFrame1.Height = Me.PageSetup.PageHeight / 4\nEnd Sub\nPrivate Sub TextBox1_Change()\nMe.Bookmarks("Name").Range.Text = TextBox1.Text\nEnd Sub',
    },
    controls: [{ name: 'TextBox1', type: TEXT_BOX, value: 'Name' }],
  },
  'reads a comment': {
    modules: letter('If ActiveDocument.Comments.Count > 0 Then StatusBar = ActiveDocument.Comments(1).Range.Text'),
    comment: 'Please check the address.',
  },
}

const both = (plans: Readonly<Record<string, OfficePlan>>, writers: readonly ((plan: OfficePlan) => Buffer)[]) =>
  Object.entries(plans).flatMap(([name, plan]) =>
    writers.map((write) => ({ name: `${name} (${write.name})`, bytes: write(plan) })),
  )

/** One hundred documents. */
export const businessMacros = (): { name: string; bytes: Buffer }[] => [
  ...both(WORKBOOKS, [xls, xlsm]),
  ...both(DOCUMENTS, [doc, docm]),
]
