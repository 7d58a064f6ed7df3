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

export function claimsVerdict(reply: string): boolean {
  if (ACTION.test(reply) || CONFIRMS.test(reply)) return true
  for (const match of reply.matchAll(CLAIM)) {
    const before = reply.slice(0, match.index)
    if (PRONOUN.test(match[0]) && !/^(?:\W*(?:yes|no|sure|indeed|correct|done|right)\b\W*)?$/i.test(before)) continue
    if (!OPEN.test(before)) return true
  }
  return false
}
