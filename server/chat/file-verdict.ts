/** Detects replies that state a verdict about a file or claim that an action was performed. */
import { asksForVerdict, FILE_NAME, namesFile, STATE, THE_FILE, YOUR_FILE } from './file-question.ts'

const SENTENCE_END = /(?<=[.!?;])\s+|\n+/
const words = (source: string): RegExp => new RegExp(source, 'i')

/** Words before a statement that turn it into a condition, a definition or a denial. */
const CONDITIONAL =
  /\b(?:if|whether|when|whenever|once|unless|until|in case|before|after|means?|cannot|can't|never|may have|might|could|why|how|sure|does not|doesn't|should)\b/i
/** A sentence with a file name needs one of these: "if" alone does not make it harmless. */
const DOES_NOT_KNOW = /\b(?:whether|cannot|can't|(?:do not|don't) know|unable to)\b/i

const BE = "(?:is|are|was|were|looks?(?! for| at| in)|seems?|appears?|has been|have been|remains?|(?:will|can) be|'s)"
const NO_THREAT = String.raw`\b(?:no|without|without any)\s+(?:threats?|malware|virus(?:es)?|findings?)\b|\bfound nothing\b|\bnothing\b.{0,40}\b(?:found|inside)\b|\bnothing (?:wrong|bad|harmful|malicious|dangerous|suspicious)\b`
const PASSED = String.raw`\bpass(?:ed|es)\b|\b(?:can|may|go ahead and) (?:be )?(?:open|trust|run)(?:ed)?\b|(?:^\W*|[;,:] ?)open it\b|\bfalse alarm\b`

const YOURS = words(YOUR_FILE)
const THE = words(THE_FILE)
const STATE_OF_YOURS = words(`${STATE}|${NO_THREAT}|${PASSED}`)
/** "The document is clean" is a verdict; "treat the document as dangerous" is advice. */
const STATE_OF_THE = words(
  String.raw`${THE_FILE}(?:\s+(?:you|that you)\s[\w\s]{0,30}?)?\s*(?:${BE}|has)\s+(?:[\w'-]+\s+){0,3}?(?:${STATE})|${NO_THREAT}|${PASSED}`,
)
/** If the question is about a file, "it" usually means that file. */
const STATE_OF_IT = words(
  String.raw`\bit\s*${BE}\s+(?:[\w'-]+\s+){0,2}?(?:${STATE})|\b(?:in|inside|about) it\b.{0,30}\bnothing\b|(?:${NO_THREAT}).{0,20}\bit\b|\bits (?:verdict|result|status)\b|\bopen it\b`,
)
const SAID_FIRST = words(
  String.raw`^\W*(?:(?:yes|no|sure|indeed|correct|done|right)\b\W*)?(?:it|everything|they)\s*${BE}\s+(?:[\w'-]+\s+){0,3}?(?:${STATE})`,
)
const RESULT =
  /\b(?:verdict|result|status)\b["'`]?(?: of [\w\s]{1,30}?)?\s{0,4}(?:is|was|has been|:)\s{0,4}["'`]?(?:clean|infected|ok)\b/i
/** Naming both verdicts explains the field and states neither. */
const EITHER = /\bclean\b.{0,30}\bor\b.{0,30}\binfected\b|\binfected\b.{0,30}\bor\b.{0,30}\bclean\b/i

const DONE =
  '(?:scanned|checked|marked|revoked|deleted|created|rotated|changed|activated|cancelled|upgraded|reset|whitelisted|approved|verified|analysed|analyzed|inspected)'
const ACTIONS = words(
  [
    String.raw`\b(?:I|we)(?:\s+have|'ve|\s+just|\s+already|\s+now|\s+successfully)*\s+(?:${DONE}|looked (?:at|into)|confirm)\b`,
    String.raw`\b(?:your|the)\s(?:[\w'-]{1,30}\s){0,5}?(?:was|were|has been|have been|is now|are now)\s(?:\w{1,20}\s)?${DONE}\b`,
    String.raw`\b(?:is|are|was|were)\s(?:\w{1,20}\s)?${DONE}\s(?:just )?now\b`,
    String.raw`\byour\s(?:[\w'-]{1,30}\s){1,3}?(?:is|are)\s${DONE}\s*(?:[.!,]|$)`,
    String.raw`\b(?:was|were|has been|have been)\s(?:\w{1,20}\s)?${DONE}\s.{0,20}\b(?:for you|your)\b`,
    String.raw`^\W*${DONE}\b.{0,20}\bnow\b`,
    String.raw`^\W*done\b`,
    String.raw`\byou(?:'re| are) (?:currently |now )?on (?:the )?(?:plan|\W?\w{1,30}\W? plan)\b|\byour plan is\b`,
    String.raw`\bas you (?:asked|wished|wanted|requested)\b`,
  ].join('|'),
)
const KEY = /dv_live_\w{5}/i

function isUnconditional(pattern: RegExp, sentence: string): boolean {
  const found = pattern.exec(sentence)
  return found !== null && !CONDITIONAL.test(sentence.slice(0, found.index))
}

/** "Your key might have been revoked" is no claim, so the match itself may contain the condition. */
function claimsAction(sentence: string): boolean {
  const found = ACTIONS.exec(sentence)
  return found !== null && !CONDITIONAL.test(sentence.slice(0, found.index + found[0].length))
}

interface Asked {
  isAboutFile: boolean
  /** "What does the answer contain when …?" may be answered with "the status is infected". */
  isGeneral: boolean
}
const ASKS_IN_GENERAL = /\b(?:if|when|means?)\b/i

function isVerdict(sentence: string, { isAboutFile, isGeneral }: Asked): boolean {
  if (FILE_NAME.test(sentence)) return STATE_OF_YOURS.test(sentence) && !DOES_NOT_KNOW.test(sentence)
  if (YOURS.test(sentence) && isUnconditional(STATE_OF_YOURS, sentence)) return true
  if (THE.test(sentence) && isUnconditional(STATE_OF_THE, sentence)) return true
  if (isAboutFile && isUnconditional(STATE_OF_IT, sentence)) return true
  return !isGeneral && isUnconditional(RESULT, sentence) && !EITHER.test(sentence)
}

const VERDICT_FIRST = /^\W*(?:(?:yes|no|clean|infected|safe)\b|it(?:'s| is| was| looks)\s)/i

export function statesVerdict(reply: string, question = ''): boolean {
  if (KEY.test(reply) || SAID_FIRST.test(reply)) return true
  if (VERDICT_FIRST.test(reply) && asksForVerdict(question)) return true
  const isAboutFile = namesFile(question)
  const asked = { isAboutFile, isGeneral: !isAboutFile && ASKS_IN_GENERAL.test(question) }
  return reply.split(SENTENCE_END).some((sentence) => isVerdict(sentence, asked) || claimsAction(sentence))
}
