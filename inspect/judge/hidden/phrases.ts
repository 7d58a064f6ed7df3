/** Words by which a text addresses a language model, in eleven languages. Data only. */

interface Language {
  /** Verbs of leaving aside. */
  ignore: string
  /** What came before. */
  former: string
  /** What was given before. */
  orders: string
  /** Words for a model, and how the text addresses it. */
  model: string
  address: string
  /** To keep something from the user. */
  conceal: string
}

/** Lower case, without accents. `*`: the rest of a word. `_`: up to three words. */
const ROWS: readonly Language[] = [
  {
    ignore: 'ignore|disregard|forget|override|bypass|do not follow|don t follow|stop following',
    former: 'previous|prior|above|earlier|preceding|all|your|existing|original|initial|system|former',
    orders: 'instruction*|prompt*|direction*|directive*|guideline*|rules|commands|orders|context|safeguards|polic*',
    model: 'ai|ais|llm|llms|language model*|assistant|assistants|chatbot*|chatgpt|gpt|claude|gemini|copilot|ai agent*',
    address:
      'you are _ M|as M|as an M|note to _ M|attention _ M|message for _ M|message to _ M|instruction* for _ M|instruction* to _ M|dear M|hey M|hi M|hello M|if you are _ M|if M|when M|M must|M should|M shall|M reading|M summar*|M processing|positive review only|positive _ review|positive _ evaluation|positive _ assessment|recommend acceptance|recommend this _ candidate|recommend _ hiring|rate this _ candidate|strongly recommend',
    conceal:
      'not _ mention|not _ reveal|not _ disclose|not _ tell|never _ mention|never _ reveal|not _ highlight|not _ inform',
  },
  {
    ignore: 'ignorier*|missacht*|vergiss|vergessen sie|uberschreib*|ubergeh*|verwirf|befolge nicht|beachte nicht',
    former: 'vorherig*|vorhergehend*|vorig*|bisherig*|obig*|fruher*|alle|allen|deine|ihre|samtlich*',
    orders: 'anweisung*|instruktion*|befehl*|vorgabe*|regel|regeln|prompt*|richtlinie*',
    model: 'ki|ki assistent*|assistent*|sprachmodell*|chatbot*|ki modell*',
    address:
      'du bist _ M|sie sind _ M|als M|hinweis _ M|nachricht _ M|achtung _ M|anweisung* _ M|positive* _ bewertung|positive* _ beurteilung',
    conceal: 'erwahn* _ nicht|verrat* _ nicht|nenn* _ nicht|nicht _ erwahnen|nicht _ verraten|nicht _ offenlegen',
  },
  {
    ignore: 'ignor*|oubli*|ne tiens pas compte|ne tenez pas compte|outrepass*|faites abstraction|fais abstraction',
    former: 'precedent*|anterieur*|ci dessus|toutes|tous|tes|vos|prealable*',
    orders: 'instruction*|consigne*|directive*|ordres|regles|invite*|commandes',
    model: 'ia|assistant|assistante|modele de langage|chatbot|intelligence artificielle',
    address:
      'tu es _ M|vous etes _ M|en tant qu M|en tant que M|note _ M|message _ M|attention _ M|evaluation _ positive|avis _ positif',
    conceal: 'ne _ mentionne*|ne _ revele*|ne _ divulgu*|ne dites pas|ne dis pas',
  },
  {
    ignore: 'ignor*|olvid*|descart*|no sigas|no siga|haz caso omiso|haga caso omiso',
    former: 'anterior*|previa*|previo*|precedente*|todas|todos|tus|sus|arriba',
    orders: 'instruccion*|indicacion*|ordenes|reglas|directrices|comandos|prompt*',
    model: 'ia|asistente|modelo de lenguaje|chatbot|inteligencia artificial',
    address:
      'eres _ M|usted es _ M|como M|como una M|nota _ M|mensaje _ M|atencion _ M|evaluacion _ positiva|resena _ positiva',
    conceal: 'no _ mencion*|no _ revel*|no _ divulg*|no digas|nunca _ mencion*',
  },
  {
    ignore: 'ignor*|dimentic*|trascur*|non seguire|tralasci*|non tenere conto',
    former: 'precedent*|anterior*|sopra|tutte|tutti|tue|sue|vostre',
    orders: 'istruzion*|indicazion*|direttiv*|ordini|regole|comandi|prompt*',
    model: 'ia|assistente|modello linguistico|chatbot|intelligenza artificiale',
    address: 'sei _ M|lei e _ M|nota _ M|messaggio _ M|attenzione _ M|valutazione _ positiva|recensione _ positiva',
    conceal: 'non _ menzion*|non _ rivel*|non _ divulg*|non dire',
  },
  {
    ignore: 'ignor*|esquec*|desconsider*|nao siga|descart*',
    former: 'anterior*|previa*|previo*|precedentes|acima|todas|todos|suas|tuas',
    orders: 'instruc*|orientac*|diretrizes|ordens|regras|comandos|prompt*',
    model: 'ia|assistente|modelo de linguagem|chatbot|inteligencia artificial',
    address: 'voce e _ M|tu es _ M|como M|como uma M|nota _ M|mensagem _ M|atencao _ M|avaliacao _ positiva',
    conceal: 'nao _ mencion*|nao _ revel*|nao _ divulg*|nao diga',
  },
  {
    ignore: 'negeer|vergeet|negeren|volg niet|sla over',
    former: 'vorige|eerdere|bovenstaande|voorgaande|alle|jouw|uw',
    orders: 'instructie*|aanwijzing*|opdracht*|regels|richtlijn*|prompt*',
    model: 'ai|ai assistent|assistent|taalmodel|chatbot',
    address: 'je bent _ M|jij bent _ M|u bent _ M|bericht _ M|opmerking _ M|let op _ M|positieve _ beoordeling',
    conceal: 'vermeld _ niet|noem _ niet|onthul _ niet|niet _ vermelden',
  },
  {
    ignore: 'zignoruj|ignoruj|zapomnij|pomin|nie stosuj|nie wykonuj',
    former: 'poprzedni*|wczesniejsz*|powyzsz*|wszystki*|swoje|dotychczasow*',
    orders: 'instrukcj*|poleceni*|polecen|wskazow*|zasad*|reguł*|prompt*',
    model: 'ai|asystent*|model jezykowy|modelem jezykowym|modelu jezykowego|chatbot*|sztucznej inteligencji',
    address: 'jestes _ M|jako M|uwaga _ M|wiadomosc _ M|instrukcja _ M|pozytywn* _ recenzj*|pozytywn* _ ocen*',
    conceal: 'nie _ wspominaj|nie _ ujawniaj|nie mow',
  },
  {
    ignore: 'игнорируи*|проигнорируи*|забудь*|не следуи*|не выполняи*|отбрось*',
    former: 'предыдущ*|прежн*|вышеуказанн*|выше|все|всех|свои|прошл*',
    orders: 'инструкци*|указани*|команд*|правил*|приказ*|промпт*',
    model: 'ии|ассистент*|языковая модель|языковои модели|чат бот*|неиросет*',
    address: 'ты _ M|вы _ M|как M|внимание _ M|сообщение _ M|положительн* _ отзыв*|положительн* _ оценк*',
    conceal: 'не _ упоминаи*|не _ раскрываи*|не говори*|не сообщаи*',
  },
]

/** Without spaces between words. */
const TOGETHER = {
  ignore: [
    '(?:忽略|无视|忽視|不要理会|忘记)[^。]{0,12}(?:之前|以上|先前|前面|所有|上述|一切)[^。]{0,8}(?:指令|指示|提示|命令|说明|规则|要求)',
    '(?:以前|これまで|前述|上記|すべて|全て|今まで)[^。]{0,8}(?:指示|命令|プロンプト|ルール|説明)[^。]{0,6}(?:無視|忘れ|従わな)',
    '(?:이전|위의|앞의|모든)[^.]{0,20}(?:지시|명령|프롬프트|지침)[^.]{0,20}(?:무시|잊)',
  ],
  address: [
    '你(?:现在)?是[^。]{0,10}(?:助手|人工智能|语言模型)',
    'あなたは[^。]{0,10}(?:アシスタント|言語モデル|人工知能)',
    '正面(?:的)?评价|好评',
  ],
}

/** As the text is read. */
const withoutMarks = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '')

const REST = '\\S{0,20}'
const THREE_WORDS = '(?:\\S{1,30} ){0,3}'
const SIX_WORDS = '(?:\\S{1,30} ){0,6}'

const patternOf = (text: string, model = ''): string =>
  text.replaceAll('M', `(?:${model})`).replaceAll('*', REST).replaceAll(' _ ', ` ${THREE_WORDS}`)

const anyOf = (text: string, model = ''): string => `(?:${patternOf(text, patternOf(model))})`

/** For a text of lower-case words without accents, with one space before, between and after them. */
export const PHRASES = {
  ignore: new RegExp(
    [
      ...ROWS.map(({ ignore, former, orders }) => {
        const [before, given] = [anyOf(former), anyOf(orders)]
        return ` ${anyOf(ignore)} ${SIX_WORDS}(?:${before} ${THREE_WORDS}${given}|${given} ${THREE_WORDS}${before}) `
      }),
      ...TOGETHER.ignore.map(withoutMarks),
    ].join('|'),
    'u',
  ),
  address: new RegExp(
    [...ROWS.map(({ address, model }) => ` ${anyOf(address, model)} `), ...TOGETHER.address.map(withoutMarks)].join(
      '|',
    ),
    'u',
  ),
  conceal: new RegExp(ROWS.map(({ conceal }) => ` ${anyOf(conceal)} `).join('|'), 'u'),
}

/** In the text as it is: marks of turns in the formats of models, and orders to a tool. */
export const ROLES =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext|begin_of_text|start_header_id)\|>|\[\/?INST\]|<<\/?SYS>>|<start_of_turn>|(?:begin|end|new) system prompt/i
export const ROLE_LINE = /(?:^|\n|[.!?])\s{0,9}(?:system|assistant|human|###\s?instructions?)\s?:/i
export const TOOL =
  /\b(?:send|post|fetch|forward|upload|exfiltrate|call|visit|open|browse|render)\b[^\n]{0,100}https?:\/\//i
