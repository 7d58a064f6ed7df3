/**
 * `npm run listener-fault [streams [seconds]]`: streams over the clamd port while workers, the clamd engine and the service
 * itself are killed at random. Fails if a document that was not completely inspected is answered with OK.
 */
import { runStreams } from '#test/support/listener-fault.ts'

const [streams = '10000', seconds = '1800'] = process.argv.slice(2)
const tally = await runStreams({ streams: Number(streams), secondsMax: Number(seconds), log: console.log })
console.log(JSON.stringify(tally, null, 2))
process.exitCode = tally.wrong.length === 0 && tally.ok > 0 ? 0 : 1
