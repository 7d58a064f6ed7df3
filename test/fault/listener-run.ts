/**
 * `npm run listener-fault [documents [seconds]]`: documents over the clamd port and ICAP, by their bytes and by libraries, while
 * workers, the clamd engine and the service itself are killed at random. Fails if a document that was not completely inspected
 * is taken for clean.
 */
import { runDocuments } from '#test/support/listener-fault.ts'
import { readArguments } from '../../scripts/arguments.ts'

const { positionals } = readArguments('npm run listener-fault [-- DOCUMENTS [SECONDS]]', { max: 2, numbers: 2 })
const [documents = 10_000, secondsMax = 1_800] = positionals.map(Number)
const tally = await runDocuments({ documents, secondsMax, log: console.log })
console.log(JSON.stringify(tally, null, 2))
process.exitCode = tally.wrong.length === 0 && tally.answers.ok > 0 ? 0 : 1
