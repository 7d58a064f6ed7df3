/** What the assistant knows: short articles in a folder, with places that are filled in from the running service. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Article {
  id: string
  title: string
  /** Words that people use for it, beyond those in the text. */
  keywords: string
  /** Offered as a question whose answer is the first paragraph. */
  suggestion: string | null
  body: string
}

const FRONT = /^---\n+([\s\S]*?)\n---\n+([\s\S]+)$/
const FIELDS = ['id', 'title', 'keywords', 'suggestion']

export function parseArticle(text: string): Article {
  const [, head, body] = FRONT.exec(text) ?? []
  if (head === undefined || body === undefined)
    throw new Error('An article begins with a head between two lines of ---')
  const fields = new Map<string, string>()
  for (const line of head.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+): (.+)$/.exec(line) ?? []
    if (!FIELDS.includes(name) || fields.has(name)) throw new Error(`Not a line for the head of an article: ${line}`)
    fields.set(name, value.trim())
  }
  const [id, title, keywords] = ['id', 'title', 'keywords'].map((name) => fields.get(name))
  if (!id || !title || !keywords) throw new Error(`An article needs id, title and keywords: ${head}`)
  return { id, title, keywords, suggestion: fields.get('suggestion') ?? null, body: body.trim() }
}

export function loadArticles(folder = join(import.meta.dirname, 'articles')): Article[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return files.sort().map((file) => {
    const article = parseArticle(readFileSync(join(folder, file), 'utf8'))
    if (`${article.id}.md` !== file) throw new Error(`${file} holds the article ${article.id}`)
    return article
  })
}

/** Puts the values into the places `{{name}}`. A place that nobody can fill is a mistake in the article. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_place, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`An article asks for {{${name}}}, which is no fact`)
    return value
  })
}
