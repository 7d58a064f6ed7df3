/** Whether a text may address a language model, before it is read. */

import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'

/** Text in places that all documents have counts only if it addresses a model. Without one of these words it does not. */
const ADDRESSED = mark(
  [
    ...['instru', 'prompt', 'assist', 'asist', 'language model', 'chatgpt', '<|im_', '[inst]', '<<sys>>'],
    ...['anweisung', 'sprachmodell', 'consigne', 'istruzion', 'polecen', 'aanwijzing', 'positive review'],
    // Orders in Chinese, Japanese and Russian.
    ...['\xe6\x8c\x87\xe4\xbb\xa4', '\xe6\x8c\x87\xe7\xa4\xba', '\xd0\xb8\xd0\xbd\xd1\x81\xd1\x82\xd1\x80\xd1\x83'],
  ],
  { ignoresCase: true },
)

export const mayAddress = (item: Item): boolean => item.has(ADDRESSED)
