/** Interpreters of languages: a script in a file is everyday, code in the arguments is not. */

import { isLoose, isOption, isPersonal } from '#inspect/commands/parse.ts'
import { pattern } from '#inspect/core/pattern.ts'
import { SHELLS } from '#inspect/windows/programs.ts'
import { type Grade, type GradeArguments, HOSTILE, isPlainValue, named } from './grades.ts'

/** In the arguments of an interpreter: what readers of xlwings and similar tools do not need. */
const HOSTILE_CODE = pattern`\b(?:exec\w*|eval|compile|__import__|importlib|getattr|base64|b64\w*|zlib|fromhex|marshal|url\w*|requests|https?|socket|ftplib|subprocess|popen|system|spawn\w*|child_process|require|ctypes|winreg|curl|wget|fetch|invoke\w*|open-uri|download\w*|file_get_contents|shell_exec|passthru|chr|fromcharcode|atob|start|calc|${SHELLS})\b|:\/\/|\x60|\$\(|["'] ?\+`
const gradeCode = (code: string): Grade => (HOSTILE_CODE.test(code) ? 'hostile' : 'script')

interface Interpreter {
  /** Are followed by code. */
  code: RegExp
  /** Do not change what is run. */
  options: RegExp
  /** Extensions of its scripts. */
  script: RegExp
  /** If the script is where scripts are kept. */
  grade: Grade
}

/** A script in a file, not a command. */
const interpreter =
  ({ code, options, script, grade }: Interpreter): GradeArguments =>
  (args) => {
    if (args.some((argument) => HOSTILE.test(argument))) return 'hostile'
    const at = args.findIndex((argument) => !options.test(argument))
    const first = args[at] ?? ''
    if (code.test(first)) return gradeCode(args.slice(at + 1).join(' '))
    if (isOption(first) || !script.test(first) || !isPlainValue(first)) return 'script'
    if (isLoose(first) && !isPersonal(first)) return null
    const isPlain = args.slice(at + 1).every((argument) => isOption(argument) || isPlainValue(argument))
    return isPersonal(first) || first.startsWith('\\\\') || !isPlain ? 'script' : grade
  }

const NEVER = /(?!)/
const PYTHON: Interpreter = {
  code: /^-[bdeiioqsuvx]*c$/,
  options: /^-(?:[bdeiioqsuvx]+|\d(?:\.\d+)?)$/,
  script: /\.pyw?$/,
  grade: 'ordinary',
}
export const INTERPRETERS: readonly (readonly [string, GradeArguments])[] = [
  ...named('python python3 pythonw py', interpreter(PYTHON)),
  ...named(
    'node nodejs deno bun',
    interpreter({
      ...PYTHON,
      code: /^-(?:e|p|pe|-eval|-print)$|^eval$/,
      options: /^--(?:no-warnings|trace-\w+)$/,
      script: /\.[mc]?js$/,
    }),
  ),
  ...named(
    'java javaw',
    interpreter({
      ...PYTHON,
      code: NEVER,
      options: /^-(?:xm[sx]\w+|xss\w+|d[\w.]+=[^\\/]*|jar|server)$/,
      script: /\.jar$/,
    }),
  ),
  ...named('perl', interpreter({ ...PYTHON, code: /^-[a-z]*e$/, options: /^-w$/, script: /\.pl$/ })),
  ...named('php', interpreter({ ...PYTHON, code: /^-[rbe]$/, options: /^-(?:f|q|n)$/, script: /\.php$/ })),
  ...named('ruby', interpreter({ ...PYTHON, code: /^-[a-z]*e$/, options: /^-w$/, script: /\.rb$/ })),
  ...named(
    'rscript',
    interpreter({ ...PYTHON, code: /^-e$/, options: /^--(?:vanilla|no-\w+|slave)$/, script: /\.r$/ }),
  ),
  ...named('r rterm', interpreter({ ...PYTHON, code: /^-e$/, options: NEVER, script: NEVER })),
  ...named('dotnet', interpreter({ ...PYTHON, code: NEVER, options: /^exec$/, script: /\.dll$/ })),
  ...named(
    'matlab',
    interpreter({
      ...PYTHON,
      code: /^-(?:r|batch)$/,
      options: /^-(?:nosplash|nodesktop|wait|minimize|nojvm)$/,
      script: NEVER,
    }),
  ),
  ...named(
    'bash sh zsh dash ksh wsl',
    interpreter({ code: /^-(?:\w*c|e|-exec)$/, options: /^-(?:l|-login)$/, script: /\.sh$/, grade: 'script' }),
  ),
]
