/** `openapi.json` in real tools: a linter, a type generator with a typed client, and a Postman import. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { newEmail } from '#test/support/client.ts'
import { operationsOf } from '#test/support/described.ts'
import { startService } from '#test/support/service.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const DOCUMENT = path.join(ROOT, 'openapi.json')
const TOOLS = path.join(ROOT, 'test/openapi-tools')
const GENERATED = path.join(TOOLS, 'generated')
const INSTALL_TIMEOUT_MS = 5 * 60_000

const execute = promisify(execFile)

/** Fails with the output of the tool. */
async function run(command: string, args: string[]): Promise<string> {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const options = { cwd: TOOLS, env, maxBuffer: 64 * 1024 * 1024 }
  const { stdout, stderr } = await execute(command, args, options).catch((error) =>
    assert.fail(`${command} ${args.join(' ')} failed:\n${error.stdout}${error.stderr}`),
  )
  return stdout + stderr
}

const tool = (name: string, args: string[]): Promise<string> => run(path.join(TOOLS, 'node_modules/.bin', name), args)

interface PostmanItem {
  name: string
  item?: PostmanItem[]
  request?: { method: string; body?: { mode: string; formdata?: { key: string; type: string }[] } }
}

describe('openapi.json', () => {
  before(
    async () => {
      // npm writes this file at the end of an installation.
      if (existsSync(path.join(TOOLS, 'node_modules/.package-lock.json'))) return
      await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'])
    },
    { timeout: INSTALL_TIMEOUT_MS },
  )
  after(() => rmSync(GENERATED, { recursive: true, force: true }))

  test('passes the recommended rules of Redocly without a warning', async () => {
    // A browser comes to two routes, and they only send it elsewhere.
    const rules = ['--extends=recommended-strict', '--skip-rule=operation-2xx-response']
    const document: { paths: Record<string, Record<string, { operationId?: string; responses?: object }>> } =
      JSON.parse(readFileSync(DOCUMENT, 'utf8'))
    const redirecting = Object.values(document.paths)
      .flatMap((each) => Object.values(each))
      .filter(({ responses }) => responses !== undefined && !Object.keys(responses).some((status) => status < '300'))
      .map(({ operationId }) => operationId)
    assert.deepEqual(redirecting.sort(), ['finishSignIn', 'openSignIn'])
    const output = await tool('redocly', ['lint', ...rules, '--format=json', DOCUMENT])
    const { totals } = JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1))
    assert.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 })
  })

  test('gives TypeScript types that compile, and a typed client that signs up and scans', async () => {
    await tool('openapi-typescript', [DOCUMENT, '--output', path.join(GENERATED, 'api.d.ts')])
    await tool('tsc', ['--project', TOOLS])
    await using service = await startService()
    const { tryService } = await import(path.join(TOOLS, 'client.ts'))
    const { requestId, ...result } = await tryService(service.url, newEmail())
    assert.deepEqual(result, {
      clean: ['Clean', null],
      infected: ['Infected', 'Docvet.Test.Eicar'],
      scansUsed: 2,
      problem: [401, 'unauthenticated', false],
    })
    assert.match(requestId, /^[0-9a-f-]{36}$/)
  })

  test('imports into Postman with a file field for the scan', async () => {
    const { convertV2 } = createRequire(path.join(TOOLS, 'package.json'))('openapi-to-postmanv2')
    const { result, reason, output } = await promisify(convertV2)({ type: 'file', data: DOCUMENT }, {})
    assert.ok(result, reason)
    const requests: PostmanItem[] = []
    const collect = ({ item, request }: PostmanItem, each: PostmanItem): void => {
      if (request) requests.push(each)
      for (const inner of item ?? []) collect(inner, inner)
    }
    collect(output[0].data, output[0].data)
    assert.equal(requests.length, operationsOf(JSON.parse(readFileSync(DOCUMENT, 'utf8'))).length)
    const body = requests.find(({ name }) => name === 'Scan a document')?.request?.body
    assert.equal(body?.mode, 'formdata')
    assert.deepEqual(
      body.formdata?.map(({ key, type }) => [key, type]),
      [
        ['file', 'file'],
        ['password', 'text'],
        ['reference', 'text'],
      ],
    )
  })
})
