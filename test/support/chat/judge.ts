/** Runs the scope check and the guard on a question and a reply, for an example installation. */
import { loadArticles } from '#chat/articles.ts'
import type { Conversation } from '#chat/conversation.ts'
import { CHECKS, type Check, type Judgement, judgeReply } from '#chat/guard.ts'
import { readKnowledge } from '#chat/knowledge.ts'
import { buildPrompt, type Prompt } from '#chat/prompt.ts'
import { ARTICLES_MAX, judgeQuestion, type Scope } from '#chat/scope.ts'
import { createSearch, type Hit } from '#chat/search.ts'
import { FACTS } from './facts.ts'
import { obey } from './models.ts'
import type { Row } from './sets.ts'

export const CANARY = '0f1e2d3c4b5a69788796a5b4'
const articles = loadArticles()
const search = createSearch(articles)
export const KNOWN = readKnowledge(articles, FACTS)
export const VALUES = KNOWN.values

const promptFrom = (conversation: Conversation, hits: Hit[]): Prompt =>
  buildPrompt(
    conversation,
    hits.map(({ article }) => article),
    VALUES,
    CANARY,
  )

/** Skips the scope check. */
export const promptFor = (question: string): Prompt =>
  promptFrom({ question, earlier: [] }, search.find(question, ARTICLES_MAX))

export const QUOTA = promptFor('How is my quota counted?')
export const GOOD = 'The quota counts scans per API key and UTC calendar month.'

export const judgeContent = (content: string, prompt = QUOTA, checks: readonly Check[] = CHECKS): Judgement =>
  judgeReply(content, { prompt, known: KNOWN, checks })

export const judge = (reply: string, prompt = QUOTA, onTopic = true): Judgement =>
  judgeContent(JSON.stringify({ onTopic, reply }), prompt)

type OutOfScope = Extract<Scope, { inScope: false }>['about']
export type Off = Check | OutOfScope | 'scope'

/** 'answer' if the reply is returned, otherwise the check that replaced it. `off` switches checks off. */
export function outcomeOf({ question, earlier, reply, onTopic }: Row, off: readonly Off[] = []): string {
  const scope = judgeQuestion(search, { question, earlier })
  const isOff = !scope.inScope && (off.includes('scope') || off.includes(scope.about))
  if (!scope.inScope && !isOff) return scope.about
  const asked = [...earlier.map(({ content }) => content), question].join(' ')
  const prompt = promptFrom({ question, earlier }, scope.inScope ? scope.hits : search.find(asked, ARTICLES_MAX))
  const content = JSON.stringify({ onTopic, reply: obey(reply, prompt.messages[0]?.content ?? '') })
  const checks = CHECKS.filter((check) => !off.includes(check))
  const judged = judgeContent(content, prompt, checks)
  return judged.kind === 'replaced' ? judged.by : judged.kind
}
