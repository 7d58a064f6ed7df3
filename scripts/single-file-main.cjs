/** The main program of the single-file build: unpacks the command when it is new, and runs it, or one of its workers. */
'use strict'

const fs = require('node:fs')
const { createRequire } = require('node:module')
const { homedir, tmpdir } = require('node:os')
const path = require('node:path')
const { getAsset, getAssetKeys, getRawAsset } = require('node:sea')
const { pathToFileURL } = require('node:url')
const { constants, Script } = require('node:vm')

const NAME = 'name'
const PACKAGE = 'node_modules/docvet'
/** Named after the content, so that a folder that exists is complete and never changes. */
const name = getAsset(NAME, 'utf8')
const args = process.argv.slice(2)

/** This program itself is no file from which modules can be imported. Workers can read nothing but theirs. */
function runWorker(file, given) {
  process.argv = [process.execPath, file, ...given]
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const load = new Script('(url) => import(url)', { importModuleDynamically }).runInThisContext()
  return load(pathToFileURL(file).href)
}

function unpack(folder) {
  for (const key of getAssetKeys().filter((each) => each !== NAME)) {
    const file = path.join(folder, key)
    fs.mkdirSync(path.dirname(file), { recursive: true })
    fs.writeFileSync(file, Buffer.from(getRawAsset(key)))
  }
}

/** Others could have put their programs there. */
function isOurs(folder) {
  const { uid, mode } = fs.statSync(folder)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/** Where nothing can be kept, the command is unpacked for this run only. */
function temporary() {
  const made = fs.mkdtempSync(path.join(tmpdir(), 'docvet-'))
  process.on('exit', () => fs.rmSync(made, { recursive: true, force: true }))
  const folder = path.join(made, name)
  unpack(folder)
  return folder
}

function kept() {
  const caches = process.env.XDG_CACHE_HOME || path.join(homedir(), '.cache')
  const cache = path.join(caches, 'docvet')
  const folder = path.join(cache, name)
  for (const each of [caches, cache]) if (!fs.existsSync(each)) fs.mkdirSync(each, { mode: 0o700 })
  if (!isOurs(cache)) return temporary()
  if (fs.existsSync(folder)) return folder
  const unfinished = fs.mkdtempSync(path.join(cache, 'unpacking-'))
  try {
    unpack(unfinished)
    fs.renameSync(unfinished, folder)
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true })
    // Another process was faster.
    if (!fs.existsSync(folder)) throw error
  }
  return folder
}

function unpacked() {
  try {
    return kept()
  } catch {
    return temporary()
  }
}

const [file = ''] = args
if (path.dirname(file).endsWith(path.join(name, PACKAGE, 'dist'))) runWorker(file, args.slice(1))
else createRequire(__filename)(path.join(unpacked(), PACKAGE, 'bin/docvet.cjs'))
