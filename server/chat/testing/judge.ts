/** A prompt for a question, and what is made of a reply to it, in an installation as it might be. */
import { loadArticles } from '#chat/articles.ts'
import type { Message } from '#chat/conversation.ts'
import { placesOf } from '#chat/facts.ts'
import { type Judgement, judgeReply } from '#chat/guard.ts'
import { createWritten } from '#chat/knowledge.ts'
import { buildPrompt, type Prompt } from '#chat/prompt.ts'
import { judgeQuestion } from '#chat/scope.ts'
import { createSearch } from '#chat/search.ts'
import { FACTS, STATUSES } from './facts.ts'

export const CANARY = '0f1e2d3c4b5a69788796a5b4'
export const PLACES = placesOf(FACTS)
const articles = loadArticles()
const search = createSearch(articles)
export const WRITTEN = createWritten(articles, STATUSES)(PLACES)

/** Without any check on the question. */
export function promptFor(text: string): Prompt {
  const found = search.find(text, 4).map(({ article }) => article)
  return buildPrompt({ question: text, earlier: [] }, found, PLACES, CANARY)
}

export const QUOTA = promptFor('How is my quota counted?')
export const GOOD = 'The quota counts scans per API key and UTC calendar month.'

export const judgeContent = (content: string, prompt = QUOTA): Judgement =>
  judgeReply(content, { prompt, publicUrl: FACTS.publicUrl, written: WRITTEN })

/** The whole way of a question: what is said to it without a model, or what becomes of this reply. */
export function answered(question: string, reply: string, earlier: Message[] = []): Judgement['kind'] | 'no model' {
  const scope = judgeQuestion(search, { question, earlier })
  if (!scope.inScope) return 'no model'
  const found = scope.hits.map(({ article }) => article)
  return judge(reply, buildPrompt({ question, earlier }, found, PLACES, CANARY)).kind
}

export const judge = (reply: string, prompt = QUOTA, onTopic = true): Judgement =>
  judgeContent(JSON.stringify({ onTopic, reply }), prompt)
