/** A message from paragraphs: the text and the HTML are made from the same words, so they say the same. */

export interface Message {
  subject: string
  text: string
  html: string
}

/** Either words, or a link with what it is for; the link stands on a line of its own. */
export type Paragraph = string | { label: string; link: string }

export interface Letter {
  subject: string
  paragraphs: readonly Paragraph[]
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign] as string)

/** Colours are left to the reader's program, except where both sides of the contrast are ours. */
const PAGE = 'max-width:34em;margin:0 auto;padding:24px;font:16px/1.5 system-ui,sans-serif'
const BUTTON =
  'display:inline-block;padding:10px 18px;border-radius:6px;background:#1d4ed8;color:#ffffff;text-decoration:none'
const SMALL = 'font-size:13px;word-break:break-all'

function paragraphText(paragraph: Paragraph): string {
  return typeof paragraph === 'string' ? paragraph : `${paragraph.label}:\n${paragraph.link}`
}

function paragraphHtml(paragraph: Paragraph): string {
  if (typeof paragraph === 'string') return `<p>${escapeHtml(paragraph)}</p>`
  const link = escapeHtml(paragraph.link)
  // The address is shown too: some programs show no links, and some people rightly want to see where one leads.
  return `<p><a href="${link}" style="${BUTTON}">${escapeHtml(paragraph.label)}</a></p>\n<p style="${SMALL}">${link}</p>`
}

export function write({ subject, paragraphs }: Letter): Message {
  return {
    subject,
    text: `${paragraphs.map(paragraphText).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0">
<div style="${PAGE}">
${paragraphs.map(paragraphHtml).join('\n')}
</div>
</body>
</html>
`,
  }
}
