/** Control words of RTF that say where the text behind them belongs. */

/** Rules and readers go by what stands in them: each is told apart from the text. */
export const KEPT: ReadonlySet<string> = new Set(['fldinst', 'objclass', 'template'])

/** Destinations that need not be known, and whose text counts all the same. */
export const READ: ReadonlySet<string> = new Set([...KEPT, 'htmltag', 'annotation', 'shpinst'])

/** Destinations that hold digits. */
export const DIGITS: ReadonlySet<string> = new Set(['pict', 'objdata', 'datastore', 'themedata'])

/** Destinations of their own: in the middle of a field they are no part of it. */
export const ASIDE: ReadonlySet<string> = new Set(
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

const LINES = ['par', 'line', 'cell', 'row', 'sect', 'page']
const SPACES = ['tab', 'emspace', 'enspace', 'qmspace']

/** Words that stand for white space, and what they become. */
export const WHITE: ReadonlyMap<string, number> = new Map([
  ...LINES.map((word) => [word, 0x0a] as const),
  ...SPACES.map((word) => [word, 0x20] as const),
])

export const hashed = (hash: number, letter: number): number => (Math.imul(hash, 31) + letter) | 0

const OTHERS = ['bin', 'htmlrtf', 'u', 'uc', 'ud', 'upr']
const HASHES: ReadonlySet<number> = new Set(
  [...READ, ...DIGITS, ...ASIDE, ...WHITE.keys(), ...OTHERS].map((word) => [...Buffer.from(word)].reduce(hashed, 0)),
)

/** Whether the letters of a word may be those of one that means something here. */
export const isOfInterest = (hash: number): boolean => HASHES.has(hash)
