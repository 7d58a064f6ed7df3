#!/usr/bin/env node
/** The published command. Checks the version of Node before anything is loaded that an older one cannot read. */
'use strict'

const { node } = process.versions
if (Number(node.split('.')[0]) < 24) {
  process.stderr.write(`docvet needs Node 24 or newer, but this is Node ${node}.\n`)
  process.exit(2)
}
// Where the package can be written, the next start is faster; elsewhere this does nothing.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../.cache'))
import('../dist/command.mjs')
