/** `docvet scan --sarif`: a log that code hosts accept, with every finding at a file of the tree. */

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import path from 'node:path'
import { before, describe, test } from 'node:test'
import { VERSION } from '#base/version.ts'
import { EICAR } from '#inspect/testing/samples.ts'
import { writeZip } from '#inspect/testing/zip-writer.ts'
import { commandFolder, runCommand } from '#test/support/command.ts'
import { installPeers } from '#test/support/peers.ts'

const { folder, file } = commandFolder('sarif')
file('tree/a clean.txt', 'Dear reader')
file('tree/e #1.txt', EICAR)
file('outer.zip', writeZip([{ name: 'inner.zip', data: writeZip([{ name: 'e #1.txt', data: EICAR }]) }]))
file('notice.zip', Buffer.concat([writeZip([{ name: 'a.txt', data: 'Dear reader' }]), Buffer.from('more')]))
file(
  'locked.zip',
  writeZip([{ name: 'a.txt', data: 'x', method: 'stored', local: { flags: 1 }, central: { flags: 1 } }]),
)

interface Location {
  physicalLocation: { artifactLocation: { uri: string; index: number }; region?: { startLine: number } }
}

interface Sarif {
  version: string
  $schema: string
  runs: {
    automationDetails: { id: string }
    tool: { driver: { name: string; version: string; rules: { id: string; properties: Record<string, unknown> }[] } }
    artifacts: { location: { uri: string }; parentIndex?: number; hashes?: Record<string, string> }[]
    results: {
      ruleId: string
      ruleIndex: number
      level: string
      message: { text: string }
      locations: Location[]
      relatedLocations?: Location[]
      partialFingerprints: Record<string, string>
    }[]
    invocations: { executionSuccessful: boolean; toolExecutionNotifications: { level: string }[] }[]
  }[]
}

/** Where a log is not as the schema of SARIF 2.1.0 says. */
let schemaErrors: (log: unknown) => unknown[]
before(async () => {
  const load = createRequire(path.join(await installPeers('lint-tools'), 'package.json'))
  const [{ default: Validator }, { default: addFormats }] = [load('ajv-draft-04'), load('ajv-formats')]
  // A pattern of the schema is none with the flag u.
  const validator = new Validator({ strict: false, unicodeRegExp: false })
  addFormats(validator)
  const validate = validator.compile(load('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'))
  schemaErrors = (log) => (validate(log) ? [] : validate.errors)
})

async function sarif(...args: string[]): Promise<Sarif['runs'][number] & { code: number | null }> {
  const { code, stdout, stderr } = await runCommand(['scan', '--sarif', ...args], { cwd: folder })
  assert.notEqual(stdout, '', stderr)
  const log = JSON.parse(stdout) as Sarif
  assert.deepEqual(schemaErrors(log), [])
  const { version, runs } = log
  assert.deepEqual([version, runs.length], ['2.1.0', 1])
  return { ...runs[0]!, code }
}

test('the schema is one that refuses', () => {
  assert.equal(schemaErrors({ version: '2.1.0', runs: [{}] }).length, 1)
})

describe('--sarif', () => {
  test('a finding is at line 1 of the outer file, and names the inner one', async () => {
    const run = await sarif('tree', 'outer.zip', 'notice.zip', 'locked.zip')
    assert.equal(run.code, 1)
    const { driver } = run.tool
    assert.deepEqual([driver.name, driver.version, run.automationDetails.id], ['Docvet', VERSION, 'docvet/'])
    assert.deepEqual(
      run.results.map(({ ruleId, level, locations }) => [
        ruleId,
        level,
        locations.map((each) => each.physicalLocation),
      ]),
      ['outer.zip', 'tree/e%20%231.txt'].map((uri) => {
        const index = run.artifacts.findIndex(({ location }) => location.uri === uri)
        return ['Docvet.Test.Eicar', 'error', [{ artifactLocation: { uri, index }, region: { startLine: 1 } }]]
      }),
    )
    const [outer, plain] = run.results
    assert.match(outer?.message.text ?? '', /inner\.zip › e #1\.txt/)
    assert.equal(plain?.relatedLocations, undefined)
    const [related] = outer?.relatedLocations ?? []
    const uris: string[] = []
    for (
      let at: number | undefined = related?.physicalLocation.artifactLocation.index;
      at !== undefined;
      at = run.artifacts[at]?.parentIndex
    )
      uris.unshift(run.artifacts[at]?.location.uri ?? '')
    assert.deepEqual(uris, ['outer.zip', '/inner.zip', '/e%20%231.txt'])
    assert.deepEqual(driver.rules[outer?.ruleIndex ?? -1]?.properties, {
      ...driver.rules[0]?.properties,
      'security-severity': '9.0',
    })
    assert.deepEqual(driver.rules[0]?.properties.tags, ['security'])
    assert.ok(run.artifacts.some(({ location }) => location.uri === 'tree/a%20clean.txt'))
    const [invocation] = run.invocations
    assert.deepEqual([invocation?.executionSuccessful, invocation?.toolExecutionNotifications.length], [true, 1])
    assert.equal(invocation?.toolExecutionNotifications[0]?.level, 'warning')
  })

  test('the same files have the same fingerprints, and findings of one file have different ones', async () => {
    const prints = async () =>
      (await sarif('tree', 'outer.zip')).results.map(({ partialFingerprints }) => partialFingerprints['docvet/v1'])
    const first = await prints()
    assert.deepEqual(await prints(), first)
    assert.equal(new Set(first).size, 2)
    for (const print of first) assert.match(print ?? '', /^[0-9a-f]{32}$/)
  })

  test('absolute paths below the current folder become relative, so that the host finds the file', async () => {
    const [found] = (await sarif(`${folder}/outer.zip`)).results
    assert.equal(found?.locations[0]?.physicalLocation.artifactLocation.uri, 'outer.zip')
  })

  test('notices only with --notices', async () => {
    assert.deepEqual((await sarif('notice.zip')).results, [])
    const [notice] = (await sarif('--notices', 'notice.zip')).results
    assert.deepEqual([notice?.ruleId, notice?.level], ['Docvet.Zip.DataAfter', 'note'])
  })
})
