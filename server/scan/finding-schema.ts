/** Schemas of the articles about findings. */
import { Type } from 'typebox'
import { ReportFinding } from './report-schema.ts'

const ID_LENGTH_MAX = 100
const ID = 'Docvet.Embedded.Shortcut'

export const FindingParams = Type.Object({
  id: Type.String({ maxLength: ID_LENGTH_MAX, description: 'The `id` of the finding.', examples: [ID] }),
})

const { severity, effect, technique } = ReportFinding.properties

export const FindingArticle = Type.Object(
  {
    id: Type.String({ examples: [ID] }),
    severity,
    title: Type.String({ examples: ['Windows shortcut inside the document'] }),
    reason: Type.String({ description: 'What is recognised.', examples: ['A shortcut can start any command.'] }),
    effect: { ...effect, examples: ['It contains a program that looks harmless.'] },
    technique,
    danger: Type.String({
      description: 'What an attacker gains by it.',
      examples: ['A double-click starts the command in it.'],
    }),
    cause: Type.Union([Type.String(), Type.Null()], {
      description: 'Why an honest document may have it; null if no such reason is known.',
      examples: [null],
    }),
    advice: Type.String({ description: 'What to do with the document.', examples: ['Do not open it.'] }),
    url: Type.String({
      description: 'The same as a page.',
      examples: [`https://docvet.example/findings/${ID}`],
    }),
  },
  { title: 'FindingArticle', description: 'The article about a finding.' },
)

export const FindingList = Type.Object(
  { items: Type.Array(FindingArticle) },
  { title: 'FindingList', description: 'All findings of the embedded engine.' },
)
