/**
 * `npm run listener-fault [documents [seconds]]`: documents over the clamd port and ICAP, by their bytes and by libraries, while
 * workers, the clamd engine and the service itself are killed at random. Fails if a document that was not completely inspected
 * is taken for clean.
 */
import { runDocuments } from '#test/support/listener-fault.ts'

const [documents = '10000', seconds = '1800'] = process.argv.slice(2)
const tally = await runDocuments({ documents: Number(documents), secondsMax: Number(seconds), log: console.log })
console.log(JSON.stringify(tally, null, 2))
process.exitCode = tally.wrong.length === 0 && tally.answers.ok > 0 ? 0 : 1
