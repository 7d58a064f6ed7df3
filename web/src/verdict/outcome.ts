import type { ScanReport } from '../api/schema.ts'

/** `test`: the EICAR test file, which is infected by name only. `none`: there is no verdict. `open`: not yet. */
export type Outcome = 'clean' | 'infected' | 'test' | 'none' | 'open'

/** EICAR's rules allow 68 characters and white space up to this size. A larger file may hide more behind it. */
const TEST_FILE_BYTES_MAX = 128

/** A result, unlike a report, always has a verdict. */
type Judged = Pick<ScanReport, 'status' | 'threat' | 'fileSize'> & Partial<Pick<ScanReport, 'state'>>

export function outcomeOf({ status, threat, fileSize, state }: Judged): Outcome {
  if (status === null) return state === 'queued' || state === 'running' ? 'open' : 'none'
  const isTest = status === 'infected' && fileSize <= TEST_FILE_BYTES_MAX && /eicar/i.test(threat ?? '')
  return isTest ? 'test' : status
}
