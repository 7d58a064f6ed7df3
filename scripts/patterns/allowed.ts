/** Patterns that the check cannot measure as they are used. Names are those of the file and of the constant or function in it. */

/**
 * Readers of tokens: where one does not match, its caller stops or goes on behind what was read, so that it is measured
 * at the start of a text, not at every position.
 */
export const READERS: readonly string[] = [
  'inspect/codecs/field-instructions.ts TOKEN',
  'inspect/codecs/mime-parts.ts lineEnd',
  'inspect/codecs/xml-entities.ts DECLARATIONS',
  'inspect/codecs/xml-tags.ts ATTRIBUTE',
  'inspect/formats/ole/crypto/agile-descriptor.ts ATTRIBUTE',
  'inspect/formats/page/markup.ts ATTRIBUTE',
  'inspect/judge/pages/html-events.ts ATTRIBUTE',
  'inspect/judge/formulas.ts TOPIC',
  'inspect/programs/excel4/formula.ts TOKEN',
  'inspect/rules-engine/pattern-syntax.ts set',
  'inspect/rules-engine/pattern-syntax.ts sign',
  'inspect/rules-engine/rule-tokens.ts HEX',
  'inspect/rules-engine/rule-tokens.ts SPACE',
  'inspect/rules-engine/rule-tokens.ts TOKENS',
]

/** The caller bounds the text, as stated. */
export const BOUNDED: Readonly<Record<string, string>> = {
  'inspect/carve/base64/runs.ts firstLettersOf': 'reads our own FILE_STARTS',
  'inspect/carve/base64/runs.ts letters': 'reads our own FILE_STARTS',
  'inspect/formats/rtf/scan-text.ts EMPTY_LINE': 'SPACE_BYTES, 64 characters',
  'inspect/formats/table-formulas.ts SENTENCE': 'LINE_MAX, 400 characters',
  'inspect/judge/passwords.ts STRIPPED': 'a word of AFTER_MAX, 200 characters, or fewer',
  'server/engines/embedded/policy/policy.ts repeatedNames': 'JSON.parse has read the text: every quote is closed',
}

/** Constructed only when a document or a request asks for it: why that is linear, and examples that are measured. */
export const LATER: Readonly<Record<string, { reason: string; examples: readonly RegExp[] }>> = {
  'inspect/programs/shells/posix/statements.ts': {
    reason: 'the last line of a here-document, which the script names by a word',
    examples: [/^\t*END\r?$/gm],
  },
  'inspect/formats/pdf/syntax/values.ts': {
    reason: 'names of dictionary entries, each letter also as #xx',
    examples: [/\/(?:(?:J|#[44][aA])(?:S|#[55][33])|(?:A|#[44][11]))(?=[\0\s/<>[\]()%]|$)/g],
  },
  'inspect/codecs/xml-events.ts': {
    reason: 'the name of an attribute, which the formats give',
    examples: [/(?:^|\s)(?:[\w.-]{1,40}:)?val\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/],
  },
  'inspect/programs/shells/batch.ts': { reason: 'a text with its signs escaped', examples: [/aaaa\.b\(/gi] },
  'inspect/judge/scripts/powershell.ts': { reason: 'a text without signs of patterns', examples: [/aa#@~ -a/gi] },
  'inspect/judge/scripts/address-lists.ts': {
    reason: 'names of variables and of an entry',
    examples: [
      /\bforeach\s{0,4}\(\s{0,4}\$a\s{1,4}in\s{1,4}\$([a-z]\w{0,30})\s{0,4}\)/i,
      /\$\{?a\b/gi,
      /\$a\s{0,4}=\s{0,4}@\(/i,
      /\$\{?a\}?(?:\.\w{1,40}|\[[^\]\r\n]{0,40}\])?\s{0,4}(?:[+*/%-]?=|\(|\[)/i,
      /(?<![\w-])a\s{0,4}=\s*(?:'([^']*)'|"([^"]*)")/gi,
      /(?:'([^']*)'|"([^"]*)")/gi,
    ],
  },
  'inspect/judge/scripts/requests.ts': {
    reason: 'patterns of SERVER_LANGUAGES at every position, and names of functions in the script',
    examples: [
      /(?:\w{1,30}\s{0,4}\.\s{0,4}){0,3}Request\s{0,4}(?:\.\s{0,4}(?:Form|Item)\s{0,4})?\[/,
      /[A-Za-z_]\w{0,60}/g,
      /(?<!function\s{1,4})(?<!def\s{1,4})\b(?:a|bbbb)\s{0,4}\((?:\s{0,4}\)\s{0,4},)?/g,
    ],
  },
  'inspect/judge/command/script-starts.ts': { reason: 'the letter of a drive', examples: [/x:(?! *(?:"|\\\\|\/d))/i] },
  'inspect/programs/basic/patterns.ts': {
    reason: 'SIMPLE: only the last atom repeats, so that an attempt that reads far also matches',
    examples: [/a[ab]\d\w+/g, /[^x]+|ab+/gi],
  },
  'inspect/programs/javascript/foreign.ts': {
    reason: 'the name of a variable',
    examples: [/["']a["']|\ba\s{0,9}=[^=]|\bfunction\s{1,9}a\b|[{,]\s{0,9}a\s{0,9}[:,]/],
  },
  'inspect/programs/javascript/patterns.ts': {
    reason: 'SAFE: only the last atom repeats, so that an attempt that reads far also matches',
    examples: [/a[ab]\d\w*/g, /\b\s[^x]+/gi],
  },
  'server/chat/upstream.ts': {
    reason: 'the name of one of our options',
    examples: [/(?:unsupported|unrecognized|unknown|not supported).{0,40}\bmax_tokens\b/i],
  },
  'server/objects/sources.ts': {
    reason: 'one class, bounded by the length of a tag',
    examples: [/^[\w +\-./:=]{1,128}$/],
  },
}
