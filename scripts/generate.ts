/** Writes what is generated from the code: the table of settings in README.md, .env.example, and the date of our rules. */

import { readFileSync, writeFileSync } from 'node:fs'
import { SETTINGS, type Setting } from '#config/settings.ts'
import { versionOf } from '#inspect/rules-engine/sources.ts'
import { readRules } from '#inspect/testing/inspector.ts'

const START = '<!-- config:start -->\n'
const END = '<!-- config:end -->'
const SETTING_LIST: Setting[] = Object.values(SETTINGS)

export function renderTable(settings: readonly Setting[] = SETTING_LIST): string {
  const rows = settings.map(({ name, default: fallback, unset = '', secret, meaning, allowed }) => {
    const shown = fallback === undefined ? unset : `\`${fallback}\``
    const file = secret ? ` Secret: can be read from the file that \`${name}_FILE\` names.` : ''
    return [`\`${name}\``, shown, `${meaning} Allowed: ${allowed}.${file}`]
  })
  const lines = [['Variable', 'Default', 'Meaning and allowed values'], ['---', '---', '---'], ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`).join('')
}

export function renderEnvExample(settings: readonly Setting[] = SETTING_LIST): string {
  const head = [
    '# Every setting of Docvet. All of them are optional: take away the "# " in front of a name to set it.',
    '# An empty value counts as not set. Made by `npm run generate`; changes by hand are lost.',
  ]
  const blocks = settings.map(({ name, default: fallback, unset, secret, meaning, allowed }) => {
    const lines = [`# ${meaning}`, `# Allowed: ${allowed}.`]
    if (unset) lines.push(`# Default: ${unset.replaceAll('`', '')}.`)
    if (secret) lines.push(`# Secret: set this, or ${name}_FILE to the path of a file that holds it.`)
    lines.push(`# ${name}=${fallback ?? ''}`)
    if (secret) lines.push(`# ${name}_FILE=`)
    return lines
  })
  return [head, ...blocks].map((lines) => `${lines.join('\n')}\n`).join('\n')
}

export function replaceTable(readme: string, table: string): string {
  const [before, rest, ...moreStarts] = readme.split(START)
  const [, after, ...moreEnds] = rest?.split(END) ?? []
  if (before === undefined || after === undefined || before.includes(END) || moreStarts.length + moreEnds.length > 0) {
    throw new Error(`README.md needs exactly one "${START.trim()}" on a line of its own and one "${END}" after it`)
  }
  return before + START + table + END + after
}

/** Kept as it is while the rules are what they were: health tells by it how old they are. */
export function renderRulesDate(kept: string, version = versionOf(readRules()), now = new Date()): string {
  if (JSON.parse(kept).version === version) return kept
  return `${JSON.stringify({ version, changedAt: now.toISOString() }, null, 1).replace(/\n ?/g, ' ')}\n`
}

if (import.meta.main) {
  const readme = new URL('../README.md', import.meta.url)
  writeFileSync(readme, replaceTable(readFileSync(readme, 'utf8'), renderTable()))
  writeFileSync(new URL('../.env.example', import.meta.url), renderEnvExample())
  const rulesDate = new URL('../inspect/rules/changed.json', import.meta.url)
  writeFileSync(rulesDate, renderRulesDate(readFileSync(rulesDate, 'utf8')))
}
