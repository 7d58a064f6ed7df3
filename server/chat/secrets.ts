/** Detects replies that ask the reader for a password or a key. */

const SECRET = String.raw`(?:password|passphrase|api[ -]keys?|keys?|secret|token|credentials?)s?\b(?!-)`
const YOURS = String.raw`(?:your|the|a)\s+(?:[\w-]+\s+(?:and\s+)?){0,3}?${SECRET}`
const ASKS = [
  String.raw`\b(?:send|write|paste|enter|give|share|tell|type|post|provide|put|submit|reply with)\b.{0,40}?\b${YOURS}`,
  String.raw`\b(?:tell|give|send|show|write)\s+(?:me|us)\b.{0,60}\b${SECRET}`,
  String.raw`\b(?:need|needs|require|requires|want|wants|what is|what's|hold|contain)\b.{0,20}?\byour\s+(?:[\w-]+\s+){0,3}?${SECRET}`,
  String.raw`\b(?:show|send|give|tell|write|paste)\s+(?:it|them)\s+(?:to (?:me|us)|here)\b`,
].map((source) => new RegExp(source, 'i'))
/** Legitimate places for a secret: an endpoint, a header, the reader's own program, a setting. */
const LEGITIMATE =
  /\/api\/v1\/|\bheaders?\b|\bX-API-Key\b|\bBearer\b|\bauthorization\b|\b(?:program|application|client|environment|variable|script|code|server|shell|setting|config(?:uration)?|request|field|form|curl|file)s?\b|\bDOCVET_/i
/** Destinations that no legitimate place excuses. */
const TO_US =
  /\b(?:here|to (?:me|us|this (?:chat|assistant))|in(?:to)? (?:this|the) (?:chat|conversation|reply|message)|by e-?mail|to (?:the operator|support))\b/i
const WARNS = /\b(?:not|never|n't|nobody|without|avoid|against|instead of|cannot)\b/i
const SENTENCE_END = /(?<=[.!?;])\s+|\n+/

const asksIn = (sentence: string): boolean =>
  ASKS.some((pattern) => pattern.test(sentence)) &&
  !WARNS.test(sentence) &&
  (TO_US.test(sentence) || !LEGITIMATE.test(sentence))

export const asksForSecret = (reply: string): boolean => reply.split(SENTENCE_END).some(asksIn)
