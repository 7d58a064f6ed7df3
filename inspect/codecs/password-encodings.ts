/** Encodings of passwords in formats that do not name one. */

/** From 0x80 on, as console programs of Windows encode: in North America, Western and Central Europe. */
const CONSOLE = [
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0',
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
]
const WINDOWS = ['windows-1252', 'windows-1250', 'windows-1251', 'ibm866']

/** Bytes by character. */
type Table = ReadonlyMap<string, number>

const tableOf = (characters: string, first = 0x80): Table =>
  new Map([...characters].map((character, index) => [character, first + index]))

const HIGH = Uint8Array.from({ length: 128 }, (_, index) => 0x80 + index)
const TABLES: readonly Table[] = [
  ...WINDOWS.map((name) => tableOf(new TextDecoder(name).decode(HIGH))),
  ...CONSOLE.map((characters) => tableOf(characters)),
]

/** PDFDocEncoding, which otherwise equals Latin-1. */
const PDF_TABLE: Table = new Map([
  ...tableOf('\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc', 0x18),
  ...tableOf('•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'),
  ['\u20ac', 0xa0],
])

/** null: a character is not in the table. */
function encoded(password: string, table: Table): Buffer | null {
  const bytes = [...password].map((character) => (character < '\x80' ? character.charCodeAt(0) : table.get(character)))
  return bytes.includes(undefined) ? null : Buffer.from(bytes as number[])
}

const LATIN_1 = tableOf(String.fromCharCode(...HIGH))

function unique(candidates: readonly (Buffer | null)[]): Buffer[] {
  const given = candidates.filter((bytes) => bytes !== null)
  return given.filter((bytes, index) => given.findIndex((other) => other.equals(bytes)) === index)
}

/** For archives: programs disagree on the encoding of passwords that are not ASCII. */
export function archivePasswords(password: string): Buffer[] {
  return unique([Buffer.from(password), ...[LATIN_1, ...TABLES].map((table) => encoded(password, table))])
}

/** For PDF before revision 5. Other programs write the bytes of Windows or UTF-8. */
export function pdfPasswords(password: string): Buffer[] {
  const [windows = LATIN_1] = TABLES
  const tables = [new Map([...LATIN_1, ...PDF_TABLE]), LATIN_1, windows]
  return unique([...tables.map((table) => encoded(password, table)), Buffer.from(password)])
}
