#!/usr/bin/env node
/** The command `docvet`: checks the version of Node before anything is loaded that an older one cannot read. */
'use strict'

require('./node-version.cjs')
import('./main.ts')
