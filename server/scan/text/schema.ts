/** Schemas of the text of a document. */
import { Type } from 'typebox'
import { HidingReason } from '#scan/schema.ts'

export const VisibleText = Type.Object(
  {
    scanId: Type.String({ format: 'uuid', examples: ['019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'] }),
    pages: Type.Array(
      Type.Object(
        {
          n: Type.Integer({
            minimum: 1,
            description: 'Counts the pages, slides, sheets and members that have text.',
            examples: [1],
          }),
          text: Type.String({ examples: ['Invoice 4711'] }),
        },
        { title: 'TextPage' },
      ),
    ),
    omitted: Type.Array(
      Type.Object(
        { reason: HidingReason, count: Type.Integer({ minimum: 1, examples: [2] }) },
        { title: 'OmittedText' },
      ),
      { description: 'How many hidden texts were left out. `POST /api/v1/scan?include=hiddenText` returns them.' },
    ),
    unread: Type.Array(Type.String({ examples: ['old.doc'] }), { description: 'Members whose text is not read.' }),
  },
  { title: 'VisibleText', description: 'The text that readers of the document see.' },
)
