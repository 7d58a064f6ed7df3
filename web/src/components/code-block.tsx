import { CopyButton } from './copy-button.tsx'

/** Code that can be copied. It scrolls by itself, so it must be reachable by keyboard. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="overflow-x-auto rounded-md bg-sunken p-4">
        <pre className="font-mono text-xs leading-5">
          <code>{code}</code>
        </pre>
      </section>
      <div className="absolute top-1.5 right-1.5 rounded-md bg-sunken">
        <CopyButton value={code} label="Copy code" />
      </div>
    </div>
  )
}
