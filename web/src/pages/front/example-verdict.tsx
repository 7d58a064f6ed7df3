/** A picture of a verdict, marked as an example. */
import { ShieldAlert } from '../../components/icons.tsx'

export function ExampleVerdict() {
  return (
    <figure>
      <div className="card p-2 shadow-pop">
        <div className="flex items-start gap-4 rounded-md border border-bad-line bg-bad-soft px-5 py-4">
          <span className="grid size-11 shrink-0 place-items-center rounded-full bg-bad-solid text-on-bad">
            <ShieldAlert size={22} aria-hidden />
          </span>
          <div className="min-w-0">
            <p className="text-xl font-semibold tracking-[-0.01em] text-bad">Malware found</p>
            <p className="mt-0.5 text-sm text-fg-2">
              Do not open <b className="font-medium text-fg">attachments.zip</b>.
            </p>
          </div>
        </div>
        <dl className="grid gap-3 px-5 py-4 text-sm">
          <div>
            <dt className="font-medium">What it would have done</dt>
            <dd className="mt-0.5 text-fg-2">
              When you open it, it loads its harmful part from a computer of the sender. That part can take over your
              computer.
            </dd>
          </div>
          <div>
            <dt className="font-medium">Found in</dt>
            <dd className="mt-0.5 text-fg-2">
              quote.docx, <code className="font-mono text-xs">Docvet.Ooxml.RemoteTemplate</code>
            </dd>
          </div>
        </dl>
      </div>
      <figcaption className="mt-3 text-center text-sm text-fg-2">An example of a verdict</figcaption>
    </figure>
  )
}
