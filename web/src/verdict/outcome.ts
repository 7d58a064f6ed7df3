import type { ScanReport } from '../api/schema.ts'

/** `test`: the EICAR test file, which is infected by name only. `none`: there is no verdict. */
export type Outcome = 'clean' | 'infected' | 'test' | 'none'

/** EICAR's rules allow 68 characters and white space up to this size. A larger file may hide more behind it. */
const TEST_FILE_BYTES_MAX = 128

export function outcomeOf({ status, threat, fileSize }: Pick<ScanReport, 'status' | 'threat' | 'fileSize'>): Outcome {
  if (status === null) return 'none'
  const isTest = status === 'infected' && fileSize <= TEST_FILE_BYTES_MAX && /eicar/i.test(threat ?? '')
  return isTest ? 'test' : status
}
