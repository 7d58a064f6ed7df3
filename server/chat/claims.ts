/** Finds sentences that pass a verdict on somebody's file, or say that something was done. Only a scan does either. */

const THING = '(?:file|document|attachment|archive|invoice|report|spreadsheet|presentation|message|upload|pdf|zip)'
const NAMED = String.raw`[\w-]{1,60}\.(?:pdf|docx?m?|xlsx?m?|pptx?m?|zip|rtf|txt|csv|html?|eml|msg|odt|ods|one|exe|js)`
/** "Your file", "this document", "the attached report", "invoice.pdf"; not "a document", of which articles speak. */
const SUBJECT = String.raw`(?:(?:your|this|that|these|those)\s+(?!an?\b|the\b|every\b|any\b|no\b)(?:[\w-]+\s+){0,3}?${THING}s?|the\s+(?:attached|uploaded|given|above|said|same|mentioned)\s+(?:[\w-]+\s+)?${THING}s?|the\s+(?:file|document|attachment)\s+(?:(?:you|that you|${NAMED})[\w\s]{0,30}?)?|(?:the\s+file\s+)?${NAMED}|it|everything|they)`
const BE = "(?:is|are|was|were|looks?|seems?|appears?|has been|have been|remains?|(?:will|can|should) be|'s)"
const VERDICT = String.raw`(?:clean|safe|harmless|benign|fine|trustworthy|infected|malicious|dangerous|malware|virus|threat|free\s+(?:of|from)|virus-free|malware-free|uninfected|okay to open|good to go)`
const CLAIM = new RegExp(String.raw`\b${SUBJECT}\s*${BE}\s+(?:[\w'-]+\s+){0,3}?${VERDICT}\b`, 'gi')
/** What makes it a condition or a question in place of a claim, right before it. */
const OPEN =
  /\b(?:if|whether|when|once|unless|until|in case|before|why|how|sure|means?|mean that|says? that|say|tell|know)\s+(?:that\s+)?$/i
/** "It is" and "they are" mostly speak of an example in the article. They are claims when they open the reply. */
const PRONOUN = /^(?:it|everything|they)\b/i

const ACTION =
  /\b(?:I|we)(?:\s+have|'ve|\s+just|\s+already)*\s+(?:just\s+|now\s+|successfully\s+)?(?:scanned|checked|marked|revoked|deleted|created|changed|activated|cancelled|upgraded|reset|whitelisted|approved|verified|analysed|analyzed|inspected|looked (?:at|into)|confirm)\b/i
const CONFIRMS =
  /\b(?:no|zero)\s+(?:threats?|malware|virus(?:es)?)\s+(?:was|were|has been|have been)\s+(?:found|detected)\s+in\s+(?:your|this|that|the)\b/i

/** The asker's things, and what a sentence would say about them. */
const OWN_FILE = new RegExp(String.raw`\b(?:your|this|the)\s+(?:[\w-]{1,30}\s+)?${THING}s?\b`, 'i')
/** Of "the document" articles say what clean means. */
const YOUR_FILE = new RegExp(String.raw`\b(?:your|this)\s+(?:[\w-]{1,30}\s+)?${THING}s?\b`, 'i')
const FILE_NAME = new RegExp(String.raw`(?<![\w./@-])${NAMED}\b`, 'i')
const NO_THREAT = /\bno\s+(?:threats?|malware|virus(?:es)?)\b|\bnothing\b.{0,40}\bfound\b/i
const VERDICT_WORD = /\b(?:clean|infected|malicious|harmless|virus-free|malware-free|safe)\b/i
const CONDITIONAL = /\b(?:if|whether|when|whenever|once|unless|until|in case|before|after|means?|cannot|can't|never)\b/i
const DONE_TO_YOURS =
  /\b(?:your|the old|the new)\s(?:[\w'-]{1,30}\s){0,5}?(?:was|were|has been|have been|is now)\s(?:\w{1,20}\s)?(?:revoked|changed|deleted|created|rotated|cancelled|upgraded|activated|reset)\b/i
const KEY = /dv_live_\w{5}/i
const STATUS_FIELD = /"status"\s{0,4}:/i
const SENTENCE_END = /(?<=[.!?;])\s+|\n+/

/** Without anything before it that makes it a condition. */
function standsAlone(words: RegExp, sentence: string): boolean {
  const found = words.exec(sentence)
  return found !== null && !CONDITIONAL.test(sentence.slice(0, found.index))
}

function isClaim(sentence: string): boolean {
  if (standsAlone(DONE_TO_YOURS, sentence)) return true
  if (FILE_NAME.test(sentence) && VERDICT_WORD.test(sentence)) return true
  return (
    (OWN_FILE.test(sentence) && standsAlone(NO_THREAT, sentence)) ||
    (YOUR_FILE.test(sentence) && standsAlone(VERDICT_WORD, sentence))
  )
}

/** "Is my report clean?", "Mark it as safe", "Can I open invoice.pdf?": what only a scan can answer. */
const ASKS = /\b(?:is|are|was|were|mark|check|tell|confirm|say|scan|can i (?:open|trust|run))\b/i
const ASKED_FILE = new RegExp(
  String.raw`\b(?:(?:my|this|these|that|the attached|the)\s+(?:[\w-]{1,30}\s+)?${THING}s?\b|${NAMED}\b)`,
  'i',
)
const ASKED_VERDICT =
  /\b(?:clean|safe|infected|virus(?:es)?|malware|malicious|dangerous|harmless)\b|\bcan i (?:open|trust|run)\b/i
/** How it works, and why something came out as it did, are questions that we do answer. */
const EXPLAIN = /\b(?:how|why|what|which|where|who|when|called|flagged|reported|mean|means)\b/i

export function asksForVerdict(question: string): boolean {
  if (EXPLAIN.test(question)) return false
  return ASKS.test(question) && ASKED_FILE.test(question) && ASKED_VERDICT.test(question)
}

const SECRET = '(?:password|passphrase|api[ -]key|key|secret|token|credentials?)s?'
/** A name for whoever reads this conversation. */
const US = '(?:here|to (?:me|us|this (?:chat|assistant))|in(?:to)? (?:this|the) (?:chat|conversation|reply|message))'
const HANDS_OVER = new RegExp(
  String.raw`\b(?:send|write|paste|enter|give|share|tell|type|post|provide|put|submit|reply with)\b(?:.{0,40}\b(?:your|the|a)\s+(?:[\w-]+\s+){0,3}?${SECRET}\b.{0,60}\b${US}\b|\s+(?:me|us)\b.{0,60}\b${SECRET}\b)`,
  'i',
)
const FORBIDS = /\b(?:not|never|n't|nobody|without|avoid|against|instead of|cannot)\b/i

/** Nobody at this desk needs a password or a key. Who asks for one here is not the desk. */
export const asksForSecret = (reply: string): boolean =>
  reply.split(SENTENCE_END).some((sentence) => HANDS_OVER.test(sentence) && !FORBIDS.test(sentence))

const VERDICT_FIRST = /^\W*(?:(?:yes|no|clean|infected|safe)\b|it(?:'s| is| was| looks)\s)/i

export function claimsVerdict(reply: string, question = ''): boolean {
  if (ACTION.test(reply) || CONFIRMS.test(reply) || KEY.test(reply) || STATUS_FIELD.test(reply)) return true
  if (VERDICT_FIRST.test(reply) && asksForVerdict(question)) return true
  if (reply.split(SENTENCE_END).some(isClaim)) return true
  for (const match of reply.matchAll(CLAIM)) {
    const before = reply.slice(0, match.index)
    if (PRONOUN.test(match[0]) && !/^(?:\W*(?:yes|no|sure|indeed|correct|done|right)\b\W*)?$/i.test(before)) continue
    if (!OPEN.test(before)) return true
  }
  return false
}
