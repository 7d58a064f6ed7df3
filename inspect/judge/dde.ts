/** Tells DDE conversations that start programs from those that read data. */

import { findCommand } from './commands.ts'
import { classifyTarget } from './targets.ts'

/** `command`: starts a program. `remote`: reads a document on a server. `data`: reads a feed or a local document. */
type DdeKind = 'command' | 'remote' | 'data'

/** Programs that run any command. A data feed has a name of its own. */
export const DDE_PROGRAMS =
  `cmd command powershell pwsh mshta rundll32 regsvr32 certutil wscript cscript msiexec bitsadmin curl wmic explorer
  conhost forfiles hh msbuild installutil cmstp bash sh wsl scrcons schtasks reg control pcalua odbcconf ftp finger calc notepad
  msdt`.split(/\s+/)
const INTERPRETERS: ReadonlySet<string> = new Set(DDE_PROGRAMS)
const OFFICE_PROGRAMS = /^(?:ms)?(?:excel|winword|word|msaccess|access|powerpnt|powerpoint|soffice)(?:\.\w+)*$/i
const PROGRAM_FILE = /\.(?:exe|com|scr|bat|cmd|pif|hta|js|vbs|ps1|wsf|dll|cpl)\b/i

export function judgeDde(service: string, topic: string, item = ''): DdeKind {
  const name = (service.split(/[\\/]/).at(-1) ?? '').replace(/\.(?:exe|com)$/i, '').trim()
  if (INTERPRETERS.has(name.toLowerCase())) return 'command'
  const rest = `${topic} ${item}`
  // A path to a program, also after a name that looks like one of Office.
  if (PROGRAM_FILE.test(service) || PROGRAM_FILE.test(rest)) return 'command'
  if (findCommand(`${service} ${rest}`) !== null || findCommand(rest) !== null) return 'command'
  return classifyTarget(topic).isRemote ? 'remote' : 'data'
}

export function isOfficeProgram(service: string): boolean {
  return OFFICE_PROGRAMS.test(service.trim())
}
