/** The reply to VERSION: engine, number of the signatures, and their date. */

export interface EngineVersion {
  name: string
  version: string | null
  signatures: string | null
  signaturesAt: string | null
}

/** The level of the protocol, where no clamd is asked. */
const LEVEL = '1.4.0'
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
/** Serials count minutes from here, so that they stay short. */
const EPOCH_MS = Date.UTC(2020, 0, 1)
const MINUTE_MS = 60_000

/** As ctime prints it, in UTC. */
function ctime(date: Date): string {
  const time = date.toISOString().slice(11, 19)
  const day = String(date.getUTCDate()).padStart(2)
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`
}

export function createVersion(engines: () => readonly EngineVersion[]) {
  let serial = 0
  let known = ''

  /** Grows whenever rules change, also if their date does not. */
  function serialOf(signatures: string, date: Date): number {
    const byDate = Math.max(1, Math.floor((date.getTime() - EPOCH_MS) / MINUTE_MS))
    if (signatures !== known) serial = Math.max(byDate, serial + 1)
    known = signatures
    return serial
  }

  return (): string => {
    const found = engines()
    const clamd = found.find(({ name }) => name === 'clamd')
    const date = (at: string | null | undefined) => new Date(at ?? EPOCH_MS)
    if (clamd?.version && clamd.signatures) {
      return `ClamAV ${clamd.version}/${clamd.signatures}/${ctime(date(clamd.signaturesAt))}`
    }
    const [own] = found
    const changedAt = date(own?.signaturesAt)
    return `ClamAV ${LEVEL}/${serialOf(own?.signatures ?? '', changedAt)}/${ctime(changedAt)}`
  }
}
