/** The three ways to use the service, and what it accepts. */
import { FileUp, SquareTerminal, Webhook } from '../../components/icons.tsx'

const WAYS = [
  {
    icon: FileUp,
    title: 'In the browser',
    text: 'Drop documents on the dashboard and read the report in plain words.',
  },
  {
    icon: Webhook,
    title: 'From your application',
    text: 'One HTTP request with the document and a key returns the verdict.',
  },
  {
    icon: SquareTerminal,
    title: 'On the command line',
    text: 'The command docvet scan checks files and folders, without a server.',
  },
]

const FORMATS = [
  'PDF',
  'Word, Excel, PowerPoint',
  'OpenDocument',
  'RTF',
  'OneNote',
  'Outlook and e-mail',
  'Web pages and SVG',
  'Text, CSV, XML, JSON, Markdown',
  'ZIP and everything in it',
]

export function Ways() {
  return (
    <>
      <h2 className="mt-16 text-xl font-semibold">Three ways to use it</h2>
      <ul className="mt-4 grid gap-4 sm:grid-cols-3">
        {WAYS.map(({ icon: Icon, title, text }) => (
          <li key={title} className="card p-5">
            <Icon size={20} className="text-accent" aria-hidden />
            <h3 className="mt-3 font-semibold">{title}</h3>
            <p className="mt-1 text-sm text-fg-2">{text}</p>
          </li>
        ))}
      </ul>
      <h2 className="mt-12 text-xl font-semibold">Accepted documents, up to 25 MB</h2>
      <ul className="mt-4 flex flex-wrap gap-2">
        {FORMATS.map((format) => (
          <li key={format} className="rounded-full border border-line bg-surface px-3 py-1 text-sm">
            {format}
          </li>
        ))}
      </ul>
    </>
  )
}
