/** Programs that are sent as documents. */

/** As detection names them. */
const COMPILED = ['application/x-dosexec', 'application/x-elf', 'application/x-mach-binary']
const DETECTED_PROGRAMS = new Set([...COMPILED, 'application/x-ms-shortcut'])
const DOCUMENT_NAME =
  /\.(?:pdf|doc[xmb]?|dot[xm]?|xls[xmb]?|xlt[xm]?|ppt[xm]?|pps[xm]?|od[tspg]|rtf|one|msg|eml|txt|csv|md|html?|xml|svg|json)(?:[\s_.]*\.(?:exe|scr|com|pif|dll|cpl|lnk))?$/i
const DOCUMENT_TYPE =
  /^(?:text\/|message\/rfc822|application\/(?:pdf|rtf|msword|onenote|vnd\.ms-(?:excel|powerpoint|word|outlook)|vnd\.openxmlformats-officedocument|vnd\.oasis\.opendocument))/i

export interface Claim {
  fileName: string
  declaredType: string | null
}

/** Whether a program is sent as a document, by its name or its declared type. */
export function isDisguisedProgram(detectedType: string, { fileName, declaredType }: Claim): boolean {
  if (!DETECTED_PROGRAMS.has(detectedType)) return false
  return DOCUMENT_NAME.test(fileName.trim()) || DOCUMENT_TYPE.test(declaredType ?? '')
}

export const isCompiledProgram = (detectedType: string): boolean => COMPILED.includes(detectedType)
