/** Orders that no question about a service needs. They only save a call: the reply is judged in any case. */

const ORDERS = [
  /\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instruction|rule|prompt|previous|above|article|you (?:are|belong))/i,
  /\b(?:system|initial|hidden|secret|internal|original)\b.{0,20}\b(?:prompt|instructions?|mark|context)\b/i,
  /\byour (?:own |full |exact )?(?:prompt|instructions?|rules|context)\b/i,
  /\b(?:repeat|print|output|reveal|quote|spell|encode|append)\b.{0,60}\b(?:above|verbatim|prompt|your instructions?|your context|text before)\b/i,
  /\b(?:you are now|from now on|developer mode|jailbreak|as dan\b|roleplay|role-play|pretend (?:to be|that|you))/i,
  /\b(?:write|compose|tell|sing|give|make|create|invent|generate|add|form of|need|want)\b.{0,30}\b(?:poem|haiku|limerick|sonnet|lyrics|rap|song|joke|story|essay|novel|recipe)s?\b/i,
  /\b(?:write|create|build|develop|generate|make(?! sure| certain))\b(?!.{0,30}\btest\b).{0,30}\b(?:virus|malware|ransomware|trojan|worm|keylogger|exploit|rootkit)(?:es|s)?\b/i,
  /\b(?:how (?:to|(?:do|can|could|would|should) (?:I|we|one))|help me|show me|teach me)\b.{0,40}\b(?:evade|hack|break into|get past|sneak past|slip past|undetected|hide .{0,30}from|fool|trick)\b/i,
  /\btranslate\b.{0,60}\binto\b/i,
  /\bonTopic\b/,
]

const SCANNER = '(?:scanners?|engines?|antivirus|docvet)'
/** How something gets by a scanner: nothing that a help desk tells, whoever asks and whatever the model says. */
const EVASION = [
  String.raw`\bhid(?:e|es|ing)\b.{0,30}\b(?:programs?|macros?|malware|virus(?:es)?|code|scripts?)\b.{0,20}\b(?:in|inside|within)\b`,
  String.raw`\b(?:what|which)\b.{0,40}\b${SCANNER}\b.{0,20}\b(?:miss|overlook|not (?:find|see|detect|notice|recogni[sz]e))`,
  String.raw`\b${SCANNER} miss(?:es)?\b`,
  String.raw`\bno ${SCANNER} (?:will |can |would |could )?(?:sees?|finds?|detects?|notices?|recogni[sz]es?)\b`,
  String.raw`\b(?:stop|keep|prevent)\b.{0,20}\b${SCANNER}\b.{0,10}\bfrom (?:find|see|detect|notic)`,
].map((source) => new RegExp(source, 'i'))

export const helpsEvasion = (text: string): boolean => EVASION.some((pattern) => pattern.test(text))

export const isOrder = (question: string): boolean =>
  ORDERS.some((order) => order.test(question)) || helpsEvasion(question)
