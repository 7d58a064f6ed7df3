/** Names of Word fields. */

// White space of any kind, then the first letters of DDE or DDEAUTO, or none.
const UNFINISHED_DDE = /^[^\x21-\x7f]*(?:D(?:D(?:E(?:A(?:U(?:T)?)?)?)?)?)?$/i

/** `text`: all of a field before a field in it. Its result may then complete the name of a field that starts programs. */
export function mayBecomeDde(text: string): boolean {
  return UNFINISHED_DDE.test(text)
}

export const UNKNOWN_NAME = 'The name of a field is the result of another field, so its effect cannot be determined.'
