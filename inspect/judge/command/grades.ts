/** How commands are graded, and what is never everyday in their arguments. */

/**
 * `ordinary`: a tool or a program of its own. `script`: a script, program or option whose effect the command does not show.
 * `hostile`: runs code or programs in a way that nobody needs.
 */
export type Grade = 'ordinary' | 'script' | 'hostile'
export type GradeArguments = (args: readonly string[]) => Grade | null

/** Options and values of any tool that run something else. */
export const HOSTILE =
  /proxycommand|localcommand|knownhostscommand|checkpoint-action|to-command|use-compress-program|rsh-command|info-script|unzip-command|upload-pack|receive-pack|ext-diff|sshcommand|launcher|cmd-prefix|load-extension|remote-debugging|onoutofmemoryerror|onerror=|javaagent|xp_cmdshell|from program|%pipe%|^(?:macro|script|javascript|vbscript|shell|ms-\w+|search-ms):|^\\!|!!|^!/

/** A path, a name or a number: no address, and no code. */
export const isPlainValue = (value: string): boolean =>
  !/^[a-z][a-z0-9+.-]+:(?!\\)|:\/\/|[;`$<>|{}]|\w\(|^\/\//.test(value) && !hasStream(value)

/** `file.txt:stream`, which does not appear in a folder. */
export const hasStream = (path: string): boolean => /[^\\/]{2}:[^\\/=]/.test(path) && /\\|\.\w{1,4}:/.test(path)

export const named = (names: string, grade: GradeArguments): (readonly [string, GradeArguments])[] =>
  names.split(/\s+/).map((name) => [name, grade])
