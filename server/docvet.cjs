#!/usr/bin/env -S node --
/** The command `docvet`: checks the version of Node before anything is loaded that an older one cannot read. After `--`, Node leaves `--env-file` to us. */
'use strict'

require('./node-version.cjs')
import('./main.ts')
