/** Web requests: route handlers of Next, Hono, h3, SvelteKit and others that know `Request` and `FormData`. */
import { type Blocked, decide, type FileVerdict, type GateOptions, isForm, NO_FORM } from './gate.ts'
import type { Docvet } from './index.ts'

export type { FileVerdict } from './gate.ts'

export type Checked =
  | { form: FormData; verdicts: FileVerdict[]; response: null }
  /** Return this response: a file is not clean (422), or there is no verdict (503). */
  | { form: null; verdicts: FileVerdict[]; response: Response }

/** Reads the form of a request and scans all of its files. Pass the form instead where the request was read already. */
export async function requireClean(
  docvet: Docvet,
  request: Request | FormData,
  options: Omit<GateOptions, 'otherBodies'> = {},
): Promise<Checked> {
  if (request instanceof Request && !isForm(request.headers.get('Content-Type') ?? '')) return refused(NO_FORM)
  const form = request instanceof Request ? await formOf(request) : request
  if (form === null) return refused(MALFORMED)
  const files = [...form.values()].filter((value): value is File => typeof value !== 'string')
  // An input of a form without a chosen file is an empty file without a name.
  const chosen = files.filter(({ name, size }) => name !== '' || size > 0)
  const { verdicts, blocked } = await decide(
    docvet,
    chosen.map((file) => ({ fileName: file.name, input: file })),
    options,
  )
  if (blocked === null) return { form, verdicts, response: null }
  return refused(blocked, verdicts)
}

const MALFORMED: Blocked = {
  status: 400,
  body: { status: 400, title: 'Malformed form', code: 'malformed_multipart', detail: 'The form cannot be read.' },
}

/** Null where the sender is at fault. */
async function formOf(request: Request): Promise<FormData | null> {
  if (request.bodyUsed) throw new TypeError('Pass the form to requireClean, because the request was read already')
  return await request.formData().catch(() => null)
}

function refused({ status, body }: Blocked, verdicts: FileVerdict[] = []): Checked {
  const headers = { 'Content-Type': 'application/problem+json' }
  return { form: null, verdicts, response: new Response(JSON.stringify(body), { status, headers }) }
}
