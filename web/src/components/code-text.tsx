import { Fragment } from 'react'

/** A sentence of the API, in which backticks mark code. */
export function CodeText({ text }: { text: string }) {
  return text.split('`').map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change places
    <Fragment key={index}>{index % 2 === 1 ? <code className="font-mono text-[0.92em]">{part}</code> : part}</Fragment>
  ))
}
