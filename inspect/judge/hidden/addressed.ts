/** Whether a text may address a language model, before it is read. */

import { view } from '#inspect/core/bytes.ts'
import type { Item } from '#inspect/core/format.ts'
import { mark } from '#inspect/core/marks.ts'
import { anyCase } from '#inspect/core/pattern.ts'
import { charge } from '#inspect/core/work.ts'

const inBytes = (text: string): string => Buffer.from(text).toString('latin1')

/** Pieces of words by which a text addresses a model. Text in places that all documents have does not without one of them. */
const STEMS: readonly string[] = [
  ...['instru', 'prompt', 'assist', 'asist', 'language model', 'chatgpt', '<|im_', '[inst]', '<<sys>>'],
  ...[
    'ai agent',
    'ai model',
    'ai system',
    'the ai ',
    ' llm',
    'llm ',
    'llms',
    'gpt',
    'copilot',
    'gemini',
    'claude',
    'tool_call',
    'chatbot',
    'chat bot',
  ],
  // Who reads and judges, by what he does.
  ...[
    'automated ',
    'automatic ',
    'summari',
    'reader model',
    'model that ',
    'model which ',
    'evaluator',
    'processed by',
    'coding agent',
    'agents working',
  ],
  ...[
    'the task you',
    'the text of this',
    'the user has',
    'without asking',
    'a summary',
    'underwrit',
    'new instructions',
    'from now on you',
    'hidden instr',
    'positive review',
    'when answering',
    'when you answer',
    'when you process',
    'your context',
    'from this point',
    'you will respond',
    'never mention',
    '<system>',
  ],
  ...[
    'anweisung',
    'sprachmodell',
    'zusammenfass',
    'vorgaben',
    'automatische be',
    'automatische gu',
    'automatische pr',
    'modell, das',
    'modelle, die',
  ],
  ...['consigne', 'de langage', 'automatique', 'modèle qui', 'du résum', 'outil d', 'intelligence artif'],
  ...[
    'de lenguaje',
    'resumir est',
    'modelo que',
    'automátic',
    'artificial',
    'istruzion',
    'linguistic',
    'modello che',
    'automatic',
    'virtuale',
  ],
  ...[
    'de linguagem',
    'aanwijzing',
    'taalmodel',
    'samenvat',
    'automatische lez',
    'polecen',
    'instrukc',
    'modelem j',
    'streszcz',
    'automatyczn',
  ],
  ...[
    'modellen som',
    'modellen der',
    'modellen, der',
    'modellen, som',
    'automatisk',
    'sprogmodel',
    'språkmodel',
    'pokyn',
    'který shrn',
    'ktorý zhrn',
    'automatick',
  ],
  ...[
    'talimat',
    'yapay zek',
    'özetleyen',
    'okuyan ',
    'otomatik',
    'perintah',
    'arahan',
    'pengguna',
    'merangkum',
    'meringkas',
    'otomatis',
  ],
  ...[
    'utasít',
    'mesters',
    'összefoglal',
    'automatikus',
    'modelul care',
    'modelului care',
    'rezumă',
    'kielimalli',
    'tekoäly',
    'joka tiivist',
    'automaatti',
  ],
  ...[
    'mô hình',
    'tóm tắt',
    'инстру',
    'ассистент',
    'інструк',
    'языков',
    'мовна модель',
    'резюме',
    'указани',
    'рецензент',
    'модель',
    'модели',
    'искусств',
    'штучн',
  ],
  ...[
    'οδηγ',
    'τεχνητή',
    'μοντέλο',
    'αξιολογητ',
    'التعليم',
    'تعليمات',
    'مساعد',
    'تجاهل',
    'помічник',
    'проігнор',
    'الذكاء',
    'نموذج',
    'المراجع',
    'निर्देश',
    'एआई',
    'सारांश',
    'मॉडल',
  ],
  ...['מודל', 'הוראות', 'אוטומטי', 'بینا', 'בינה מל', 'مدل', 'دستورات', 'خلاصه', 'ปัญญาประดิษฐ์', 'โมเดล', 'คุณเป็น', 'สรุป'],
  ...['指令', '指示', '人工智能', 'AI助手', '语言模型', '模型', '自动评', '自动审', '总结', '摘要', '系统提示'],
  ...[
    'AIアシ',
    'するAI',
    '言語モデル',
    'モデル',
    '自動査',
    '自動評',
    '要約',
    '지시',
    '인공지능',
    'AI 어시',
    '모델',
    '자동 ',
    '요약',
  ],
  ...[
    'umělá int',
    'de limbaj',
    'ohjeet',
    'hướng dẫn',
    'คำสั่ง',
    'دستور',
    'هوش مصنوعی',
    'указания',
    'instruccion',
    'tagubilin',
  ],
  ...[
    'upute',
    'uputstv',
    'navodil',
    'nurodym',
    'norādījum',
    'juhise',
    'maagizo',
    'umjetn',
    'dirbtin',
    'mākslīg',
    'tehisint',
  ],
  // What a program was told, writes or is, see `for-programs.ts`.
  ...[
    'you were told',
    'you have been told',
    'rules you started',
    'your only job',
    'your only task',
    'obey only',
    'generated summary',
    'generated overview',
    'digest of this',
    'translation of this',
    'drafting the reply',
    'your answer with',
    'its answer with',
    'reads your answer',
    'above this line',
    'scoring engine',
    'selection systems',
    'marking software',
    'grading software',
    'answer engines',
    'in front of you',
    '_directive"',
    '_summary:',
    'hide_from_',
  ],
  ...[
    'dir bisher',
    'dir bislang',
    'kurzfassung dieser',
    'verfassen der antwort',
    'maschinelle rech',
    'zur vorauswahl',
    'person vor dir',
    'mit denen du ',
    'deine einzige',
    "t'a été de",
    'ta seule mission',
    'résumé de ce',
    'synthèse génér',
    'rédiges la réponse',
    'présélection',
    'avec lesquelles tu',
    'devant toi',
    'te indicaron',
    'te dijeron',
    'este párrafo',
    'resumen generado',
    'resumen de este',
    'redactar la ',
    'sistemas de selecc',
    'programa que revisa',
    'las que empezaste',
    'ti è stato detto',
    'obbedisci',
    'riassunto generato',
    'sintesi di questo',
    'scrivi la risposta',
    'preselezione',
    'software che contr',
    'davanti a te',
  ],
  ...[
    'lhe foi dito',
    'resumo gerado',
    'resumo desta',
    'resumo deste',
    'redigir a resposta',
    'sistemas de triagem',
    'programa que confere',
    'je eerder is',
    'opstellen van het antw',
    'selectiesystemen',
    'software die ',
    'regels waarmee je',
    'polecono ci',
    'pisząc odpowiedź',
    'systemy selekcji',
    'programu sprawdz',
    'blivit tillsagd',
    'genererade samm',
    'programmet som gr',
    'til udvælgelse',
    'du hidtil',
    'skriver svaret',
    'sinulle on aiemmin',
    'tarkastavalle ohj',
    'co ti byl',
    'co ti bol',
    'vygenerovan',
    'program, kter',
    'mondtak neked',
    'kiválasztó rend',
    'ți s-a spus',
    'rezumatul gener',
    'sana şimdiye',
    'oluşturulan özet',
    'denetleyen yaz',
  ],
  ...[
    'σου είπαν',
    'πρόγραμμα ελέγχ',
    'тебе поруч',
    'тебе сказ',
    'программы провер',
    'системы отбора',
    'сформированной св',
  ],
  ...['составляя ответ', 'человека перед тоб', 'тобі доруч', 'програми перев', 'طُلب منك', 'طلب منك', 'برنامج تدقيق'],
  ...['الملخص المُنش', 'الملخص المنش', 'שנאמר לך', 'तुम्हें जो कुछ', 'प्रोग्राम के लिए', '审核程序', '筛选系统', '对你的一切'],
  ...[
    '本段文字',
    '撰写回复',
    '段落だけに',
    '確認するプロ',
    '返信を作成',
    '받은 요구',
    '단락만',
    '프로그램에게',
    '답장을 작성',
  ],
  ...['ย่อหน้านี้', 'được yêu cầu trước', 'phần mềm kiểm', 'diminta kepadamu', 'program pemeriksa'],
  ...[
    'joilla aloitit',
    'con cui sei part',
    'com que você com',
    'z którymi zaczyn',
    'du startade',
    'amelyekkel indul',
    'başladığın kural',
  ],
  ...[
    'οποίους ξεκίνησ',
    'с которыми ты',
    'з якими ти',
    'التي بدأت بها',
    '你启动时',
    '起動時の規則',
    '처음에 받은',
    'người trước mặt',
  ],
  ...[
    'bewertungssoftware',
    'moteur de notation',
    'motor de puntuac',
    'moteurs de réponse',
    'ведущий дело',
    'osobę przed tobą',
    'persoon voor je',
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
]
const ADDRESSED = mark(STEMS.map(inBytes), { ignoresCase: true })

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
const WIDE_MEANS = anyCase`ignor|disregard|intelligen[cz]|\b(?:ais?|ki|ia|llms?)\b|${STEMS}`

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
  /\b(?:ais?|ki|ia|llms?|gpt|chatgpt|copilot|claude|gemini|chat ?bots?|assist[ae]n\w{1,3}|asistente?|asystent\w{0,3})\b|language model|sprachmodell|taalmodel|de lang|lenguaje|linguagem|linguisti|ignor|disregard|forget|override|bypass|the summary|a summary|vergiss|oubli|olvid|negeer|system prompt|positive review|summari[sz]|zusammenfass|resumir|intelligen[cz]|from now on|new instructions|do not follow|<\||\[inst|&lt;\||tool_call|ign0|1gn|tpmorp|snoitcurtsni|i.g.n.o.r|[a-z0-9+/]{60}|&#|the user has|without asking|underwrit|(?:reader|review\w{0,5}) model|model\w{0,5},? (?:that|which|yang|que|che|care|dat|das|der|som|die|qui|kt)|automat\w{1,9} \w|reviewer|evaluator|agents working|the task you|you will respond|the text of this|hidden instr|never mention|when you|your context|from this point|samenvat|streszcz|you were told|you have been told|rules you started|your only (?:job|task)|obey only|generated (?:summary|overview)|(?:digest|translation) of this|drafting the reply|answer with|above this line|scoring engine|selection systems|(?:marking|grading) software|in front of you|_directive|_summary:|hide_from|bewertungssoftware|moteurs? de|motor de|con cui|osob|persoon voor|startade|aloitit|indul|dir bis|kurzfassung|verfassen der|maschinelle|vorauswahl|person vor dir|mit denen du|deine einzige|ta seule|devant toi|te (?:indicaron|dijeron)|(?:resumen|riassunto) generado?|resumen de este|redactar la|que (?:revisa|empezaste|confere)|obbedisci|riassunto generato|sintesi di|scrivi la|preselezione|che contr|davanti a te|lhe foi dito|resumo (?:gerado|dest)|redigir a|triagem|je eerder|opstellen van|selectiesystemen|software die|waarmee je|polecono ci|selekcji|programu|tillsagd|genererade|programmet som|du hidtil|skriver svaret|aiemmin|tarkastavalle|co ti b|vygenerovan|program,|mondtak|rezumatul|diminta kepada|pemeriksa|[\xc3-\xdf][\x80-\xbf]|[\xe0-\xff][\x80-\xbf]{2}/i
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

/** The same for a text that was decoded. */
export const mayAddressText = (text: string): boolean => WIDE_MEANS.test(text)

const REPLACEMENT = '/ActualText'
const REPLACEMENTS_MAX = 2_000
const REPLACEMENT_WORK = 8

/** The same for what the content of a page of a PDF gives programs in the place of what it draws. */
export function mayReplace(content: string): boolean {
  let at = content.indexOf(REPLACEMENT)
  for (let count = 0; at !== -1 && count < REPLACEMENTS_MAX; count++) {
    const next = content.indexOf(REPLACEMENT, at + 1)
    const end = next === -1 ? content.length : next
    const text = content.slice(at + REPLACEMENT.length, Math.min(end, at + WIDE_MAX)).trimStart()
    const isWide = text.startsWith('(\xfe\xff') || /^<feff/i.test(text)
    charge(text.length * REPLACEMENT_WORK)
    if (WIDE_MEANS.test(isWide ? wideText(Buffer.from(text, 'latin1')) : text)) return true
    at = next
  }
  return false
}

/** What hides a text of a page. */
const HIDES = mark(
  [
    'display:none',
    'display: none',
    'visibility:hidden',
    'visibility: hidden',
    'font-size:0',
    'font-size: 0',
    'opacity:0',
    'opacity: 0',
    ' hidden>',
    ' hidden ',
    '<!--',
    '<noscript',
    '<template',
    'left:-9',
    'color:#fff',
    'color:white',
    'color: #fff',
    'color: white',
  ],
  { ignoresCase: true },
)
/** A page of so many bytes is read whatever its words are. */
const PAGE_BYTES_MAX = 60_000

export const mayHideText = (item: Item): boolean => item.bytes.length <= PAGE_BYTES_MAX && item.has(HIDES)
