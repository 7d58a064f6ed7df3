/** After `npm ci`: removes what only compilers of add-ons and debuggers of packages need. Runs under any Node. */
'use strict'

const { readdirSync, rmSync } = require('node:fs')
const path = require('node:path')

const modules = path.join(__dirname, '../node_modules')

/** None without install scripts, as there is no Node of ours then. */
function namesIn(folder, options) {
  try {
    return readdirSync(folder, options)
  } catch {
    return []
  }
}

const node = path.join(modules, 'node/node_modules')
for (const name of namesIn(node).filter((each) => each.startsWith('node-'))) {
  for (const part of ['include', 'share']) rmSync(path.join(node, name, part), { recursive: true, force: true })
}

for (const name of namesIn(modules, { recursive: true }))
  if (/\.(?:[cm]?[jt]s|css)\.map$/.test(name)) rmSync(path.join(modules, name), { force: true })
