/** Renders the text and the HTML part of a message from the same paragraphs. */

export interface Message {
  subject: string
  text: string
  html: string
}

/** Text, or a link on a line of its own. */
type Paragraph = string | { label: string; link: string }

interface Content {
  subject: string
  paragraphs: readonly Paragraph[]
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ESCAPED[sign] as string)

/** Sets colours only where it sets both text and background. */
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
  // The URL is shown as well, for mail clients without links and for readers who want to check it.
  return `<p><a href="${link}" style="${BUTTON}">${escapeHtml(paragraph.label)}</a></p>\n<p style="${SMALL}">${link}</p>`
}

export function render({ subject, paragraphs }: Content): Message {
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
