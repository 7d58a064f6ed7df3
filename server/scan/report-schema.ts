/** Schemas of scan reports. */
import { Type } from 'typebox'
import { STORED_TEXT } from '#base/stored-text.ts'
import { ScanResponse } from './schema.ts'

const LIMIT_MAX = 100
/** The `uuid` format also accepts the longer form `urn:uuid:…`. */
const UUID_LENGTH = 36
const CURSOR_LENGTH_MAX = 200
const THREAT_LENGTH_MAX = 200
const NAME_LENGTH_MAX = 200
const STATES = ['queued', 'running', 'done', 'refused', 'failed'] as const
export type ScanState = (typeof STATES)[number]
const SCAN_ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'
const SHA256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f'

const orNull = (type: Type.TSchema, description: string, example: unknown) =>
  Type.Union([type, Type.Null()], { description, examples: [example] })

const stringOrNull = (description: string, example: unknown) =>
  Type.Union([Type.String(), Type.Null()], { description, examples: [example] })

const id = (description: string) =>
  Type.String({ format: 'uuid', maxLength: UUID_LENGTH, description, examples: [SCAN_ID] })

export const ScanParams = Type.Object({ scanId: id('The `scanId` of the scan.') })

const time = (description: string, example: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: [example] }))

export const ScansQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        description: `Scans per response, 1 to ${LIMIT_MAX}. Default: 50.`,
        examples: [20],
      }),
    ),
    cursor: Type.Optional(
      Type.String({
        maxLength: CURSOR_LENGTH_MAX,
        description: 'The `nextCursor` of the previous response, with the same filters.',
        examples: ['MDE5YThiMWMtN2Y0ZS03YzNhLTlkMmItNWU2ZjcwODE5MjAz'],
      }),
    ),
    status: Type.Optional(
      Type.Enum(['clean', 'infected', 'refused'], {
        type: 'string',
        description: 'Only this verdict. `refused`: only documents that got none.',
        examples: ['infected'],
      }),
    ),
    state: Type.Optional(
      Type.Enum([...STATES], { type: 'string', description: 'Only scans in this state.', examples: ['failed'] }),
    ),
    keyId: Type.Optional(id('Only scans of the API key with this id.')),
    from: time('Only scans at this time or later. A date means its beginning in UTC.', '2026-11-01T00:00:00Z'),
    to: time('Only scans before this time. A date means its end in UTC: the day is included.', '2026-12-01T00:00:00Z'),
    threat: Type.Optional(
      Type.String({
        ...STORED_TEXT,
        minLength: 1,
        maxLength: THREAT_LENGTH_MAX,
        description: 'Only scans that found this threat.',
        examples: ['Docvet.Test.Eicar'],
      }),
    ),
    name: Type.Optional(
      Type.String({
        ...STORED_TEXT,
        minLength: 1,
        maxLength: NAME_LENGTH_MAX,
        description: 'Only documents whose name contains this text, in any case.',
        examples: ['invoice'],
      }),
    ),
    sha256: Type.Optional(
      Type.String({
        pattern: '^[0-9A-Fa-f]{64}$',
        'x-form': 'a SHA-256 in hexadecimal',
        description: 'Only scans of the document with this SHA-256.',
        examples: [SHA256],
      }),
    ),
  },
  { additionalProperties: false },
)

const ReportEngine = Type.Object(
  {
    name: Type.String({ examples: ['embedded'] }),
    version: orNull(Type.String(), 'The version of the engine at the time of the scan.', '1.0.0'),
    signatures: orNull(Type.String(), 'The version or number of its signatures.', '27000'),
    ms: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
      description:
        'Milliseconds from the last byte of the document to its report. Null: another engine found a threat first, or the report is older than this field.',
      examples: [12],
    }),
  },
  { title: 'ReportEngine' },
)

export const ReportFinding = Type.Object(
  {
    id: Type.String({ description: 'A stable name.', examples: ['Docvet.Test.Eicar'] }),
    severity: Type.Enum(['malicious', 'suspicious', 'notice'], {
      type: 'string',
      title: 'FindingSeverity',
      description:
        '`malicious`: the document is infected. `suspicious`: infected only if the service is set to strict. `notice`: for information; clean documents have it as well.',
      examples: ['malicious'],
    }),
    title: Type.String({ examples: ['EICAR test file'] }),
    reason: Type.String({
      description: 'What was recognised.',
      examples: ['The document contains the EICAR test string.'],
    }),
    effect: stringOrNull(
      'What the document would have done when opened, in plain words. Null for a notice.',
      'Nothing. It contains the harmless EICAR test file, which shows that a virus scanner works.',
    ),
    technique: stringOrNull('The MITRE ATT&CK or ATLAS technique, where one applies.', 'T1204.002'),
    path: Type.Array(Type.String(), {
      description: 'The names of the archive members that lead to it. Empty: the document itself.',
      examples: [['invoices.zip', 'march.txt']],
    }),
    detail: stringOrNull('What distinguishes this occurrence, such as the host of a link.', null),
    engine: stringOrNull('The engine that found it. Null in old reports.', 'embedded'),
    article: stringOrNull(
      'The page that explains the finding; null if there is none.',
      'https://docvet.example/findings/Docvet.Test.Eicar',
    ),
  },
  { title: 'ReportFinding' },
)

const ScanProblem = Type.Object(
  {
    code: Type.String({ examples: ['encrypted_document'] }),
    status: Type.Integer({ description: 'The HTTP status that belongs to it.', examples: [422] }),
    title: Type.String({ examples: ['Encrypted document'] }),
    detail: stringOrNull(
      'What was wrong, for this scan. Null if `title` says it all.',
      'The document could not be fetched: status 5xx.',
    ),
  },
  { title: 'ScanProblem' },
)

const { scanId, threat, fileSize, contentType, scannedAt, status } = ScanResponse.properties

export const ScanReport = Type.Object(
  {
    scanId: Type.String({ ...scanId, examples: [SCAN_ID] }),
    status: Type.Union([Type.Unsafe<'clean' | 'infected'>(status), Type.Null()], {
      description:
        'The verdict. Null: the document was refused and was not fully scanned, or the scan has not ended or failed.',
      examples: ['infected'],
    }),
    state: Type.Enum([...STATES], {
      type: 'string',
      title: 'ScanState',
      description:
        '`queued` and `running`: not ended, ask again. `done`: `status` is the verdict. `refused`: the document has none, see `obstacle`. `failed`: nothing is known about the document, send it again.',
      examples: ['done'],
    }),
    problem: Type.Union([ScanProblem, Type.Null()], { description: 'Why it was refused or failed. Null otherwise.' }),
    reference: stringOrNull('As sent with the document.', 'upload-4711'),
    threat: { ...threat, examples: ['Docvet.Test.Eicar'] },
    fileName: orNull(
      Type.String(),
      'The reported name. Null in reports older than this field, and if the request was refused before it was read.',
      'invoice.txt',
    ),
    fileSize: {
      ...fileSize,
      description: 'Size in bytes. If the document was refused before it was read: the length of the request.',
      examples: [68],
    },
    contentType: { ...contentType, examples: ['text/plain'] },
    scannedAt: { ...scannedAt, examples: ['2026-11-15T09:30:00.000Z'] },
    obstacle: orNull(
      Type.Enum(['encrypted', 'too_complex', 'damaged', 'unsupported', 'empty', 'too_large'], {
        type: 'string',
        title: 'ScanObstacle',
      }),
      'Why the document has no verdict: it was refused with 422, or as `unsupported` with 415, `empty` with 400 or `too_large` with 413. Of the last three, at most 100 are listed for each day. Null with a verdict.',
      null,
    ),
    keyId: Type.String({ format: 'uuid', description: 'The API key that was charged.', examples: [SCAN_ID] }),
    sha256: stringOrNull('Null if the document was refused before it was read.', SHA256),
    detectedType: stringOrNull(
      'The content type by content. Null if the document was refused before it was read.',
      'text/plain',
    ),
    durationMs: Type.Integer({ minimum: 0, description: 'From the first byte to the verdict.', examples: [41] }),
    engines: Type.Array(ReportEngine, { description: 'The engines that scanned it.' }),
    findings: Type.Array(ReportFinding, {
      description:
        'The worst first, at most 20. A clean document may have notices and, unless strict, suspicious ones.',
    }),
  },
  { title: 'ScanReport', description: 'A scan, or a document that was refused.' },
)

export const ScanList = Type.Object(
  {
    items: Type.Array(ScanReport, { description: 'Newest first.' }),
    nextCursor: orNull(Type.String(), 'For the next page; null on the last one.', null),
  },
  { title: 'ScanList', description: 'A page of scans.' },
)
