/** Which of very many texts of a program are kept, where it is not known which one is started. */

/** Addresses, and names of programs that fetch or run something. Others are texts for the user. */
const TELLING =
  /https?:|ftp:|\\\\|\/dev\/tcp|(?<!\w)(?:cmd|powershell|pwsh|iex|iwr|irm|mshta|curl|wget|certutil|bitsadmin|rundll32|regsvr32|[cw]script|msiexec|wmic|schtasks|python\d?|perl|nc|ncat|base64|(?:ba|z|da|k)?sh)(?!\w)/i

export function isTellingText(text: string): boolean {
  return TELLING.test(text)
}
