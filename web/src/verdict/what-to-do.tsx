/** The next steps for somebody who has an infected document. */
import type { ReactNode } from 'react'
import type { ScanReport } from '../api/schema.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { messageOf } from './message.ts'

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li>
      <b className="font-medium">{title}</b> {children}
    </li>
  )
}

export function WhatToDo({ scan }: { scan: ScanReport }) {
  return (
    <ol className="grid list-decimal gap-3 pl-5" aria-label="What to do now">
      <Step title="Do not open it. Delete it,">
        also where it came from: the e-mail, the downloads, the shared folder.
      </Step>
      <Step title="Tell your IT department.">
        <span className="block">
          The message contains what they will ask for. Only you can open the link in it to this report.
        </span>
        <CopyButton
          value={messageOf(scan, location.origin)}
          label="Copy a message for IT"
          className="btn btn-ghost mt-2 h-8"
        >
          Copy a message for IT
        </CopyButton>
      </Step>
      <Step title="If you opened it already:">
        disconnect the computer from the network, leave it switched on, and call your IT department at once. Change your
        passwords on another computer.
      </Step>
    </ol>
  )
}
