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

export const mayAddress = (item: Item): boolean => item.has(ADDRESSED)
