/** Tells DDE conversations that start programs from those that read data. */

import { findCommand } from '#inspect/commands/find.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { classifyTarget } from '#inspect/targets/targets.ts'
import { IMAGES, RUNNABLE } from '#inspect/windows/extensions.ts'
import { DDE_PROGRAMS } from '#inspect/windows/programs.ts'

/** `command`: starts a program. `remote`: reads a document on a server. `data`: reads a feed or a local document. */
type DdeKind = 'command' | 'remote' | 'data'

const IMAGE = anyCase`\.${IMAGES}$`
const OFFICE_PROGRAMS = /^(?:ms)?(?:excel|winword|word|msaccess|access|powerpnt|powerpoint|soffice)(?:\.\w+)*$/i
const PROGRAM_FILE = anyCase`\.${RUNNABLE}\b`

export function judgeDde(service: string, topic: string, item = ''): DdeKind {
  const name = (service.split(/[\\/]/).at(-1) ?? '').replace(IMAGE, '').trim()
  if (DDE_PROGRAMS.includes(name.toLowerCase())) return 'command'
  const rest = `${topic} ${item}`
  // A path to a program, also after a name that looks like one of Office.
  if (PROGRAM_FILE.test(service) || PROGRAM_FILE.test(rest)) return 'command'
  if (findCommand(`${service} ${rest}`) !== null || findCommand(rest) !== null) return 'command'
  return classifyTarget(topic).isRemote ? 'remote' : 'data'
}

export function isOfficeProgram(service: string): boolean {
  return OFFICE_PROGRAMS.test(service.trim())
}
