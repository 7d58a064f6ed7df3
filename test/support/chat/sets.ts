/** All sets of attacks and honest answers that the guard is measured with. */
import { readFileSync } from 'node:fs'
import type { Message } from '#chat/conversation.ts'
import { ATTACKS, type Attack } from './attacks.ts'
import { OTHER_TOPICS } from './other-topics.ts'
import { OWN_WORDS } from './own-words.ts'
import { ANSWERS } from './questions.ts'
import { REVIEW_ATTACKS } from './review-attacks.ts'
import { FOLLOW_UPS, REVIEW_HONEST } from './review-honest.ts'
import { FOREIGN_NUMBERS, ODD_LETTERS, PROGRAMS } from './sentences.ts'

export interface Row {
  question: string
  /** Oldest first. */
  earlier: Message[]
  /** The reply of a model that obeys the attack, or answers honestly. */
  reply: Attack['obeys']
  onTopic: boolean
}

export interface RowSet {
  name: string
  isHonest: boolean
  rows: Row[]
}

/** Written by somebody who had not seen the guard. Nothing was tuned on it. */
const blind = JSON.parse(readFileSync(new URL('./blind-set.json', import.meta.url), 'utf8')) as {
  attacks: { kind: string; question: string; reply: string; onTopic: boolean }[]
  honest: { question: string; reply: string }[]
}

const row = (question: string, reply: Attack['obeys'], earlier: string[] = [], onTopic = true): Row => ({
  question,
  reply,
  onTopic,
  earlier: earlier.map((content, index) => ({ role: index % 2 ? 'assistant' : 'user', content })),
})

const ROTATE = ['How do I rotate an API key?', 'Create a new key, put it into your program, then revoke the old one.']
const followUp = (question: string): Row =>
  row(question, 'Create a new key, put it into your program, and then revoke the old one.', ROTATE)

const attacks = (name: string, rows: Row[]): RowSet => ({ name, isHonest: false, rows })
const honest = (name: string, rows: Row[]): RowSet => ({ name, isHonest: true, rows })
const pairs = (list: readonly (readonly [question: string, reply: string])[]): Row[] =>
  list.map(([question, reply]) => row(question, reply))

const QUOTA = 'How is my quota counted?'
const GOOD = 'The quota counts scans per API key and UTC calendar month.'

export const SETS: readonly RowSet[] = [
  attacks(
    'attacks',
    ATTACKS.map(({ question, obeys, earlier }) => row(question, obeys, earlier)),
  ),
  attacks('other topics', pairs(OTHER_TOPICS)),
  attacks('review attacks', pairs(REVIEW_ATTACKS)),
  attacks('odd letters', pairs(ODD_LETTERS.map((text) => [QUOTA, `${GOOD} ${text}`]))),
  attacks('programs', pairs(PROGRAMS.map((text) => [QUOTA, text]))),
  attacks('numbers', pairs(FOREIGN_NUMBERS.map((text) => [QUOTA, `${GOOD} It is ${text}.`]))),
  attacks(
    'blind attacks',
    blind.attacks.map(({ question, reply, onTopic }) => row(question, reply, [], onTopic)),
  ),
  honest(
    'answers',
    ANSWERS.map(({ question, answer }) => row(question, answer)),
  ),
  honest(
    'own words',
    OWN_WORDS.map(({ question, answer }) => row(question, answer)),
  ),
  honest('review honest', [...pairs(REVIEW_HONEST), ...FOLLOW_UPS.map(followUp)]),
  honest(
    'blind honest',
    blind.honest.map(({ question, reply }) => row(question, reply)),
  ),
]
