/** A client typed by the generated types: signs up, scans a clean and an infected document, and provokes a problem. */
import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './generated/api.d.ts'

type ScanResult = components['schemas']['ScanResult']
type Problem = components['schemas']['Problem']

const TEXT = 'Good morning'
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('-')

async function signUp(client: Client<paths>, email: string): Promise<string> {
  const { data, error } = await client.POST('/api/v1/signup', { body: { email } })
  if (error) throw new Error(`${error.code}: ${error.detail}`)
  return data.apiKey
}

async function scan(client: Client<paths>, content: string): Promise<ScanResult> {
  const { data, error } = await client.POST('/api/v1/scan', {
    // The types describe a file as a string; the serializer sends it as a file.
    body: { file: content },
    bodySerializer({ file }) {
      const form = new FormData()
      form.append('file', new Blob([file], { type: 'text/plain' }), 'document.txt')
      return form
    },
  })
  if (error) throw new Error(`${error.code}: ${error.detail}`)
  // Only with `Prefer: respond-async`.
  if ('state' in data) throw new Error('The scan was answered before its verdict')
  return data
}

/** Compiles only while both are closed lists of literals. */
const STATUS_TEXT: Record<ScanResult['status'], string> = { clean: 'Clean', infected: 'Infected' }
const isQuotaError = ({ code }: Problem): boolean => code === 'quota_exhausted'

export async function tryService(baseUrl: string, email: string) {
  const open = createClient<paths>({ baseUrl })
  const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': await signUp(open, email) } })
  const [clean, infected] = [await scan(client, TEXT), await scan(client, EICAR)]
  const { data: usage } = await client.GET('/api/v1/usage')
  const { error: problem, response } = await open.GET('/api/v1/usage')
  return {
    clean: [STATUS_TEXT[clean.status], clean.threat],
    infected: [STATUS_TEXT[infected.status], infected.threat],
    scansUsed: usage?.scansUsed,
    problem: problem && [problem.status, problem.code, isQuotaError(problem)],
    requestId: response.headers.get('X-Request-Id'),
  }
}
