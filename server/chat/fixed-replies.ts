/** Fixed replies that need no language model, or that replace its answer. */

export const REFUSAL =
  'I can only help with Docvet: scanning documents, verdicts and errors, keys, plans, privacy and running the service. Please ask a question about one of these topics, or choose one of the suggested questions.'
const WELCOME =
  'Hello! I am an automated assistant for questions about Docvet: scanning documents, verdicts and errors, keys, quota, plans, privacy and running the service. What would you like to know?'
export const NO_VERDICT =
  'I cannot say whether a particular file is clean or infected, and I cannot act on your behalf: I never see files or accounts. Only a scan gives a verdict. Send the file to POST /api/v1/scan; the answer contains the verdict.'

/** Replies for questions that are not sent to the model. The outcome is logged. */
export const WITHOUT_MODEL = {
  'another topic': { outcome: 'declined', reply: REFUSAL },
  'the prompt': { outcome: 'declined', reply: REFUSAL },
  'a file': { outcome: 'no verdict', reply: NO_VERDICT },
  'small talk': { outcome: 'greeted', reply: WELCOME },
} as const
