/** Web requests: route handlers of Next, Hono, h3, SvelteKit and others that know `Request` and `FormData`. */
import { decide, type FileVerdict, type GateOptions } from './gate.ts'
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
  options: GateOptions = {},
): Promise<Checked> {
  const form = request instanceof FormData ? request : await request.formData()
  const files = [...form.values()].filter((value): value is File => typeof value !== 'string')
  // An input of a form without a chosen file is an empty file without a name.
  const chosen = files.filter(({ name, size }) => name !== '' || size > 0)
  const { verdicts, blocked } = await decide(
    docvet,
    chosen.map((file) => ({ fileName: file.name, input: file })),
    options,
  )
  if (blocked === null) return { form, verdicts, response: null }
  const headers = { 'Content-Type': 'application/problem+json' }
  return {
    form: null,
    verdicts,
    response: new Response(JSON.stringify(blocked.body), { status: blocked.status, headers }),
  }
}
