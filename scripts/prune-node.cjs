/** After `npm ci`: removes what nothing here uses, so that a clone stays small. Runs under any Node. */
'use strict'

const { readdirSync, rmSync } = require('node:fs')
const path = require('node:path')

const modules = path.join(__dirname, '../node_modules')
const remove = (target) => rmSync(target, { recursive: true, force: true })

/** None without install scripts, as there is no Node of ours then. */
function namesIn(folder, options) {
  try {
    return readdirSync(folder, options)
  } catch {
    return []
  }
}

// For compilers of add-ons.
const node = path.join(modules, 'node/node_modules')
for (const name of namesIn(node).filter((each) => each.startsWith('node-')))
  for (const part of ['include', 'share']) remove(path.join(node, name, part))

// A viewer of recordings, translations, and programs for the command line.
for (const name of ['playwright-core/lib/vite', 'axe-core/locales', 'wabt/bin']) remove(path.join(modules, name))

/** What packages were made with; no package loads it. */
const LEFT_OVER =
  /(?:^|[\\/]node_modules[\\/])(?:@[^\\/]+[\\/])?[^\\/@]+[\\/](?:tests?|docs|examples?|bench(?:marks?)?|\.github)$/
/** For debuggers. */
const MAP = /\.(?:[cm]?[jt]s|css)\.map$/

for (const name of namesIn(modules, { recursive: true }))
  if (MAP.test(name) || LEFT_OVER.test(name)) remove(path.join(modules, name))
