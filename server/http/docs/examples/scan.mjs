// Usage: DOCVET_KEY=dv_live_… node scan.mjs FILE. Exit code: 0 clean, 1 infected, 2 no verdict. Node 20 or newer.
import { openAsBlob } from 'node:fs'
import { basename } from 'node:path'

async function scan(path) {
  const body = new FormData()
  body.append('file', await openAsBlob(path), basename(path))
  const response = await fetch('http://127.0.0.1:8080/api/v1/scan', {
    method: 'POST',
    headers: { 'X-API-Key': process.env.DOCVET_KEY },
    body,
    signal: AbortSignal.timeout(60_000),
  })
  const result = await response.json()
  if (response.ok) return result
  // 422: encrypted, damaged or too complex. 429 and 503: send it again after `Retry-After` seconds.
  throw new Error(`no verdict: ${result.code}: ${result.detail}`)
}

try {
  const { status, threat } = await scan(process.argv[2])
  console.log(status === 'clean' ? 'clean' : `infected: ${threat}`)
  process.exitCode = status === 'clean' ? 0 : 1
} catch (error) {
  console.error(error.message)
  process.exitCode = 2
}
