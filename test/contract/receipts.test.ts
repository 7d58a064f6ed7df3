/** Signed receipts of scans, verified by openssl, Sigstore's library and our own command. On two replicas. */

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync, hash, type KeyObject } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAdmin } from '#admin/admin.ts'
import { openEnvelope, preAuthenticationEncoding, signerOf } from '#base/dsse.ts'
import { loadConfig } from '#config/config.ts'
import type { Engine } from '#engines/engine.ts'
import type { Database } from '#storage/database.ts'
import { startApp } from '#test/support/app.ts'
import { signUp, UNKNOWN_ID, withKey } from '#test/support/client.ts'
import { commandFolder, DOCVET, runCommand } from '#test/support/command.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { cleanEngine, plansFile, scan, scanned } from '#test/support/scanning.ts'
import { openPlace, quietLog } from '#test/support/seed.ts'
import { temporaryFolder } from '#test/support/service.ts'
import { type DatabasePlace, forEachDatabase, needs } from '#test/support/suite.ts'

interface Envelope {
  payload: string
  payloadType: string
  signatures: { keyid: string; sig: string }[]
}
interface Jwk {
  kid: string
  kty: string
  crv: string
  x: string
  until?: string
  revoked_at?: string
}

/** Its types are not needed to compile everything else. */
const require = createRequire(import.meta.url)
const sigstore = () => ({
  bundle: require('@sigstore/bundle') as { bundleFromJSON(json: unknown): unknown },
  verify: require('@sigstore/verify') as {
    Verifier: new (material: object, options: object) => { verify(entity: unknown): unknown }
    toSignedEntity(bundle: unknown): unknown
  },
})

const RULES = 'ab'.repeat(32)
/** Decides by the text of the document. */
const engine: Engine = {
  ...cleanEngine,
  health: () => ({ ...cleanEngine.health(), rules: RULES }),
  async inspect({ chunks }) {
    const text = Buffer.concat(chunks).toString()
    if (text.includes('a threat'))
      return { kind: 'detected', threat: 'Test.Threat', path: [], beneath: { kind: 'clean' } }
    if (text.includes('a lock'))
      return { kind: 'unscannable', obstacle: 'encrypted', detail: 'Encrypted.', isLocked: true }
    return { kind: 'clean' }
  },
}

const keyOf = ({ kty, crv, x }: Jwk): KeyObject => createPublicKey({ key: { kty, crv, x }, format: 'jwk' })
const payloadOf = ({ payload }: Envelope) => JSON.parse(Buffer.from(payload, 'base64').toString())
const sha256 = (text: string) => hash('sha256', text, 'hex')

function withSigstore({ payload, payloadType, signatures: [signature] }: Envelope, jwk: Jwk): void {
  const { bundle, verify } = sigstore()
  const parsed = bundle.bundleFromJSON({
    mediaType: 'application/vnd.dev.sigstore.bundle.v0.3+json',
    verificationMaterial: { publicKey: { hint: jwk.kid } },
    dsseEnvelope: { payload, payloadType, signatures: [signature] },
  })
  const publicKey = () => ({ publicKey: keyOf(jwk), validFor: () => true })
  const material = { certificateAuthorities: [], timestampAuthorities: [], tlogs: [], ctlogs: [], publicKey }
  const none = { tlogThreshold: 0, ctlogThreshold: 0, timestampThreshold: 0, tsaThreshold: 0 }
  new verify.Verifier(material, none).verify(verify.toSignedEntity(parsed))
}

const files = commandFolder('receipts')

function withOpenssl({ payload, payloadType, signatures: [signature] }: Envelope, jwk: Jwk): void {
  const key = files.file('key.pem', keyOf(jwk).export({ type: 'spki', format: 'pem' }) as string)
  const body = files.file('pae', preAuthenticationEncoding(payloadType, Buffer.from(payload, 'base64')))
  const sig = files.file('sig', Buffer.from(signature?.sig ?? '', 'base64'))
  const args = ['pkeyutl', '-verify', '-rawin', '-pubin', '-inkey', key, '-in', body, '-sigfile', sig]
  assert.match(execFileSync('openssl', args).toString(), /Signature Verified Successfully/)
}

const KEY_PEM = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().trim()

forEachDatabase('receipts', (openUrl) => {
  let place: DatabasePlace
  let env: Record<string, string | undefined>
  let replicas: Awaited<ReturnType<typeof startApp>>[]
  let database: Database
  let [port, otherPort] = [0, 0]
  before(async () => {
    place = await openUrl()
    database = await openPlace(place)
    env = {
      DOCVET_DATABASE_URL: place.url ?? undefined,
      DOCVET_DATA_DIR: place.dataDir,
      DOCVET_PLANS_FILE: plansFile(),
      DOCVET_RECEIPT_KEY: place.url === null ? undefined : KEY_PEM,
      DOCVET_PUBLIC_URL: 'https://docvet.example',
    }
    replicas = [await startApp({}, env, { engines: [engine] }), await startApp({}, env, { engines: [engine] })]
    ;[port = 0, otherPort = 0] = replicas.map((replica) => replica.port)
  })
  after(async () => {
    for (const replica of replicas) await replica[Symbol.asyncDispose]()
    await database.close()
    await place.release()
  })

  const get = (key: string, scanId: string, at = port) =>
    request(at, 'GET', `/api/v1/scans/${scanId}/receipt`, { headers: withKey(key) })
  async function receiptOf(key: string, scanId: string, at = port): Promise<Envelope> {
    const answer = await get(key, scanId, at)
    assert.equal(answer.status, 200, answer.body)
    return answer.json() as Envelope
  }
  async function jwks(at = port): Promise<Jwk[]> {
    const answer = await request(at, 'GET', '/.well-known/jwks.json')
    assert.deepEqual(
      [answer.status, answer.headers['content-type'], answer.headers['cache-control']],
      [200, 'application/jwk-set+json; charset=utf-8', 'public, max-age=300'],
    )
    return (answer.json() as { keys: Jwk[] }).keys
  }
  const clean = async (key: string, text: string, at = port) => scanned(await scan(at, key, text)).scanId
  const admin = async (...args: string[]) => {
    const { exitCode, stdout, stderr } = await runAdmin([...args, '--json'], {
      config: () => loadConfig(env),
      startEngines: async () => [],
      log: quietLog,
    })
    return { exitCode, stderr, data: exitCode === 0 ? JSON.parse(stdout) : null }
  }

  test('of a clean, an infected and an encrypted document, verified by openssl and Sigstore', async () => {
    const { apiKey } = await signUp(port)
    const answer = await scan(port, apiKey, 'good news', { fileName: 'secret-name.txt' })
    const { scanId, scannedAt } = scanned(answer)
    const relation = 'https://docvet.example/receipt/v1'
    assert.equal(answer.headers.link, `</api/v1/scans/${scanId}/receipt>; rel="${relation}"`)
    assert.equal(answer.headers['content-location'], `/api/v1/scans/${scanId}`)
    const infected = scanned(await scan(port, apiKey, 'a threat')).scanId
    assertProblem(await scan(port, apiKey, 'a lock'), 422, 'encrypted_document')
    const listed = await request(port, 'GET', '/api/v1/scans?status=refused', { headers: withKey(apiKey) })
    const [refused] = (listed.json() as { items: { scanId: string }[] }).items
    const [jwk] = await jwks(otherPort)
    const receipts = []
    for (const id of [scanId, infected, refused?.scanId ?? '']) receipts.push(await receiptOf(apiKey, id, otherPort))
    for (const receipt of receipts) {
      withOpenssl(receipt, jwk!)
      withSigstore(receipt, jwk!)
      assert.equal(receipt.signatures[0]?.keyid, jwk?.kid)
      assert.equal(receipt.payloadType, 'application/vnd.in-toto+json')
    }
    const [one, two, three] = receipts.map(payloadOf)
    assert.deepEqual(one, {
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ digest: { sha256: sha256('good news') } }],
      predicateType: relation,
      predicate: {
        ...{ scanId, verdict: 'clean', threat: null, obstacle: null, scannedAt, size: 9, detectedType: 'text/plain' },
        engines: [{ name: 'fake', version: '1', signatures: null, signaturesAt: null }],
        ...{ rules: RULES, sensitivity: 'standard', unscannable: 'refuse', findings: [] },
        limits: { documentBytes: 26_214_400, deadlineMs: 30_000 },
        service: { name: 'Docvet', version: one.predicate.service.version, publicUrl: 'https://docvet.example' },
        keys: 'https://docvet.example/.well-known/jwks.json',
        statement:
          'The document was scanned at this time by these engines, with this result. This is not a statement that it is safe.',
      },
    })
    assert.deepEqual(
      [two, three].map(({ predicate }) => [predicate.verdict, predicate.threat, predicate.obstacle]),
      [
        ['infected', 'Test.Threat', null],
        [null, null, 'encrypted'],
      ],
    )
    assert.deepEqual(two.predicate.findings, [{ id: 'Test.Threat', severity: 'malicious' }])
    const schema = (await request(port, 'GET', '/receipt/v1')).json() as { $id: string; required: string[] }
    assert.equal(schema.$id, relation)
    for (const field of schema.required) assert.ok(field in one.predicate, field)
  })

  test('the same for a repeated request and for an asynchronous scan', async () => {
    const { apiKey } = await signUp(port)
    const headers = { 'idempotency-key': 'one' }
    const ids = [
      scanned(await scan(port, apiKey, 'again', { headers })).scanId,
      scanned(await scan(otherPort, apiKey, 'again', { headers })).scanId,
    ]
    assert.equal(ids[0], ids[1])
    assert.deepEqual(await receiptOf(apiKey, ids[0]!), await receiptOf(apiKey, ids[0]!, otherPort))
    const late = await scan(port, apiKey, 'later', { headers: { prefer: 'respond-async' } })
    const { scanId } = late.json() as { scanId: string }
    for (const end = Date.now() + 60_000; (await get(apiKey, scanId)).status !== 200 && Date.now() < end; )
      await sleep(20)
    assert.equal(payloadOf(await receiptOf(apiKey, scanId)).predicate.verdict, 'clean')
  })

  test('with the name of the file only if it is asked for, signed with the scan', async () => {
    const { apiKey } = await signUp(port)
    const [jwk] = await jwks()
    const named = async (scanId: string, query = 'name=1') => {
      const path = `/api/v1/scans/${scanId}/receipt?${query}`
      return await request(otherPort, 'GET', path, { headers: withKey(apiKey) })
    }
    const fileName = 'Lohn März 2026.txt'
    const { scanId } = scanned(await scan(port, apiKey, 'wages', { fileName }))
    const plain = await receiptOf(apiKey, scanId)
    const receipt = (await named(scanId)).json() as Envelope
    withOpenssl(receipt, jwk!)
    withSigstore(receipt, jwk!)
    const { subject, ...rest } = payloadOf(receipt)
    const { subject: withoutName, ...same } = payloadOf(plain)
    assert.deepEqual(subject, [{ name: fileName, digest: { sha256: sha256('wages') } }])
    assert.deepEqual([withoutName, rest], [[{ digest: { sha256: sha256('wages') } }], same])
    assert.deepEqual((await named(scanId, 'name=0')).json(), plain)
    assert.ok(!JSON.stringify(payloadOf(plain)).includes('Lohn'))
    for (const query of ['name=2', 'name=', 'names=1'])
      assertProblem(await named(scanId, query), 400, 'invalid_request')
    // A name that somebody has changed in the database was never signed.
    await database.db.updateTable('scans').set({ file_name: 'other.txt' }).where('id', '=', scanId).execute()
    const changed = (await named(scanId)).json() as Envelope
    assert.throws(() => withSigstore(changed, jwk!))
    // Older versions have signed no name.
    await database.db
      .updateTable('scan_receipts')
      .set({ named_signature: null })
      .where('scan_id', '=', scanId)
      .execute()
    const { detail } = assertProblem(await named(scanId), 404, 'not_found')
    assert.match(detail, /without the name/)
    assert.equal((await get(apiKey, scanId)).status, 200)
  })

  test('404 for another account, an unknown scan and a document that was not inspected', async () => {
    const [ada, eve] = [await signUp(port), await signUp(port)]
    const scanId = await clean(ada.apiKey, 'mine')
    const answers = [await get(eve.apiKey, scanId), await get(eve.apiKey, UNKNOWN_ID)]
    const [one, other] = answers.map((answer) => ({ ...assertProblem(answer, 404, 'not_found'), requestId: '' }))
    assert.deepEqual(one, other)
    assertProblem(await scan(port, ada.apiKey, 'x', { type: 'image/png' }), 415, 'unsupported_content_type')
    const listed = await request(port, 'GET', '/api/v1/scans?status=refused', { headers: withKey(ada.apiKey) })
    const [refused] = (listed.json() as { items: { scanId: string }[] }).items
    assertProblem(await get(ada.apiKey, refused?.scanId ?? ''), 404, 'not_found')
  })

  test('404 that says why where no reports are kept, and no link', async () => {
    await using app = await startApp({}, { ...env, DOCVET_SCAN_RETENTION_DAYS: '0' }, { engines: [engine] })
    const { apiKey } = await signUp(app.port)
    const answer = await scan(app.port, apiKey, 'text')
    assert.equal(answer.headers.link, undefined)
    const { detail } = assertProblem(await get(apiKey, scanned(answer).scanId, app.port), 404, 'not_found')
    assert.match(detail, /keeps no reports/)
  })

  test('docvet verify: 0 for the document, 1 for another one and for any changed byte, 2 without the key', async () => {
    const { apiKey } = await signUp(port)
    const receipt = await receiptOf(apiKey, await clean(apiKey, 'prove me'))
    const keys = await jwks()
    const document = files.file('document.txt', 'prove me')
    const keyFile = files.file('jwks.json', JSON.stringify({ keys }))
    const verify = async (value: unknown, name = document, keysName = keyFile) => {
      const args = ['verify', '--keys', keysName, files.file('receipt.json', JSON.stringify(value)), name]
      return await runCommand(args, { cwd: files.folder })
    }
    const good = await verify(receipt)
    assert.equal(good.code, 0, good.stderr)
    assert.match(good.stdout, new RegExp(`^Genuine\\. clean, scanned at .*${sha256('prove me')}\\n$`))
    const other = await verify(receipt, files.file('other.txt', 'prove me!'))
    assert.deepEqual([other.code, other.stderr], [1, 'Not valid. It is about another document.\n'])
    assert.equal((await verify({ ...receipt, payloadType: 'application/json' })).code, 1)
    const changed = {
      ...receipt,
      payload: Buffer.from(JSON.stringify(payloadOf(receipt)).replace('clean', 'Clean')).toString('base64'),
    }
    assert.equal((await verify(changed)).code, 1)
    const foreign = generateKeyPairSync('ed25519').publicKey
    const pem = files.file('foreign.pem', foreign.export({ type: 'spki', format: 'pem' }) as string)
    assert.equal((await verify(receipt, document, pem)).code, 2)
    assert.equal((await verify(receipt, document, files.at('missing.json'))).code, 2)
    const own = files.file('own.pem', keyOf(keys[0]!).export({ type: 'spki', format: 'pem' }) as string)
    assert.equal((await verify({ ...receipt, more: 1 }, document, own)).code, 0)
    // Every single byte of body and signature.
    const opened = openEnvelope(receipt) ?? assert.fail()
    const all = keys.map((jwk) => ({ key: keyOf(jwk) }))
    const flipped = (bytes: Buffer, at: number) => {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ 1
      return copy
    }
    for (let at = 0; at < opened.body.length; at++)
      assert.equal(signerOf({ ...opened, body: flipped(opened.body, at) }, all), undefined)
    const [signature] = opened.signatures
    for (let at = 0; at < signature!.length; at++)
      assert.equal(signerOf({ ...opened, signatures: [flipped(signature!, at)] }, all), undefined)
  })

  test('docvet verify without a network', needs('bwrap'), async () => {
    const { apiKey } = await signUp(port)
    const receipt = files.file('offline.json', JSON.stringify(await receiptOf(apiKey, await clean(apiKey, 'offline'))))
    const keys = files.file('offline-keys.json', JSON.stringify({ keys: await jwks() }))
    const document = files.file('offline.txt', 'offline')
    const command = [process.execPath, DOCVET, 'verify', '--keys', keys, receipt, document]
    assert.match(execFileSync('bwrap', ['--dev-bind', '/', '/', '--unshare-net', ...command]).toString(), /^Genuine/)
  })

  test('rotation: the old receipt stays valid, two keys are listed, the new one signs on both replicas', async () => {
    const { apiKey } = await signUp(port)
    const [first] = await jwks()
    const old = await receiptOf(apiKey, await clean(apiKey, 'before'))
    const rotated = await admin('receipts', 'rotate')
    if (place.url !== null) {
      assert.deepEqual([rotated.exitCode, /DOCVET_RECEIPT_KEY/.test(rotated.stderr)], [1, true])
      return
    }
    assert.equal(statSync(path.join(place.dataDir, 'receipt-key.pem')).mode & 0o777, 0o600)
    const { kid } = rotated.data
    const signedBy = async (at: number) => {
      const id = await clean(apiKey, 'after', at)
      return (await receiptOf(apiKey, id)).signatures[0]?.keyid
    }
    for (const at of [port, otherPort])
      for (const end = Date.now() + 60_000; (await signedBy(at)) !== kid && Date.now() < end; ) await sleep(100)
    assert.deepEqual([await signedBy(port), await signedBy(otherPort)], [kid, kid])
    const keys = await jwks(otherPort)
    assert.deepEqual(
      keys.map((each) => [each.kid, 'until' in each]),
      [
        [kid, false],
        [first?.kid, true],
      ],
    )
    const verify = async (receipt: Envelope) => {
      const keyFile = files.file('rotated.json', JSON.stringify({ keys: await jwks() }))
      const args = ['verify', '--keys', keyFile, files.file('rotated-receipt.json', JSON.stringify(receipt))]
      return await runCommand(args, { cwd: files.folder })
    }
    assert.equal((await verify(old)).code, 0)
    const revoked = await admin('receipts', 'revoke', first?.kid ?? '', '--since', '2020-01-01')
    assert.equal(revoked.exitCode, 0, revoked.stderr)
    const refused = await verify(old)
    assert.deepEqual([refused.code, /key revoked from 2020-01-01/.test(refused.stderr)], [1, true])
    await admin('receipts', 'revoke', first?.kid ?? '', '--since', '2099-01-01')
    const warned = await verify(old)
    assert.deepEqual([warned.code, /^Warning: .*revoked from 2099/.test(warned.stderr)], [0, true])
    assert.equal((await admin('receipts', 'revoke', 'nobody')).exitCode, 1)
    assert.equal((await admin('receipts', 'keys')).data.length, 2)
  })

  test('with PostgreSQL and without a key, there are no receipts, and health says why', async () => {
    const dataDir = temporaryFolder('data')
    const without = { ...env, DOCVET_RECEIPT_KEY: undefined, DOCVET_DATA_DIR: dataDir }
    await using app = await startApp({}, without, { engines: [engine] })
    const { apiKey } = await signUp(app.port)
    const answer = await scan(app.port, apiKey, 'text')
    const { receipts } = (await request(app.port, 'GET', '/api/v1/health')).json() as { receipts?: string }
    const isOn = place.url === null
    assert.equal(receipts === undefined, isOn)
    if (!isOn) assert.match(receipts ?? '', /DOCVET_RECEIPT_KEY_FILE/)
    assert.equal(answer.headers.link !== undefined, isOn)
    assert.equal((await get(apiKey, scanned(answer).scanId, app.port)).status, isOn ? 200 : 404)
    assert.equal(existsSync(path.join(dataDir, 'receipt-key.pem')), isOn)
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('a clean verdict of the allow list, or of an operator who lets everything pass, says so', async () => {
    await using app = await startApp(
      {},
      { ...env, DOCVET_UNSCANNABLE: 'clean', DOCVET_ALLOW_LIST: 'all' },
      { engines: [engine] },
    )
    const { apiKey } = await signUp(app.port)
    await request(app.port, 'PUT', `/api/v1/allowed/${sha256('a threat')}`, { headers: withKey(apiKey) })
    const predicates = []
    for (const text of ['a threat', 'a lock', 'nothing'])
      predicates.push(payloadOf(await receiptOf(apiKey, await clean(apiKey, text, app.port), app.port)).predicate)
    assert.deepEqual(
      predicates.map(({ verdict, allowed, notFullyScanned, unscannable }) => [
        verdict,
        allowed,
        notFullyScanned,
        unscannable,
      ]),
      [
        ['clean', true, undefined, 'clean'],
        ['clean', undefined, true, 'clean'],
        ['clean', undefined, undefined, 'clean'],
      ],
    )
  })
})
