/** What clamd says about itself: its version, and the number and date of its signatures. */

export interface ClamdVersion {
  version: string
  signatures: string | null
  signaturesAt: Date | null
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/**
 * `ClamAV 1.4.6/27000/Mon Nov  2 08:00:00 2026`; without the official database only `ClamAV 1.4.6`.
 * The date is on the clock of clamd's machine and does not name its zone: it is taken as UTC, as servers run.
 */
export function readVersion(reply: Buffer): ClamdVersion | null {
  const match = /^ClamAV ([\w.+~-]{1,40})(?:\/(\d{1,10})\/([\w: ]{1,40}))?[\0\n]?$/.exec(reply.toString('latin1'))
  if (!match) return null
  const [, version = '', signatures = null, date = ''] = match
  return { version, signatures, signaturesAt: readDate(date) }
}

function readDate(text: string): Date | null {
  const match = /^\w{3} (\w{3}) +(\d{1,2}) (\d\d):(\d\d):(\d\d) (\d{4})$/.exec(text)
  const [, name = '', ...numbers] = match ?? []
  const month = MONTHS.indexOf(name)
  const [day = 0, hours = 0, minutes = 0, seconds = 0, year = 0] = numbers.map(Number)
  return month < 0 ? null : new Date(Date.UTC(year, month, day, hours, minutes, seconds))
}
