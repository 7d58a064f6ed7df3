/** Words of texts that make their reader paste a command or give a password, and of texts that warn of it, in eight languages. Data only. */

interface Language {
  /** What is done with the command. */
  pastes: string
  /** Only an attacker checks by a command that the reader is human. */
  human: string
  /** Something is broken, closed or found, and the command repairs, opens or removes it. */
  broken: string
  /** Why a password or a card is needed at once. */
  urges: string
  /** Orders not to do it. */
  forbids: string
  /** Those who ask for it, seen from outside. */
  reports: string
}

/** Lower case, without accents. `*`: the rest of a word. `_`: up to six words. */
const ROWS: readonly Language[] = [
  {
    pastes: 'paste|copy|ctrl v|control v|strg v|cmd v|command v',
    human: 'verify you are human|confirm you are human|human verification',
    broken:
      'certificate _ expired|account _ locked|account _ suspended|account _ blocked|account _ limited|unlock your account|restore access|malware _ found|malware _ detected|virus* _ found|virus* _ detected|threat* _ found|threat* _ detected|infected with',
    urges:
      'mailbox _ full|messages _ on hold|parcel _ held|parcel _ on hold|customs fee|delivery fee|card _ suspended|account _ suspended|confirm your account|permanently suspended|permanently closed',
    forbids:
      'do not run|do not paste|do not execute|do not press|do not copy|do not do this|do not follow|don t run|don t paste|don t execute|don t copy|don t do|don t follow|never run|never paste|never execute|never press|never copy|never do|not _ paste it|must not paste|should not paste|no _ will ask you to|no _ asks you to',
    reports:
      'clickfix|click fix|victim*|threat actor*|attacker* ask|attacker* asks|attacker* trick*|attacker* use*|attacker* want*|attacker* tell|attacker* instruct*|attacker* persuade*|attacker* place*|attacker* abuse*|attacker* lure*|criminals _ ask|criminals _ trick|scammer*|fake captcha*|fake verification*|awareness training|security awareness|users _ tricked|users _ lured|social engineering',
  },
  {
    pastes: 'einfug*|einfueg*|fugen sie _ ein|fug _ ein|fuge _ ein|fuegen sie|kopieren|kopiere',
    human: 'kein roboter|mensch sind|ein mensch|menschliche uberprufung|prufe mensch|pruefe mensch',
    broken:
      'gesperrt|freischalt*|freizuschalten|entsperr*|zertifikat _ abgelaufen|zertifikat _ erneuern|nicht angezeigt|nicht geoffnet|nicht dargestellt|nicht installiert|problem _ beheben|beheben sie _ problem|fehler _ beheben|beheben sie _ fehler|dokument ist geschutzt|dokument ist verschlusselt|manuell reparieren',
    urges:
      'postfach _ voll|speicher _ voll|konto _ gesperrt|konto _ eingeschrankt|karte _ gesperrt|zollgebuhr*|zollgebuehr*|sendung _ zuruckgehalten|paket _ zuruckgehalten|bestatigen sie ihr konto|verifizieren sie ihr konto|sitzung _ abgelaufen',
    forbids:
      'nicht ausfuhren|nicht ausfuehren|nicht einfugen|nicht einfuegen|nie _ ein|niemals _ ein|nie _ ausfuhren|niemals _ ausfuhren|nicht _ ausfuhren|fuhren sie _ nicht|fuhren sie nie*|fugen sie nie*|fugen sie _ nicht|drucken sie nie*|drucken sie _ nicht|folgen sie _ nicht|fordert sie _ nie|fordern sie _ nie',
    reports:
      'angreifer*|betruger*|betrueger*|opfer|opfern|kriminelle*|tater|gefalschte* captcha*|gefalschte _ prufung|sensibilisierung*',
  },
  {
    pastes: 'collez|coller|colle|copiez|copier',
    human: 'pas un robot|etes humain*|verification humaine',
    broken:
      'certificat _ expire|certificat _ renouvel*|ne peut pas etre affiche*|ne peut pas etre ouvert*|impossible d afficher|impossible d ouvrir|corriger le probleme|resoudre le probleme|corriger l erreur|n est pas installe*|document _ protege|compte _ bloque|compte _ suspendu|debloquer',
    urges:
      'boite _ pleine|boite _ saturee|quota _ depasse|compte _ suspendu|compte _ bloque|carte _ suspendue|carte _ bloquee|session _ expire*|colis _ attente|frais de douane|confirmez votre compte|verifiez votre compte',
    forbids:
      'ne collez _ jamais|ne collez _ pas|n executez _ jamais|n executez _ pas|ne jamais coller|ne jamais executer|ne pas coller|ne pas executer|n appuyez _ pas|ne copiez _ jamais|ne copiez _ pas|ne suivez _ pas|ne suivez _ jamais',
    reports: 'attaquant*|escroc*|cybercriminel*|pirates|victime*|faux captcha*|sensibilisation',
  },
  {
    pastes: 'pegue|pega|pegar|peguelo|copie|copiar|copia',
    human: 'no soy un robot|no es un robot|no eres un robot|es humano|eres humano|verificacion humana',
    broken:
      'certificado _ caducado|certificado _ vencido|certificado _ expirado|certificado _ caduco|no se puede mostrar|no se puede abrir|no se pudo abrir|solucionar el problema|solucionar el error|corregir el error|corregir el problema|no esta instalad*|documento _ protegido|cuenta _ bloqueada|cuenta _ suspendida|desbloquear',
    urges:
      'buzon _ lleno|buzon _ capacidad|cuenta _ suspendida|cuenta _ bloqueada|tarjeta _ bloqueada|sesion _ caducado|sesion _ expirado|paquete _ retenido|tasas de aduana|confirme su cuenta|verifique su cuenta|perdida de mensajes',
    forbids:
      'no pegue|no pegues|no ejecute|no ejecutes|no copie|no copies|no pulse|no siga|nunca pegue*|nunca ejecute*|nunca copie*|no se debe pegar|no debe pegar',
    reports:
      'atacante*|estafador*|ciberdelincuente*|delincuentes|victima*|captcha falso|captchas falsos|concienciacion',
  },
  {
    pastes: 'incolla|incollare|incollate|incolli|copia|copiare|copiate',
    human: 'non sono un robot|non sei un robot|sei umano|essere umano|verifica umana',
    broken:
      'certificato _ scaduto|non puo essere visualizzato|non puo essere aperto|impossibile visualizzare|impossibile aprire|risolvere il problema|correggere il problema|correggere l errore|non e installat*|documento _ protetto|account _ bloccato|account _ sospeso|conto _ bloccato|sbloccare',
    urges:
      'casella _ piena|account _ sospeso|conto _ bloccato|carta _ bloccata|sessione _ scaduta|pacco _ attesa|spese doganali|conferma il tuo account|confermi il suo account',
    forbids:
      'non incollare|non incollate|non incolli|non eseguire|non eseguite|non esegua|non premere|non copiare|mai incollare|mai eseguire',
    reports: 'aggressori|truffator*|criminali|vittim*|attaccant*|captcha falso|falsi captcha|finto captcha',
  },
  {
    pastes: 'plak|plakken|kopieer|kopieren',
    human: 'geen robot|een mens bent|mens bent|menselijke verificatie',
    broken:
      'certificaat _ verlopen|niet worden weergegeven|niet worden geopend|probleem op te lossen|probleem oplossen|fout te herstellen|niet geinstalleerd|document is beveiligd|account _ geblokkeerd|account _ opgeschort|rekening _ geblokkeerd|deblokkeren|ontgrendelen',
    urges:
      'postvak _ vol|mailbox _ vol|account _ geblokkeerd|rekening _ geblokkeerd|bankpas _ geblokkeerd|bankpas _ verloopt|sessie _ verlopen|pakket _ vastgehouden|douanekosten|bevestig uw account',
    forbids:
      'plak nooit|plak _ niet|nooit plakken|niet plakken|voer nooit|voer _ niet _ uit|nooit uitvoeren|niet uitvoeren|druk nooit|druk niet|kopieer nooit',
    reports: 'aanvaller*|oplichter*|criminelen|slachtoffer*|nep captcha*|valse captcha*|bewustwording*',
  },
  {
    pastes: 'cole|colar|copie|copiar|copia',
    human: 'nao sou um robo|nao e um robo|e humano|voce e humano|verificacao humana',
    broken:
      'certificado _ expirado|certificado _ expirou|certificado _ venceu|certificado _ vencido|nao pode ser exibid*|nao pode ser abert*|nao foi possivel abrir|resolver o problema|corrigir o problema|corrigir o erro|nao esta instalad*|documento _ protegido|conta _ bloqueada|conta _ suspensa|desbloquear',
    urges:
      'caixa _ cheia|conta _ suspensa|conta _ bloqueada|cartao _ bloqueado|sessao _ expirou|encomenda _ retida|taxa alfandegaria|confirme sua conta|confirme a sua conta',
    forbids:
      'nao cole|nao execute|nao copie|nao pressione|nao siga|nunca cole|nunca execute|nunca copie|nunca pressione|nao deve colar',
    reports: 'atacante*|golpista*|criminosos|vitima*|captcha falso|captchas falsos|conscientizacao',
  },
]

/** Japanese has no spaces. */
const TOGETHER = {
  pastes: '貼り付け|貼付け|ペースト|コピー',
  human: 'ロボットでは|人間であること|人間である',
  broken:
    '表示できません|表示できない|開くことができません|開けません|開けない|期限切れ|期限が切れ|失効|修復|本人確認|ロックされ|停止され|停止しました|保護されて|解除|インストールされていません',
  urges: '一時停止|一時的に停止|停止されます|本人様確認|本人確認|不正利用|時間以内に',
  forbids:
    '貼り付けないで|貼り付けてはいけ|貼り付けない|実行しないで|実行してはいけ|押さないで|コピーしないで|従わないで|絶対に実行',
  reports: '攻撃者|被害者|犯罪者|詐欺師|手口',
}

/** As the texts are compared with: lower case, without accents, with one space before, between and after words. */
export function wordsOf(text: string): string {
  const written = isBytes(text) ? Buffer.from(text, 'latin1').toString() : text
  const plain = written.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss').toLowerCase()
  return ` ${plain.replace(/[^\p{L}\p{N}]+/gu, ' ')} `
}

/** Pages are read as bytes. */
const isBytes = (text: string): boolean => /[\xc3\xe3-\xe9][\x80-\xbf]/.test(text) && !/[^\0-\xff]/.test(text)

const REST = String.raw`\p{L}{0,12}`
const SIX_WORDS = String.raw`(?:[\p{L}\p{N}]{1,20} ){0,6}`

/** For the result of `wordsOf`. */
function patternOf(key: keyof Language): RegExp {
  const phrases = ROWS.map((row) => row[key].replaceAll('*', REST).replaceAll(' _ ', ` ${SIX_WORDS}`)).join('|')
  const together = TOGETHER[key].split('|').map((phrase) => wordsOf(phrase).trim())
  return new RegExp(` (?:${phrases}) |${together.join('|')}`, 'u')
}

export const PASTES = patternOf('pastes')
export const HUMAN_WORDS = patternOf('human')
export const BROKEN_WORDS = patternOf('broken')
export const URGES = patternOf('urges')
export const FORBIDS = patternOf('forbids')
export const REPORTS = patternOf('reports')
