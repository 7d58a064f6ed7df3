/** Loads the assistant's articles and fills in their placeholders. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Article {
  id: string
  title: string
  /** Search words that are not in the text. */
  keywords: string
  /** Ways to ask that consist of common words: "where is my file". */
  phrases: readonly string[]
  /** A suggested question that the first paragraph answers. */
  suggestion: string | null
  /** Position among the suggestions; 0 without one. */
  order: number
  body: string
}

const FRONT = /^---\n+(?!\n)([\s\S]*?)\n---\n+(?!\n)([\s\S]+)$/
const FIELDS = ['id', 'title', 'keywords', 'phrases', 'suggestion', 'order']

export function parseArticle(text: string): Article {
  const [, head, body] = FRONT.exec(text) ?? []
  if (head === undefined || body === undefined)
    throw new Error('An article must start with front matter between two lines of ---')
  const fields = new Map<string, string>()
  for (const line of head.split('\n')) {
    const [, name = '', value = ''] = /^([a-z]+): (.+)$/.exec(line) ?? []
    if (!FIELDS.includes(name) || fields.has(name))
      throw new Error(`Invalid or repeated line in the front matter of an article: ${line}`)
    fields.set(name, value.trim())
  }
  const [id, title, keywords] = ['id', 'title', 'keywords'].map((name) => fields.get(name))
  if (!id || !title || !keywords)
    throw new Error(`The front matter of an article needs id, title and keywords: ${head}`)
  const order = Number(fields.get('order') ?? 0)
  const phrases = fields.get('phrases')?.split(/,\s*/) ?? []
  return { id, title, keywords, phrases, suggestion: fields.get('suggestion') ?? null, order, body: body.trim() }
}

export function loadArticles(folder = join(import.meta.dirname, 'articles')): Article[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return files.sort().map((file) => {
    const article = parseArticle(readFileSync(join(folder, file), 'utf8'))
    if (`${article.id}.md` !== file) throw new Error(`${file} contains the article ${article.id}`)
    return article
  })
}

/** Replaces the placeholders `{{name}}`; one without a value is an error in the article. */
export function fillIn(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_placeholder, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) throw new Error(`An article uses the unknown placeholder {{${name}}}`)
    return value
  })
}
