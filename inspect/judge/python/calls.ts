/** What calls of Python do, by the full name of the function. */

import { textOf, type Value } from './values.ts'

export interface PythonEffect {
  kind: 'start' | 'fetch' | 'memory' | 'code'
  /** The command or address; empty if it is not known. */
  text: string
}

const START =
  /^(?:(?:os|nt|posix)\.(?:system|popen\w*|exec\w+|spawn\w+|posix_spawnp?|startfile)|subprocess\.(?:run|call|check_\w+|getoutput|getstatusoutput|Popen)|_winapi\.CreateProcess|asyncio\.(?:subprocess\.)?create_subprocess_\w+|pty\.spawn|commands\.get\w*output|popen2\.\w+|(?:win32api|win32com\.shell\.shell|shell)\.(?:ShellExecute\w*|WinExec)|win32process\.CreateProcess)$/
const FETCH =
  /^(?:urllib2?\.(?:request\.)?(?:urlopen|urlretrieve|Request|build_opener|URLopener)|requests\.(?:get|post|put|request|Session)|http\.client\.HTTPS?Connection|httplib\.HTTPS?Connection|ftplib\.FTP\w*|smtplib\.SMTP\w*|socket\.(?:socket|create_connection))$/
/** Services of LibreOffice and objects of Windows that start programs. */
const SHELL_SERVICE = /^(?:com\.sun\.star\.system\.SystemShellExecute$|WScript\.Shell|Shell\.Application)/i
const SHELL_CALL =
  /^(?:com\.sun\.star\.system\.SystemShellExecute\.execute|(?:WScript\.Shell|Shell\.Application)\S*\.(?:Run|Exec|ShellExecute|Open))$/i
const CREATES = /(?:^|\.)(?:createInstance\w*|createUnoService|createObject|Dispatch\w*)$/i

export const starts = (name: string): boolean => START.test(name)
export const hasEffect = (name: string): boolean => START.test(name) || FETCH.test(name)

/** null: nothing that matters. */
export function effectOf(name: string, given: readonly Value[]): PythonEffect | null {
  if (START.test(name)) return { kind: 'start', text: textOf(given[0]) ?? '' }
  if (SHELL_CALL.test(name)) return { kind: 'start', text: given.map(textOf).filter(Boolean).join(' ') }
  if (FETCH.test(name)) return { kind: 'fetch', text: given.map(textOf).find((each) => each !== null) ?? '' }
  return name.startsWith('ctypes.') ? { kind: 'memory', text: '' } : null
}

/** The service or object that the call creates; null: none. */
export function createdService(name: string, given: readonly Value[]): string | null {
  if (!CREATES.test(name)) return null
  return given.map(textOf).find((each) => each?.includes('.')) ?? null
}

export const isShell = (service: string): boolean => SHELL_SERVICE.test(service)
