/** Files with a `NAME=value` per line, as systemd and Docker Compose read them. */

const LINE = /^\s*(?:export\s+)?(?<name>[A-Za-z_]\w*)\s*=(?<value>.*)$/
const SINGLE_QUOTED = /^'([^']*)'$/
const DOUBLE_QUOTED = /^"([^"\\$`]*)"$/
/** In these, the service would get another value from systemd than from Docker or a shell. */
const AMBIGUOUS = /["'`\\$#]/

function readValue(text: string): string | null {
  const quoted = SINGLE_QUOTED.exec(text) ?? DOUBLE_QUOTED.exec(text)
  if (quoted) return quoted[1] ?? ''
  return AMBIGUOUS.test(text) ? null : text
}

/** Throws with the number of the line, never with its text, which may be a secret. */
export function parseEnvFile(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [index, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    if (/^\s*(?:[#;]|$)/.test(line)) continue
    const { name, value = '' } = LINE.exec(line)?.groups ?? {}
    if (name === undefined) throw new Error(`line ${index + 1} is not NAME=value.`)
    const parsed = readValue(value.trim())
    if (parsed === null)
      throw new Error(
        `line ${index + 1}: programs read this value differently. Put it in single quotes, without a single quote in it.`,
      )
    variables[name] = parsed
  }
  return variables
}
