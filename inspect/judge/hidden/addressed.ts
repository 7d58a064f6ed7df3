/** Whether a text may address a language model, before it is read. */

import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'

const inBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** Text in places that all documents have counts only if it addresses a model. Without one of these words it does not. */
const ADDRESSED = mark(
  [
    ...['instru', 'prompt', 'assist', 'asist', 'language model', 'chatgpt', '<|im_', '[inst]', '<<sys>>'],
    ...['ai agent', 'ai model', 'ai system', 'the ai ', ' llm', 'copilot', 'gemini', 'claude', 'tool_call'],
    ...['talimat', 'yapay zek', 'instrukc', 'pokyn', 'perintah', 'arahan', 'pengguna', 'utas\xc3\xadt', 'mesters'],
    ...['anweisung', 'sprachmodell', 'consigne', 'istruzion', 'polecen', 'aanwijzing', 'positive review'],
    // Orders in other scripts.
    ...['指令', '指示', '지시', 'инстру', 'ассистент', 'інструк', 'οδηγ', 'التعليم', 'निर्देश'].map(inBytes),
  ],
  { ignoresCase: true },
)

/** A model by its shortest name, and orders to leave something aside or to say nothing about it. */
const SHORT = mark(
  [
    ...[
      ' ai ',
      '>ai ',
      '\nai ',
      ' ai:',
      '>ai:',
      '\nai:',
      ' ai-',
      ' ki ',
      '>ki ',
      ' ki-',
      ' ia ',
      '>ia ',
      ' ia:',
      '>ia:',
    ],
    ...[
      'disregard',
      'ignore the ',
      'ignore all',
      'ignore any',
      'ignore every',
      'not mention',
      'not reveal',
      'not disclose',
    ],
    ...['ignoriere', 'ignorez ', 'ignora ', 'ignorar ', 'negeer ', 'ignoruj', 'vergiss '],
  ],
  { ignoresCase: true },
)

/** Letters of ASCII with a sign without a width after each of them: what they say is not found otherwise. */
const SPLIT = mark(['\xe2\x80\x8b', '\xe2\x80\x8c', '\xe2\x80\x8d', '\xe2\x81\xa0', '\xef\xbb\xbf'], {
  fits: (bytes, at) => IN_WORD.test(bytes.toString('latin1', Math.max(0, at - 1), at + 12)),
})
const IN_WORD =
  /^[a-z](?:\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf)[a-z](?:\xe2\x80[\x8b-\x8d]|\xe2\x81\xa0|\xef\xbb\xbf)[a-z]/i

export const mayAddress = (item: Item): boolean => [ADDRESSED, SHORT, SPLIT].some((each) => item.has(each))
