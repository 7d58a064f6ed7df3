/** Whether a text that readers do not see addresses a language model. */

import { charge } from '#inspect/core/work.ts'
import { folded, otherReadings } from '../folding.ts'
import { callsModel } from './calls.ts'
import { DECIDES, FOR_AUTOMATED, GENERATES, JUDGES, REVOKES, VOIDS } from './for-programs.ts'
import { toldByTask } from './machines.ts'
import { KEYS, PRIVATE, ROLE_LINE, ROLES, SECRET_COPY, TOOL, TOOL_NAME } from './phrases.ts'
import { createSaid, ORDERED_TOGETHER, WRITTEN_TOGETHER } from './said.ts'

/** Characters that are judged together. */
const JUDGED_MAX = 20_000
/** An order may stand where two such parts meet. */
const OVERLAP = 2_000
/** Longer texts are read up to here: whoever hides an order may hide any text before it. */
export const READ_MAX = 200_000
const SIGN_WORK = 15
const CHARACTER_WORK = 400

/** What is said to a model. Of each kind the heaviest phrase counts, and the kinds are added. */
interface Weights {
  /** To leave aside its orders, or what the user asked for. */
  override: number
  /** Marks of turns in the formats of models. */
  roles: number
  address: number
  /** Orders beside the words that address a model. */
  order: number
  conceal: number
  output: number
  tool: number
  private: number
}

/** Of text that is hidden with effort, of text in places that all documents have, such as comments, and of text that may be seen. */
const ENOUGH = { strong: 1, weak: 1.5, shown: 2 }
/** What little else than an order has: it is said, not accused. */
const HINT = 0.45

/** Words of which one is in every text that addresses a model in letters of ASCII. */
const STEMS = String.raw`instru|prompt|ass?ist|model|gpt|copilot|claude|gemini|the user has|underwrit|\b(?:ais?|ki|ia|llms?)\b|bot\b|ignor|disregard|forget|summar|zusammenfass|resum|mention|automati|agents?\b|reviewer|evaluator|beoordel|tpmorp|1gn|you will respond|you were told|you have been told|obey|your only (?:job|task)|generated |digest of this|translation of this|the reply|answer|above this line|scoring|selection sys|software|in front of you|directive|hide_from|dir bis|verfassen der|vorauswahl|maschinell|person vor dir|mit denen du|ta seule|devant toi|te indicaron|te dijeron|redactar|programa|empezaste|obbedisci|sintesi|risposta|selezion|lhe foi dito|triagem|redigir|je eerder|opstellen|selectie|waarmee|polecono|selekcji|tillsagd|genererade|programmet|hidtil|svaret|aiemmin|co ti b|vygenerovan|mondtak|diminta|pemeriksa`
/** Without one of these, a text addresses no model. */
export const MAY_ADDRESS = new RegExp(String.raw`${STEMS}|[^\0-\x7f\u2000-\u2bff]|[A-Za-z0-9+/]{40}`, 'i')
const STEM_WORD = new RegExp(String.raw`(?:${STEMS})\p{L}*`, 'giu')

/** Whether a word that is read otherwise has more of such a word. */
const tellsMore = (before: string, after: string): boolean => lengthOf(after) > lengthOf(before)
const lengthOf = (word: string): number => Math.max(0, ...[...word.matchAll(STEM_WORD)].map(([found]) => found.length))

/** A line that goes on. */
const WRAPPED = /\n(?=\p{Ll})/gu
/** Texts about such instructions quote them. */
const ABOUT =
  /prompt[- ]?injection|injection de prompt|inyecci[oó]n de prompt|jailbreak|提示(?:词)?注入|プロンプトインジェクション/i
const QUOTED =
  /"[^"\n]{1,400}"|“[^”\n]{1,400}”|„[^“”\n]{1,400}[“”]|«[^»\n]{1,400}»|「[^」\n]{1,400}」|`[^`\n]{1,400}`|&quot;[^&\n]{1,400}&quot;/g

export function addressesModel(text: string, hiding: keyof typeof ENOUGH): boolean {
  const holds = (weights: Weights): boolean => isSuspect(weights, hiding)
  if (weighed(text, hiding, holds)) return true
  for (let at = JUDGED_MAX - OVERLAP; at + OVERLAP < Math.min(text.length, READ_MAX); at += JUDGED_MAX - OVERLAP) {
    const part = text.slice(at, at + JUDGED_MAX)
    charge(part.length * SIGN_WORK)
    if (MAY_ADDRESS.test(part) && weighed(part, hiding, holds)) return true
  }
  return false
}

/** Whether a text that nobody sees may be meant for a program that reads the document. */
export const mayOrder = (text: string): boolean => weighed(text, 'weak', (weights) => total(weights) >= HINT)

const total = (weights: Weights): number => Object.values(weights).reduce((sum, weight) => sum + weight, 0)

/** People leave notes for people in comments and notes: such an order must be meant for a program. */
function isSuspect(weights: Weights, hiding: keyof typeof ENOUGH): boolean {
  if (total(weights) < ENOUGH[hiding]) return false
  const { override, roles, address, tool } = weights
  return hiding === 'strong' || address + roles > OF_PERSON || override > 1 || tool + weights.private > 0.5
}

function weighed(text: string, hiding: keyof typeof ENOUGH, holds: (weights: Weights) => boolean): boolean {
  const start = text.slice(0, JUDGED_MAX)
  const whole = start.replace(WRAPPED, ' ')
  const written = hiding !== 'strong' && ABOUT.test(whole) ? whole.replace(QUOTED, ' ') : whole
  const isEnough = (lines: string): boolean => {
    charge(lines.length * CHARACTER_WORK)
    return holds(weightsOf(written, lines))
  }
  return isEnough(folded(written)) || otherReadings(written, tellsMore).some(isEnough)
}

/** Weight of an address to somebody who may be a person. */
const OF_PERSON = 0.45

/** The first that holds. */
const heaviest = (...phrases: readonly (readonly [number, boolean])[]): number =>
  phrases.find(([, holds]) => holds)?.[0] ?? 0

/** People are called so as well. */
const OF_PEOPLE =
  /^(?:ass?ist[ae]n|asyst|асист|ассист|asszis|asisten|asistan|βοηθ|ال?مساعد|مساعد|सहयक|دستیار|virtual|avustaj|ל?עוזר)/u

/** `TODO` stands before a note. */
const EVERYTHING = /\b(?:everything|anything|alles|tout|todo (?:lo|el|esto|este)|tudo|tutto)\b|все/u

/** Nobody but a program is asked to summarise the document in a certain way. */
const TASK =
  /\b(?:when|whenever|if|while|cuando|si|al|ao|quando|se|wenn|falls|beim|lorsque|quand|en|als|bij|gdy|jesli|pokud|kdyz|ha|cand|daca|nar|om|hvis|jos|ako|kad|ce|nel|khi|jika|saat) (?:\S{1,20} ){0,3}(?:summar|zusammenfass|resum|riassum|synthetis|samenvat|streszcz|podsumow|shrn|zhrn|sammanfatt|opsummer|oppsummer|tiivist|rezum|osszefoglal|saz[ei]m|povzem|merangkum|meringkas|tom tat)/

const USER =
  /\b(?:users?|the human|human asking|benutzer|nutzer|utilisateur|usuario|utente|utilizador|gebruiker|uzytkownik|kullanici)/

/** Whether what the reader was told before is to be left aside. */
const leavesOrders = (said: Said, joined: string): boolean =>
  said.inOrder('ignore', ['former', 6], ['orders', 2]) ||
  said.inOrder('ignore', ['orders', 6], ['former', 3]) ||
  // The verb comes last in German, Turkish, Persian and Hindi.
  said.inOrder('former', ['orders', 3], ['ignore', 3]) ||
  said.inOrder('orders', ['former', 2], ['ignore', 2]) ||
  WRITTEN_TOGETHER.ignore.test(joined)

/** The same of what the user asked for, or of what the document says. */
const leavesAside = (said: Said, joined: string): boolean =>
  said.inOrder('ignore', ['aside', 3]) ||
  said.inOrder('ignore', ['former', 3]) ||
  said.inOrder('aside', ['ignore', 3]) ||
  WRITTEN_TOGETHER.aside.test(joined)

/** Whether a program is named: people summarise and translate as well. */
const isNamed = (said: Said, joined: string): boolean =>
  said.models().length > 0 || said.has('reader') || ORDERED_TOGETHER.test(joined)

type Said = ReturnType<typeof createSaid>

/** By a name or an order that nobody gives to people. */
const namesTool = (written: string): boolean =>
  (written.includes('@') && SECRET_COPY.test(written)) || TOOL_NAME.test(written)

function weightsOf(written: string, lines: string): Weights {
  const { words, sentences, clauses } = wordsOf(lines)
  const joined = words.join(' ')
  const spaced = ` ${joined} `
  const said = createSaid(words, sentences, clauses)
  const isSaid = (kind: 'address' | 'conceal' | 'output'): boolean =>
    said.has(kind) || WRITTEN_TOGETHER[kind].test(joined)
  const isOverridden = leavesOrders(said, joined)
  // "Ignore everything above".
  const isAllAside = EVERYTHING.test(joined) && said.inOrder('ignore', ['aside', 1], ['former', 3])
  const models = said.models()
  const isModel =
    models.length === 0 ||
    said.has('reader') ||
    USER.test(joined) ||
    TASK.test(joined) ||
    TOOL_NAME.test(written) ||
    models.some((word) => !OF_PEOPLE.test(word))
  const isCalled = callsModel(lines) || said.callsModel()
  const isMeantFor = isCalled || FOR_AUTOMATED().test(spaced)
  const isTold = said.follows('modal', 'order', TOLD, (one, other) => sentences[one] === sentences[other], true)
  const isSame = (one: number, other: number): boolean => sentences[one] === sentences[other]
  const isMeant = said.follows('mention', 'order', REACH, isSame)
  const isAddressed = isSaid('address') || isTold || isMeant
  const isNear = (one: number, other: number): boolean => (sentences[other] ?? 0) - (sentences[one] ?? 0) <= 1
  const isOrdered =
    isModel &&
    (isTold ||
      isMeant ||
      said.follows('address', 'order', REACH, isNear) ||
      said.follows('reader', 'order', REACH, isNear) ||
      ORDERED_TOGETHER.test(joined))
  const byTask = byItsTask(toldByTask(spaced, lines), USER.test(joined))
  return {
    override: heaviest(
      [2, isOverridden],
      [1.5, REVOKES().test(spaced)],
      [1, isAllAside],
      [0.75, leavesAside(said, joined)],
      [0.5, VOIDS().test(spaced)],
    ),
    roles: heaviest([2, ROLES.test(written)], [1.5, KEYS.test(written)]),
    address: heaviest(
      [1, (isAddressed && isModel) || GENERATES().test(spaced)],
      [0.75, ((isMeantFor || said.has('reader')) && isModel) || JUDGES().test(spaced)],
      [byTask.address, byTask.address > OF_PERSON],
      [0.5, ROLE_LINE.test(written)],
      [OF_PERSON, isAddressed || isCalled || said.has('mention') || byTask.address > 0],
      [0.25, said.has('modal')],
    ),
    order: heaviest(
      [isNamed(said, joined) ? 0.5 : 0.25, isOrdered],
      [0.25, isMeantFor && isModel && !isSaid('output') && said.orders()],
    ),
    conceal: heaviest([byTask.conceal, byTask.conceal > 0], [0.5, isSaid('conceal')]),
    output: Math.max(heaviest([0.75, DECIDES().test(spaced)], [0.5, isSaid('output')]), byTask.output),
    tool: heaviest([0.75, namesTool(written)], [0.5, TOOL.test(written)]),
    private: heaviest([0.25, PRIVATE.test(written)]),
  }
}

/** An order to a program that is named only by what it does with the text. */
function byItsTask(
  { isMachine, isTask, isAsked, isTold, isSecret, isChanged }: ReturnType<typeof toldByTask>,
  namesUser: boolean,
): Pick<Weights, 'address' | 'conceal' | 'output'> {
  // Notes for a speaker say what to answer as well, but only a program has users.
  const isOrder = isTask || (isAsked && namesUser)
  return {
    address: heaviest([0.75, isMachine && (isTold || isSecret)], [0.5, isOrder], [OF_PERSON, isMachine || isAsked]),
    conceal: heaviest([0.5, isSecret]),
    output: heaviest([0.75, isChanged], [0.5, isTold]),
  }
}

/** Words after the name of a model among which an order is meant for it. */
const REACH = 25
const TOLD = 4
const TOKEN = /([\p{L}\p{N}]+)|[.!?\n;。！？]+|[,:()"“”„«»—–]+/gu
const PAUSE = /^[,:()"“”„«»—–]/

/** With the number of the sentence that each word is in, and whether something is set off before it. */
function wordsOf(lines: string): { words: string[]; sentences: number[]; clauses: boolean[] } {
  const words: string[] = []
  const sentences: number[] = []
  const clauses: boolean[] = []
  let [sentence, isFirst] = [0, true]
  for (const [sign, word] of lines.matchAll(TOKEN)) {
    if (word === undefined) {
      if (!PAUSE.test(sign)) sentence += 1
      isFirst = true
      continue
    }
    words.push(word)
    sentences.push(sentence)
    clauses.push(isFirst)
    isFirst = false
  }
  return { words, sentences, clauses }
}

const WORD = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]{0,40}/gu
/** Scripts without spaces: two characters count as a word. */
const TOGETHER = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]{2}/gu

export function wordsIn(text: string): number {
  const together = text.match(TOGETHER)?.length ?? 0
  return together + (text.replace(TOGETHER, ' ').match(WORD)?.length ?? 0)
}
