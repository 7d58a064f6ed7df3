/** Which of very many texts of a program are kept, where it is not known which one is started. */

import { anyCase } from '#inspect/core/pattern.ts'
import { FETCHING, RUNNING } from '#inspect/windows/powershell.ts'
import { DOWNLOADERS, PROXIES, RUNNERS, UNIX_SHELLS } from '#inspect/windows/programs.ts'

/** Addresses, and names of programs that fetch or run something. Others are texts for the user. */
const TELLING = anyCase`https?:|ftp:|\\\\|/dev/tcp|(?<!\w)(?:${RUNNERS}|${PROXIES}|${DOWNLOADERS}|${RUNNING}|${FETCHING}|${UNIX_SHELLS}|python\d?|perl|nc|ncat|base64)(?!\w)`

export function isTellingText(text: string): boolean {
  return TELLING.test(text)
}
