import { FileSearch, Server, ShieldCheck } from '../../components/icons.tsx'

const POINTS = [
  {
    icon: ShieldCheck,
    title: 'Never a false “clean”',
    text: 'If an engine fails, or a document cannot be fully inspected, you get an error, not a verdict.',
  },
  {
    icon: FileSearch,
    title: 'Looks inside',
    text: 'Archives, attachments, macros and embedded objects are unpacked and scanned, within firm limits.',
  },
  {
    icon: Server,
    title: 'Self-hosted',
    text: 'One command starts it on your own machine. Documents are scanned in memory and never stored.',
  },
]

export function Points() {
  return (
    <ul className="mt-16 grid gap-4 sm:grid-cols-3">
      {POINTS.map(({ icon: Icon, title, text }) => (
        <li key={title} className="card p-5">
          <Icon size={20} className="text-accent" aria-hidden />
          <h2 className="mt-3 font-semibold">{title}</h2>
          <p className="mt-1 text-sm text-fg-2">{text}</p>
        </li>
      ))}
    </ul>
  )
}
