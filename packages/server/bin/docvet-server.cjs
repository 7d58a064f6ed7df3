#!/usr/bin/env -S node --
/** The published service. Checks the version of Node before anything is loaded that an older one cannot read. */
'use strict'

const { node } = process.versions
if (Number(node.split('.')[0]) < 24) {
  process.stderr.write(`@docvet/server needs Node 24 or newer, but this is Node ${node}.\n`)
  process.exit(1)
}
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../.cache'))
import('../dist/service.mjs')
