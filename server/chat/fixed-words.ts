/** What is said in place of an answer, always in the same words. */

export const REFUSAL =
  'I can only help with Docvet: scanning documents, what verdicts and errors mean, keys, plans, privacy and running the service. Please ask me something about that, or pick one of the suggested questions.'
/** To greetings and thanks. */
const WELCOME =
  'I am glad to help. I am a program that answers questions about Docvet: scanning documents, what verdicts and errors mean, keys, quota, plans, privacy and running the service. What would you like to know?'
export const NO_VERDICT =
  'I cannot say whether a particular file is clean or infected, and I cannot do anything on your behalf: I never see files or accounts. Only a scan gives a verdict. Send the file to POST /api/v1/scan, and its answer tells.'

/** By what the question is about. The outcome is for the log. */
export const WITHOUT_MODEL = {
  'something else': { outcome: 'declined', reply: REFUSAL },
  'a file': { outcome: 'verdict', reply: NO_VERDICT },
  nothing: { outcome: 'greeted', reply: WELCOME },
} as const
