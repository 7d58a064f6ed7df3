/** Effects of calls of Python, by the full name of the function. */

import { anyCase } from '#inspect/core/pattern.ts'
import { SHELL_CLASSES } from '#inspect/windows/classes.ts'

export interface PythonEffect {
  kind: 'start' | 'fetch' | 'memory' | 'code' | 'save' | 'call'
  /** The command, address or file; empty if it is not known. */
  text: string
  /** The call as it would be written plainly. */
  call: string
}

const START =
  /^(?:(?:os|nt|posix)\.(?:system|popen\w*|exec\w+|spawn\w+|posix_spawnp?|startfile)|subprocess\.(?:run|call|check_\w+|getoutput|getstatusoutput|Popen)|_winapi\.CreateProcess|asyncio\.(?:subprocess\.)?create_subprocess_\w+|pty\.spawn|commands\.get\w*output|popen2\.\w+|(?:win32api|win32com\.shell\.shell|shell)\.(?:ShellExecute\w*|WinExec)|win32process\.CreateProcess)$/
/** Their first argument does not say it all. */
const LISTS_ARGUMENTS = /\.(?:exec|spawn|posix_spawn|ShellExecute)\w*$/
const FETCH =
  /^(?:urllib2?\.(?:request\.)?(?:urlopen|urlretrieve|Request|build_opener|URLopener)|requests\.(?:get|post|put|request|Session)|http\.client\.HTTPS?Connection|httplib\.HTTPS?Connection|ftplib\.FTP\w*|smtplib\.SMTP\w*|socket\.(?:socket|create_connection))$/
const SAVES_ONLY = /\.urlretrieve$/
/** Services of LibreOffice and objects of Windows that start programs. */
const SHELL_SERVICE = anyCase`^(?:com\.sun\.star\.system\.SystemShellExecute$|${SHELL_CLASSES})`
const SHELL_CALL = anyCase`^(?:com\.sun\.star\.system\.SystemShellExecute\.execute|${SHELL_CLASSES}\S*\.(?:Run|Exec|ShellExecute|Open))$`
const CREATES = /(?:^|\.)(?:createInstance\w*|createUnoService|createObject|Dispatch\w*)$/i
const CODE = /^(?:exec|eval|compile|execfile|runpy\.run_\w+)$/
/** Calls that say something together with others. */
const TELLING = /^(?:os\.dup2|socket\.socket\(\)\.(?:connect|recv)|socket\.create_connection\(\)\.recv)$/

export const starts = (name: string): boolean => START.test(name) || SHELL_CALL.test(name)
export const takesAll = (name: string): boolean => LISTS_ARGUMENTS.test(name) || SHELL_CALL.test(name)
export const fetches = (name: string): boolean => FETCH.test(name)
/** Its result is what a server answered. */
export const answers = (name: string): boolean => FETCH.test(name) && !SAVES_ONLY.test(name)
export const hasEffect = (name: string): boolean => START.test(name) || FETCH.test(name) || CODE.test(name)
export const runsCode = (name: string): boolean => CODE.test(name)
export const isTelling = (name: string): boolean => TELLING.test(name)
export const usesMemory = (name: string): boolean => name.startsWith('ctypes.')
export const creates = (name: string): boolean => CREATES.test(name)
export const isShell = (service: string): boolean => SHELL_SERVICE.test(service)
