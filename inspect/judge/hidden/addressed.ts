/** Whether a text may address a language model, before it is read. */

import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { charge } from '#inspect/core/work.ts'

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
    ...['人工智能', 'AI助手', '语言模型', 'AIアシ', 'するAI', '言語モデル', '인공지능', 'AI 어시'].map(inBytes),
    ...[
      'языков',
      'мовна модель',
      'τεχνητή',
      'الذكاء',
      'نموذج',
      'एआई',
      'tekoäly',
      'מודל שפה',
      'הוראות',
      'مدل زبانی',
    ].map(inBytes),
    ...['دستورات', 'ปัญญาประดิษฐ์', 'โมเดล', 'คุณเป็น', '总结', '摘要', '系统提示', '要約', 'резюме', 'указани'].map(
      inBytes,
    ),
    ...[
      'chatbot',
      'chat bot',
      'gpt',
      'when summari',
      'summarising th',
      'summarizing th',
      'summarise th',
      'summarize th',
      'zusammenfass',
      'resumir est',
      'du r\xc3\xa9sum',
      'llms',
      'de langage',
      'de lenguaje',
      'linguistic',
      'de linguagem',
    ],
    ...[
      'taalmodel',
      'modelem j',
      'kielimalli',
      'consignes',
      'summarizer',
      'summarising tool',
      'new instructions',
      'from now on you',
    ],
    // Texts that are written backwards, in other letters, and in Base64.
    ...[
      'snoitcurtsni',
      'tpmorp',
      'i g n o r e',
      'i.g.n.o.r.e',
      '1gn0re',
      'ign0re',
      '1nstruct',
      'aWdub3Jl',
      'SWdub3Jl',
      'lnbm9yZ',
      'pZ25vcm',
    ],
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
      ' ai,',
      ' ai.',
      '(ai ',
      ' ia,',
      ' ki,',
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

/** Letters of other scripts in words of orders, soft hyphens in words, and rows of references for letters. */
const DISGUISED = mark(
  [
    ...['gnо', 'іgn', 'іns', 'nstruс', 'prе', 'рre', 'rеv', 'аss', 'рrom', 'сhat'].map(inBytes),
    'g&shy;',
    'n&shy;',
    '&shy;n',
    'g&#8203;',
    'n&#8203;',
    'i&#8203;',
  ],
  { ignoresCase: true },
)
const REFERENCES = mark(['&#1', '&#x6', '&#x7', '&#9'], {
  ignoresCase: true,
  fits: (bytes, at) => IN_ROW.test(bytes.toString('latin1', at, at + 26)),
})
const IN_ROW = /^(?:&#(?:1[012]\d|9\d|x[67][0-9a-f]);){4}/i
/** Soft hyphens in words of ASCII. */
const SOFT = mark(['g\xc2\xad', 'n\xc2\xad', 'e\xc2\xad', 's\xc2\xad', 'i\xc2\xad', 'o\xc2\xad'], {
  ignoresCase: true,
  fits: (bytes, at) => IN_PIECES.test(bytes.toString('latin1', at + 1, at + 40)),
})
const IN_PIECES = /^\xc2\xad[a-z]{1,4}(?: ?[a-z]{1,9}){0,3}\xc2\xad[a-z]/i

/** Texts of PDF in UTF-16, as strings of bytes or of hexadecimal digits. */
const WIDE = mark(['(\xfe\xff', '<feff'], {
  ignoresCase: true,
  fits: (bytes, at) => WIDE_MEANS.test(wideText(bytes.subarray(at, at + WIDE_MAX))),
})
const WIDE_MAX = 1_200
const WIDE_MEANS =
  /instru|prompt|ass?ist|\b(?:ais?|ki|ia|llms?|gpt)\b|language model|sprachmodell|chatbot|ignor|disregard|intelligen[cz]|de lang|lenguaj|linguag|指令|指示|助手|语言模型|アシスタント|言語モデル|인공지능|지시|инстру|ассистент|языков/i

function wideText(bytes: Buffer): string {
  const raw = bytes.toString('latin1')
  const digits = /^<feff([0-9a-f\s]*)/i.exec(raw)?.[1]?.replace(/\s/g, '')
  const wide =
    digits === undefined ? Buffer.from(raw.slice(3).replace(/\\([()\\])/g, '$1'), 'latin1') : Buffer.from(digits, 'hex')
  return Buffer.from(wide.subarray(0, wide.length & ~1))
    .swap16()
    .toString('utf16le')
}

/** In the bytes of a part that has one of the words above: who is addressed, or what is left aside. */
const MEANS =
  /\b(?:ais?|ki|ia|llms?|gpt|chatgpt|copilot|claude|gemini|chat ?bots?|assist[ae]n\w{1,3}|asistente?|asystent\w{0,3})\b|language model|sprachmodell|taalmodel|de lang|lenguaje|linguagem|linguisti|ignor|disregard|forget|override|bypass|vergiss|oubli|olvid|negeer|system prompt|positive review|summari[sz]|zusammenfass|resumir|intelligen[cz]|from now on|new instructions|do not follow|<\||\[inst|&lt;\||tool_call|ign0|1gn|tpmorp|snoitcurtsni|i.g.n.o.r|[a-z0-9+/]{60}|&#|[\x80-\xff]{3}/i
const MEANS_WORK = 4
const MEANS_MAX = 2_000_000

/** The same for parts that are expensive to read. */
export function mayAddressIn(item: Item): boolean {
  if (!mayAddress(item)) return false
  charge(Math.min(item.bytes.length, MEANS_MAX) * MEANS_WORK)
  return MEANS.test(view(item.bytes.subarray(0, MEANS_MAX)).toString('latin1'))
}

export const mayAddress = (item: Item): boolean =>
  [ADDRESSED, SHORT, SPLIT, DISGUISED, REFERENCES, SOFT, WIDE].some((each) => item.has(each))
