/** Preloaded into a process: moves its wall clock by the milliseconds in the file CLOCK_FILE, read again at SIGUSR2. */
import crypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const RealDate = Date
let offsetMs = 0
const read = () => {
  offsetMs = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'))
}
read()
process.on('SIGUSR2', read)

const now = () => RealDate.now() + offsetMs

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given, newTarget) => Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

const { randomUUIDv7 } = crypto
crypto.randomUUIDv7 = (options) => {
  const time = now().toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}${randomUUIDv7(options).slice(13)}` as ReturnType<typeof randomUUIDv7>
}
syncBuiltinESMExports()
