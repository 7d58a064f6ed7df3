/** The same program in several languages, one of them shown at a time. */
import { readFileSync } from 'node:fs'
import { type Html, html } from './html.ts'
import { codeBlock } from './prose.ts'

/** A test runs all but the one for C#. */
const FILES: [language: string, file: string][] = [
  ['curl', 'scan.sh'],
  ['Node', 'scan.mjs'],
  ['Python', 'scan.py'],
  ['PHP', 'scan.php'],
  ['Ruby', 'scan.rb'],
  ['Java', 'Scan.java'],
  ['C#', 'Scan.cs'],
  ['Go', 'scan.go'],
  ['Node, with the client', 'client.mjs'],
  ['Python, with the client', 'client.py'],
]

/** In the files, so that they run as they are after `npm start`. */
const LOCAL_URL = 'http://127.0.0.1:8080'

const read = (file: string): string => readFileSync(new URL(`examples/${file}`, import.meta.url), 'utf8').trimEnd()

/** Radio buttons, which need no script; their style is that of tabs. */
export function renderPrograms(publicUrl: string): Html {
  const choice = ([language, file]: (typeof FILES)[number], at: number): Html => html`
<input type="radio" name="language" id="program-${file}"${at === 0 && html` checked`}><label for="program-${file}">${language}</label>`
  const panel = ([, file]: (typeof FILES)[number]): Html =>
    html`<div class="program">${codeBlock(file, read(file).replaceAll(LOCAL_URL, publicUrl))}</div>`
  return html`<fieldset class="programs"><legend class="unseen">Language</legend>${FILES.map(choice)}${FILES.map(panel)}</fieldset>`
}
