/** Reads RTF control words and knows those that decide where text belongs. */

/** The rules match their contents, so they are collected separately from the text. */
export const CAPTURED: ReadonlySet<string> = new Set(['fldinst', 'objclass', 'template'])

/** Ignorable destinations whose text is scanned nevertheless. */
export const SCANNED: ReadonlySet<string> = new Set([...CAPTURED, 'htmltag', 'annotation', 'shpinst'])

export const HEX_DESTINATIONS: ReadonlySet<string> = new Set(['pict', 'objdata', 'datastore', 'themedata'])

/** Destinations that are not part of the field around them. */
export const SEPARATE_DESTINATIONS: ReadonlySet<string> = new Set(
  [
    'aftncn aftnsep aftnsepc annotation atnauthor atndate atnicn atnid atnparent atnref atntime atrfend atrfstart author',
    'background bkmkend bkmkstart blipuid buptim category colorschememapping colortbl comment company creatim',
    'defchp defpap do doccomm docvar dptxbxtext ebcend ebcstart factoidname falt fchars ffdeftext ffentrymcr ffexitmcr',
    'ffformat ffhelptext ffl ffname ffstattext filetbl fname fontemb fontfile fonttbl footer footerf footerl footerr',
    'footnote formfield ftncn ftnsep ftnsepc generator gridtbl header headerf headerl headerr hl hlfr hlinkbase hlloc',
    'hlsrc hsv info keycode keywords latentstyles lchars levelnumbers leveltext lfolevel linkval list listlevel listname',
    'listoverride listoverridetable listpicture liststylename listtable listtext lsdlockedexcept macc mailmerge manager',
    'mhtmltag mmath nesttableprops nextfile nonesttables nonshppict objalias objname objsect objtime oldcprops oldpprops',
    'oldsprops oldtprops oleclsid operator panose password passwordhash pgp pgptbl picprop pn pnseclvl pntext pntxta',
    'pntxtb printim private propname protend protstart protusertbl pxe result revtbl revtim rsidtbl rxe shp shpgrp shpinst',
    'shppict shprslt shptxt sn sp staticval stylesheet subject sv svb tc tcn title txe userprops wgrffmtfilter',
    'windowcaption writereservation writereservhash xe xform xmlattrname xmlattrvalue xmlclose xmlname xmlnstbl xmlopen',
  ].flatMap((line) => line.split(' ')),
)

const LINE_BREAKS = ['par', 'line', 'cell', 'row', 'sect', 'page']
const SPACES = ['tab', 'emspace', 'enspace', 'qmspace']

/** Control words that produce white space. */
export const WHITE_SPACE: ReadonlyMap<string, number> = new Map([
  ...LINE_BREAKS.map((word) => [word, 0x0a] as const),
  ...SPACES.map((word) => [word, 0x20] as const),
])

/** They have no text, but tell how objects and lists are loaded. */
export const WATCHED: ReadonlySet<string> = new Set(['objupdate', 'listoverridecount'])

const OTHERS = [...WATCHED, 'bin', 'htmlrtf', 'u', 'uc', 'ud', 'upr']
const KNOWN_HASHES: ReadonlySet<number> = new Set(
  [...SCANNED, ...HEX_DESTINATIONS, ...SEPARATE_DESTINATIONS, ...WHITE_SPACE.keys(), ...OTHERS].map((word) =>
    [...Buffer.from(word)].reduce(addToHash, 0),
  ),
)

function addToHash(hash: number, letter: number): number {
  return (Math.imul(hash, 31) + letter) | 0
}

const NAME_MAX = 32
const MINUS = 0x2d
const SPACE = 0x20

export interface ControlWord {
  /** Empty unless the word may be a known one. */
  name: string
  /** 0 without a number. */
  number: number
  hasNumber: boolean
  /** After the number, one space, and the binary data of `\bin`. */
  end: number
}

/** null: `from` is not the first letter of a control word. */
export function readControlWord(bytes: Buffer, from: number): ControlWord | null {
  let at = from
  let hash = 0
  for (; isLetter(bytes[at]); at++) hash = addToHash(hash, bytes[at] as number)
  if (at === from) return null
  // Creating a string for each of ten million words takes seconds.
  const name = KNOWN_HASHES.has(hash) ? bytes.toString('latin1', from, Math.min(at, from + NAME_MAX)) : ''
  const isNegative = bytes[at] === MINUS
  if (isNegative) at += 1
  let number = 0
  let digits = 0
  for (; isDecimal(bytes[at]); at++, digits++) number = number * 10 + (bytes[at] as number) - 0x30
  // A minus sign without digits is text.
  if (digits === 0 && isNegative) at -= 1
  if (bytes[at] === SPACE) at += 1
  if (isNegative) number = -number
  return { name, number, hasNumber: digits > 0, end: at + binaryBytes(name, number, bytes.length - at) }
}

/** A length past the end of the document is ignored, so that nothing is skipped. */
function binaryBytes(name: string, number: number, left: number): number {
  return name === 'bin' && number > 0 && number <= left ? number : 0
}

export function isLetter(byte = 0): boolean {
  return (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
}

export function isDecimal(byte = 0): boolean {
  return byte >= 0x30 && byte <= 0x39
}
