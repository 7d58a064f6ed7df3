#!/usr/bin/env -S node --
/** The command `docvet`: checks the version of Node before anything is loaded that an older one cannot read. After `--`, Node leaves `--env-file` to us. */
'use strict'

require('./node-version.cjs')
// Alone it must not start the service: `npm start` does.
const [, , name] = process.argv
if (name === undefined || name === '-h' || name === '--help') process.argv[2] = 'help'
import('./main.ts')
