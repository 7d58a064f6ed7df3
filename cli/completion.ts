/** Completions for shells, from the declarations of the commands. */
import { COMMANDS, COMPLETION, type Command, type Option, SHELLS } from './commands.ts'
import { helpOf, parse, UsageError } from './usage.ts'

type Shell = (typeof SHELLS)[number]

const NAMES = [...COMMANDS.map(({ name }) => name), 'help']

export function runCompletion(args: readonly string[]): number {
  const given = parse(COMPLETION, args)
  const isHelp = given.is('help')
  const shell = SHELLS.find((each) => each === given.positionals[0])
  if (!isHelp && (shell === undefined || given.positionals.length > 1)) throw new UsageError('Name bash, zsh or fish.')
  process.stdout.write(isHelp ? helpOf(COMPLETION) : SCRIPTS[shell as Shell]())
  return 0
}

const SCRIPTS: Record<Shell, () => string> = { bash, zsh, fish }

const spellings = ({ name, short }: Option): string[] => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]

/** What to complete with, for bash's `compgen`. */
function generator(completes: Command['completes'] | Option['completes'], choices?: readonly string[]): string {
  const words = choices ?? (Array.isArray(completes) ? completes : null)
  if (words !== null) return `-W '${words.join(' ')}'`
  return completes === 'folder' ? '-d' : '-f'
}

function bash(): string {
  const values = COMMANDS.flatMap(({ name, options }) =>
    options
      .filter(({ value }) => value !== undefined)
      .map((option) => `    ${name}:--${option.name}) how=(${generator(option.completes, option.choices)}) ;;`),
  )
  const others = COMMANDS.map(({ name, options, completes }) => {
    const words = options.flatMap(spellings).join(' ')
    return `    ${name}) if [[ $word == -* ]]; then how=(-W '${words}'); else how=(${generator(completes)}); fi ;;`
  })
  return `# Completions of docvet for bash.
_docvet() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]} before=\${COMP_WORDS[COMP_CWORD-1]} how=()
  COMPREPLY=()
  if [[ $COMP_CWORD -eq 1 ]]; then how=(-W '${NAMES.join(' ')}'); else case $command:$before in
${values.join('\n')}
    *) case $command in
${others.join('\n')}
    esac ;;
  esac; fi
  [[ \${#how[@]} -eq 0 ]] && return
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "\${how[@]}" -- "$word")
}
complete -o filenames -F _docvet docvet
`
}

const quoted = (text: string): string => text.replaceAll("'", "'\\''")
/** Colons and brackets have a meaning in zsh's specifications. */
const plain = (text: string): string => quoted(text).replaceAll(/[[\]:]/g, '\\$&')

function zshAction(completes: Command['completes'] | Option['completes'], choices?: readonly string[]): string {
  const words = choices ?? (Array.isArray(completes) ? completes : null)
  if (words !== null) return `(${words.join(' ')})`
  return completes === 'folder' ? '_files -/' : completes === 'file' ? '_files' : ' '
}

function zsh(): string {
  const cases = COMMANDS.map(({ name, options, completes }) => {
    const specs = options.map((option) => {
      const value = option.value === undefined ? '' : `:${option.value}:${zshAction(option.completes, option.choices)}`
      return `'${option.many ? '*' : ''}--${option.name}[${plain(option.help)}]${value}'`
    })
    return `    ${name}) _arguments ${[...specs, `'*:argument:${zshAction(completes)}'`].join(' \\\n      ')} ;;`
  })
  const names = COMMANDS.map(({ name, about }) => `'${name}:${plain(about)}'`)
  return `#compdef docvet
# Completions of docvet for zsh.
_docvet() {
  local -a commands=(${names.join(' ')})
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
_docvet "$@"
`
}

function fish(): string {
  const isNone = `'not __fish_seen_subcommand_from ${NAMES.join(' ')}'`
  const lines = COMMANDS.flatMap(({ name, about, options, completes }) => {
    const isSeen = `'__fish_seen_subcommand_from ${name}'`
    const words = Array.isArray(completes) ? ` -fa '${completes.join(' ')}'` : ''
    return [
      `complete -c docvet -n ${isNone} -fa ${name} -d '${quoted(about)}'`,
      ...(words === '' ? [] : [`complete -c docvet -n ${isSeen}${words}`]),
      ...options.map((option) => {
        const short = option.short === undefined ? '' : ` -s ${option.short}`
        const choices = option.choices === undefined ? '' : ` -fa '${option.choices.join(' ')}'`
        const value = option.value === undefined ? '' : ` -r${choices}`
        return `complete -c docvet -n ${isSeen} -l ${option.name}${short}${value} -d '${quoted(option.help)}'`
      }),
    ]
  })
  return `# Completions of docvet for fish.\n${lines.join('\n')}\n`
}
