/** Express: stands after multer or express-fileupload, and lets only clean files through. */
import { rm } from 'node:fs/promises'
import { decide, type FileVerdict, type GateOptions, type Incoming, notAForm, type Upload } from './gate.ts'
import type { Docvet } from './index.ts'

export type { FileVerdict } from './gate.ts'

interface Request extends Incoming {
  readableDidRead?: boolean
  file?: unknown
  files?: unknown
  body?: unknown
  docvet?: FileVerdict[]
}

interface Response {
  status(code: number): unknown
  set(name: string, value: string): unknown
  send(body: string): unknown
}

/** As multer (`buffer`, `path`) and express-fileupload (`data`, `tempFilePath`) leave it. */
interface UploadedFile {
  originalname?: string
  name?: string
  buffer?: Uint8Array
  data?: Uint8Array
  path?: string
  tempFilePath?: string
}

/**
 * `app.post('/upload', upload.single('file'), requireClean(docvet), handler)`. A file that is not clean is answered with
 * 422, one without a verdict with 503, and temporary files are removed. `request.docvet` has the verdicts.
 */
export function requireClean(docvet: Docvet, options: GateOptions = {}) {
  return (request: Request, response: Response, next: (error?: unknown) => void): void => {
    check(docvet, options, request, response).then((passes) => passes && next(), next)
  }
}

async function check(docvet: Docvet, options: GateOptions, request: Request, response: Response): Promise<boolean> {
  // Before the parser it would see no file, and let all through.
  if (request.readableDidRead === false && /^multipart\//i.test(String(request.headers?.['content-type'])))
    throw new TypeError('Put requireClean behind multer or express-fileupload')
  const files = filesOf([request.file, request.files])
  const remove = () => Promise.all(files.map(({ path }) => (path === null ? null : rm(path, { force: true }))))
  try {
    const { verdicts, blocked: bad } = await decide(
      docvet,
      files.map(({ upload }) => upload()),
      options,
    )
    const blocked = bad ?? notAForm(request, request.body, options)
    request.docvet = verdicts
    if (blocked === null) return true
    await remove()
    response.status(blocked.status)
    response.set('Content-Type', 'application/problem+json')
    response.send(JSON.stringify(blocked.body))
    return false
  } catch (error) {
    await remove()
    throw error
  }
}

interface File {
  path: string | null
  upload(): Upload
}

/** Lists, fields of lists, and with `parseNested` of express-fileupload fields in fields, also in those of a file. */
function filesOf(value: unknown, isInFile = false, seen = new Set<unknown>()): File[] {
  if (value === undefined || value === null || seen.has(value)) return []
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) {
    if (isInFile) return []
    throw new TypeError('The files of the request are not from multer or express-fileupload')
  }
  seen.add(value)
  const isFile = isUploaded(value)
  const inner = Object.values(value).flatMap((each) => filesOf(each, isInFile || isFile, seen))
  return isFile ? [fileOf(value), ...inner] : inner
}

/** Nobody can name a field so that it has these types. */
const isUploaded = (value: object): boolean =>
  ('mv' in value && typeof value.mv === 'function') || ('fieldname' in value && typeof value.fieldname === 'string')

function fileOf({ originalname, name, buffer, data, path, tempFilePath }: UploadedFile): File {
  const temporary = path || tempFilePath || null
  return {
    path: temporary,
    upload() {
      const fileName = originalname ?? name ?? 'document'
      const input = temporary ?? buffer ?? data
      // A storage that this does not know must not pass for a request without files.
      if (input === undefined) throw new TypeError(`The file ${fileName} is neither in memory nor at a path`)
      return { fileName, input }
    },
  }
}
