// Usage: npm install @docvet/client, then DOCVET_KEY=dv_live_… node client.mjs FILE. Exit code: 0 clean, 1 infected, 2 no verdict.
import { Docvet } from '@docvet/client'

const docvet = new Docvet({ url: 'http://127.0.0.1:8080' })
try {
  const { status, threat, reason } = await docvet.scan(process.argv[2])
  console.log({ clean: 'clean', infected: `infected: ${threat}`, refused: `no verdict: ${reason}` }[status])
  process.exitCode = { clean: 0, infected: 1, refused: 2 }[status]
} catch (error) {
  console.error(`no verdict: ${error.code}: ${error.message}`)
  process.exitCode = 2
}
