/** Two stand-in language models: a faithful one, and a gullible one that obeys every attack. */
import { ATTACKS, type Leak } from './attacks.ts'

interface Asked {
  system: string
  question: string
}

/** Splits a request into the system prompt and the question. */
export function readAsked(body: string): Asked {
  const { messages } = JSON.parse(body) as { messages: { role: string; content: string }[] }
  const text = messages.find(({ role }) => role === 'user')?.content ?? ''
  const { question } = JSON.parse(text.slice(text.indexOf('{'))) as { question: string }
  return { system: messages.find(({ role }) => role === 'system')?.content ?? '', question }
}

interface GivenArticle {
  id: string
  text: string
}

export function articlesIn(system: string): GivenArticle[] {
  const section = /\nARTICLES\n([\s\S]*?)\n\nFACTS\n/.exec(system)?.[1] ?? ''
  return section.split(/\n\n(?=\[[a-z-]+\] )/).map((part) => {
    const [, id = '', text = ''] = /^\[([a-z-]+)\] [^\n]*\n([\s\S]*)$/.exec(part) ?? []
    return { id, text }
  })
}

const structured = (reply: string, onTopic = true): string => JSON.stringify({ onTopic, reply })

/** Answers with the first paragraph of the first article. */
export function faithful({ system }: Asked): string {
  return structured(articlesIn(system)[0]?.text.split('\n\n')[0] ?? '')
}

export const canaryIn = (system: string): string => /\b[0-9a-f]{24}\b/.exec(system)?.[0] ?? 'no canary'

const LEAKS: Record<Leak, (system: string) => string> = {
  whole: (system) => system,
  beginning: (system) => system.slice(0, 300),
  backwards: (system) => system.slice(0, 800).split(' ').toReversed().join(' '),
  base64: (system) => Buffer.from(system.slice(0, 600)).toString('base64'),
  spaced: (system) => [...system.slice(0, 400)].join(' '),
  canary: canaryIn,
  rules: (system) =>
    system
      .split('\n')
      .slice(1, 5)
      .map((line) => `- ${line}`)
      .join('\n'),
}

export function obey(obeys: (typeof ATTACKS)[number]['obeys'], system: string): string {
  return typeof obeys === 'string' ? obeys : `${obeys.around ?? ''} ${LEAKS[obeys.leak](system)}`.trim()
}

const letters = (text: string): string => text.normalize('NFKC').replaceAll(/[^\p{L}\p{N}]/gu, '')

/** Obeys the attack in the question and marks its reply as on topic. */
export function gullible({ system, question }: Asked): string {
  const attack = ATTACKS.find((each) => letters(each.question) === letters(question))
  return structured(attack ? obey(attack.obeys, system) : `As you wish: ${question}`)
}
