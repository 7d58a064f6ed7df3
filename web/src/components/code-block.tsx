import { CopyButton } from './copy-button.tsx'

/** Code that can be copied. It scrolls by itself, so it must be reachable by keyboard. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className="flex items-start rounded-md bg-sunken">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label={label} className="min-w-0 grow overflow-x-auto rounded-md p-4">
        <pre className="font-mono text-xs leading-5">
          <code>{code}</code>
        </pre>
      </section>
      <div className="p-1.5">
        <CopyButton value={code} label="Copy code" />
      </div>
    </div>
  )
}
