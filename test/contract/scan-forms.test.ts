/** One reading of a form: where Docvet accepts a form, other parsers see the file that it scanned, and no other. */

import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { withKey } from '#test/support/client.ts'
import { CLIENT_FORMS } from '#test/support/forms/clients.ts'
import { HOSTILE_FORMS } from '#test/support/forms/hostile.ts'
import { readWithOthers, type Seen, type Sightings } from '#test/support/forms/parsers.ts'
import { type FormRow, HIDDEN } from '#test/support/forms/row.ts'
import { assertProblem } from '#test/support/problem.ts'
import { request } from '#test/support/raw-http.ts'
import { type ScanService, scanned, startScanService } from '#test/support/scanning.ts'
import { needs } from '#test/support/suite.ts'

const HIDDEN_SHA256 = hash('sha256', HIDDEN, 'hex')
const FORMS = [...HOSTILE_FORMS, ...CLIENT_FORMS]

interface Verdict {
  /** `clean`, or the code of a 400. */
  answer: string
  /** Of the scanned document. */
  sha256: string | null
  fileName: string | null
}

let service: ScanService
let key: string
let others: Sightings[]
let verdicts: Verdict[]

async function judge({ type, body, answer: expected }: FormRow): Promise<Verdict> {
  const headers = { ...withKey(key), 'content-type': type }
  const answer = await request(service.port, 'POST', '/api/v1/scan', { headers, body })
  if (answer.status !== 200) {
    const { code } = answer.json() as { code: string }
    if (answer.status === 400) assertProblem(answer, 400, code)
    return {
      answer: answer.status === 400 ? code : `${answer.status} ${code}, expected ${expected}`,
      sha256: null,
      fileName: null,
    }
  }
  const { scanId, status, fileName } = scanned(answer)
  const report = await request(service.port, 'GET', `/api/v1/scans/${scanId}`, { headers: withKey(key) })
  return { answer: status, sha256: (report.json() as { sha256: string }).sha256, fileName }
}

const summary = ({ files, error }: Seen) =>
  `${files.map(({ name, fileName, sha256 }) => `${name}=${fileName}:${sha256.slice(0, 6)}`).join(' ') || 'no file'}${error === null ? '' : ' (error)'}`

/** One line per form, with the parsers that see the same side by side. */
function print(): void {
  for (const [i, { what }] of FORMS.entries()) {
    const groups = Map.groupBy(others[i] ?? [], ([, seen]) => summary(seen))
    const seen = [...groups].map(([files, parsers]) => `${parsers.map(([parser]) => parser).join(', ')}: ${files}`)
    console.log(`${what} | ${verdicts[i]?.answer} ${verdicts[i]?.sha256?.slice(0, 6) ?? ''} | ${seen.join(' | ')}`)
  }
}

describe('forms', needs('go', 'php', 'python'), () => {
  before(async () => {
    service = await startScanService()
    key = await service.newKey()
    const reading = readWithOthers(FORMS)
    verdicts = []
    for (const form of FORMS) verdicts.push(await judge(form))
    others = await reading
    print()
  })
  after(() => service[Symbol.asyncDispose]())

  for (const [i, { what, answer }] of HOSTILE_FORMS.entries()) {
    test(`${what}: ${answer}`, () => {
      const verdict = verdicts[i] as Verdict
      const seen = verdict.sha256 === null ? [] : (others[i] as Sightings)
      for (const [parser, { files }] of seen) {
        const scanned = files.filter(({ sha256 }) => sha256 === verdict.sha256)
        assert.deepEqual(files, scanned.slice(0, 1), `${parser} sees another file than Docvet`)
        // It decides how some documents are opened, and judged.
        for (const { fileName } of files)
          assert.equal(path.extname(fileName), path.extname(verdict.fileName ?? ''), parser)
      }
      assert.equal(verdict.answer, answer)
    })
  }

  for (const [i, { what, unseenBy }] of CLIENT_FORMS.entries()) {
    test(`as sent by ${what}: every parser sees the file`, () => {
      const { answer, sha256 } = verdicts[HOSTILE_FORMS.length + i] as Verdict
      assert.equal(answer, 'clean')
      for (const [parser, { files }] of others[HOSTILE_FORMS.length + i] as Sightings) {
        if (unseenBy.includes(parser) && files.length === 0) continue
        assert.deepEqual(
          files.map((file) => [file.name, file.sha256]),
          [['file', sha256]],
          parser,
        )
      }
    })
  }

  test('the parsers see what Docvet would not', () => {
    const deceived = (parser: string) =>
      HOSTILE_FORMS.filter((_, i) => others[i]?.get(parser)?.files.some(({ sha256 }) => sha256 === HIDDEN_SHA256))
    for (const parser of ['busboy', 'php', 'go', 'email', 'werkzeug', 'django', 'aiohttp', 'python-multipart']) {
      assert.notEqual(deceived(parser).length, 0, parser)
    }
  })
})
