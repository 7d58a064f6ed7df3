/** Findings of text that readers do not see. */

import type { Definition } from './definition.ts'

export const HIDDEN = {
  text: {
    id: 'Docvet.Hidden.Text',
    severity: 'notice',
    title: 'Text that readers do not see',
    reason:
      'The document has text that is not shown: in the colour of its background, tiny, outside the page or marked as hidden.',
    technique: null,
    article: {
      danger:
        'Programs that read the document, such as assistants and search, read this text as well. The people who check it do not see it.',
      cause:
        'Scanned pages with a layer of text, forms and templates have hidden text too. Docvet recognises most of it, not all.',
      advice: 'If a program shall read the document, give it only the visible text, which Docvet returns on request.',
    },
  },
  instructions: {
    id: 'Docvet.Hidden.Instructions',
    severity: 'suspicious',
    title: 'Hidden text for an assistant',
    reason: 'The document has text that readers do not see and that tells a language model what to do.',
    technique: 'AML.T0051.001',
    article: {
      danger:
        'An assistant that reads the document may follow the hidden text: praise an applicant, change a sum, or send data to somebody.',
      cause:
        'Papers and tests about this attack contain it, and some publishers use it to notice reviews that a program wrote.',
      advice: 'Do not give the document to an assistant. Ask its sender why it contains hidden text.',
    },
  },
  unicode: {
    id: 'Docvet.Hidden.Unicode',
    severity: 'suspicious',
    title: 'Text in characters without a shape',
    reason: 'The document has a text in Unicode characters that no program shows.',
    technique: 'AML.T0051.001',
    article: {
      danger:
        'Readers see nothing, but a language model reads the characters like letters. They can carry instructions or mark a copy.',
      cause: null,
      advice: 'Do not give the text to an assistant. Remove the characters, or write the text again.',
    },
  },
} as const satisfies Record<string, Definition>
