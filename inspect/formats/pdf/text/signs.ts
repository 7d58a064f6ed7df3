/** Whether the content of a PDF page may hide text. Most pages do not, and are not read further. */

const NEAR_ONE = String.raw`(?:1(?:\.0{0,6})?|0?\.9\d{0,6})`
const NEAR_ZERO = String.raw`(?:0(?:\.0\d{0,6})?|\.0\d{0,6})`

const SIGNS = new RegExp(
  [
    // Text that is not drawn, or only cuts what is drawn after it.
    String.raw`(?:^|\s)[37]\s{1,3}Tr\b`,
    // White, or nearly.
    String.raw`(?:^|\s)${NEAR_ONE}\s{1,3}(?:g|sc|scn)\s`,
    String.raw`(?:^|\s)(?:${NEAR_ONE}\s{1,3}){3}(?:rg|scn?)\s`,
    String.raw`(?:^|\s)(?:${NEAR_ZERO}\s{1,3}){4}(?:k|scn?)\s`,
    String.raw`/OC\s`,
    // Small by the font or by a matrix.
    String.raw`\s(?:[01](?:\.\d{0,6})?|\.\d{1,6})\s{1,3}Tf\b`,
    String.raw`(?:^|\s)-?0?\.0\d{0,6}\s[-\d.\s]{1,80}(?:Tm|cm)\b`,
    // Far away.
    String.raw`(?:^|\s)-?\d{4,6}(?:\.\d{0,6})?\s[-\d.\s]{0,40}T[dDm]\b`,
    String.raw`(?:^|\s)BT\s{1,3}(?:/[^\s/]{1,40}\s{1,3}[\d.]{1,9}\s{1,3}Tf\s{1,3})?-?[\d.]{1,9}\s{1,3}-\d{2,6}(?:\.\d{0,6})?\s{1,3}T[dD]\b`,
    String.raw`(?:^|\s)-\d{2,6}(?:\.\d{0,6})?\s{1,3}(?:-?[\d.]{1,9}\s{1,3})?Tm\b`,
    String.raw`(?:^|\s)/[^\s/]{1,40}\s{1,3}gs\b[\s\S]{0,2000}?T[jJ]\b`,
  ].join('|'),
)

/** Text before an area that is filled, or before a picture. */
export function mayHide(content: string): boolean {
  const first = content.indexOf('ET')
  if (first !== -1 && (content.indexOf(' re', first) !== -1 || content.indexOf(' Do', first) !== -1)) return true
  return SIGNS.test(content)
}
