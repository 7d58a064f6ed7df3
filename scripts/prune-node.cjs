/** After `npm ci`: removes the headers of the Node that it installed, which only compilers of add-ons need. Runs under any Node. */
'use strict'

const { readdirSync, rmSync } = require('node:fs')
const path = require('node:path')

const folder = path.join(__dirname, '../node_modules/node/node_modules')
let names = []
try {
  names = readdirSync(folder)
} catch {
  // Without install scripts there is no Node of ours.
}
for (const name of names.filter((each) => each.startsWith('node-'))) {
  for (const part of ['include', 'share']) rmSync(path.join(folder, name, part), { recursive: true, force: true })
}
