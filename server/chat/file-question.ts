/** Recognises text about one particular file, and questions that ask for its verdict. */

const THING =
  '(?:file|document|attachment|archive|invoice|report|contract|spreadsheet|workbook|presentation|message|e-?mail|upload|pdf|zip|docx?|xlsx?|pptx?|csv|rtf|eml|msg)'
/** "The file scan" and "the document limit" are not files. */
const NO_HEAD = String.raw`(?![\s-]+(?:scan|scanner|scanning|limit|size|type|format|name|extension|check|service|upload|engine)s?\b)`
const NAME = String.raw`(?<![\w./@-])[\w-]{1,60}\.(?:pdf|docx?m?|xlsx?m?|pptx?m?|zip|rtf|txt|csv|html?|eml|msg|odt|ods|one|exe|js)\b`
const one = (whose: string): string =>
  String.raw`\b(?:(?:${whose})\s+(?!an?\b|the\b|every\b|any\b|no\b)(?:[\w-]{1,30}\s+){0,2}?|that\s+)${THING}\b${NO_HEAD}`
/** "My scan" means the file that was scanned. */
const scanOf = (whose: string): string =>
  String.raw`\b(?:${whose}|both|(?:the|${whose}) (?:last|latest|previous|first)) scans?\b`
const [MY_SCAN, YOUR_SCAN] = [scanOf('my'), scanOf('your')]
const SEVERAL = String.raw`\b(?:these|those)\s+(?:[\w-]{1,30}\s+)?${THING}s\b${NO_HEAD}`

export const FILE_NAME = new RegExp(NAME, 'i')
/** As a question names it. "My documents" is not a particular one. */
const ASKED_FILE = `(?:${NAME}|${one('my|our|this|the')}|${SEVERAL}|${MY_SCAN})`
/** As a reply names it. Articles say "the document" too, so that form needs more evidence. */
export const YOUR_FILE = String.raw`(?:${NAME}|${one('your|this')}|${SEVERAL}|${YOUR_SCAN}|\bthe (?:attached|uploaded|given|above|said|same|mentioned) (?:[\w-]{1,30}\s+)?${THING}s?\b)`
export const THE_FILE = one('the')

/** The state of a file. "Safe with you" is about the service, and "a virus scan" is not a state. */
export const STATE = String.raw`\b(?:clean|infected|malicious|dangerous|harmless|benign|trustworthy|okay|OK|alright|fine|malware|safe(?!\s+(?:with|to use|for(?! me| us)|at|from|in|on|here))|virus(?:es)?(?!\s+(?:check|scan|protection|definition))|(?:virus|malware)-free)\b`
const RESULT = String.raw`\b(?:verdict|result|status(?! code)|state|outcome|threat|find|found|finding|detect(?:ed)?|say about|says about|wrong with)\b`

const [ANY_FILE, IT, ANY_STATE] = [new RegExp(ASKED_FILE, 'i'), /\bits?\b/i, new RegExp(STATE, 'i')]
/** "Is my report …", "does invoice.pdf …", "tell me that it …", "mark this file …" */
const ASKS = new RegExp(
  String.raw`(?:\b(?:is|are|was|were|isn't|does|do|did|has|have)\s+|\b(?:tell|confirm|say|mark|call|declare|whether|(?:check|see|know) if)\b.{0,40}?)(?:it\b|${ASKED_FILE})`,
  'i',
)
const MAY_OPEN = new RegExp(
  String.raw`\b(?:(?:can|may|could|should) (?:i|we) (?:open|trust|run|forward)|safe (?:for (?:me|us) )?to open)\s+(?:it\b|${ASKED_FILE})`,
  'i',
)
const ASKS_RESULT = new RegExp(String.raw`\b(?:what|whats|which|give|show|tell|need|want)\b.{0,60}${RESULT}`, 'i')
/** Questions about how scanning works, or why a verdict was given, are answered. */
const EXPLAIN =
  /\b(?:why|means?|meaning|called|flagged|reported|how (?:do|can|could|should|would|to|sure|long|many|much|often|safe))\b/i
const CONDITION = /\b(?:if|when|once|unless|in case)\b/i

function asksIn(sentence: string, hasFile: boolean): boolean {
  const isNamed = FILE_NAME.test(sentence)
  if (EXPLAIN.test(sentence) || (!isNamed && !ANY_FILE.test(sentence) && !(hasFile && IT.test(sentence)))) return false
  if (MAY_OPEN.test(sentence)) return true
  if (ASKS.test(sentence) && ANY_STATE.test(sentence))
    return isNamed || !/\bif\b(?! (?:my|our|this|the|it)\b)/i.test(sentence)
  return ASKS_RESULT.test(sentence) && (isNamed || !CONDITION.test(sentence))
}

export const namesFile = (question: string): boolean => ANY_FILE.test(question)

/** Questions that only a scan can answer: "Is my report clean?", "Can I open invoice.pdf?" */
export function asksForVerdict(question: string): boolean {
  const hasFile = namesFile(question)
  return question.split(/(?<=[.!?;])\s+|\n+/).some((sentence) => asksIn(sentence, hasFile))
}
