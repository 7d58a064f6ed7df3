/** Meaning of the verdict on a document, from its report. */
import { useQuery } from '@tanstack/react-query'
import { scanQuery } from '../api/queries.ts'
import type { ScanResult } from '../api/schema.ts'
import { EffectList } from '../verdict/effect-list.tsx'
import { effectsOf } from '../verdict/effects.ts'
import { outcomeOf } from '../verdict/outcome.ts'
import { WhatToDo } from '../verdict/what-to-do.tsx'

const TEXTS = {
  clean: 'Every engine inspected the whole document.',
  test: 'The EICAR test file. Virus scanners report it to show that they work; it does nothing.',
}

interface VerdictTextProps {
  result: ScanResult
  /** With the next steps, if it is the only document. */
  isAlone: boolean
}

export function VerdictText({ result, isAlone }: VerdictTextProps) {
  const outcome = outcomeOf(result)
  // Nothing more is shown where the service keeps no reports.
  const { data: report } = useQuery({ ...scanQuery(result.scanId), enabled: outcome === 'infected' })
  if (outcome === 'clean' && !isAlone) return null
  if (outcome !== 'infected') {
    return <p className="text-sm text-fg-2">{TEXTS[outcome === 'test' ? 'test' : 'clean']}</p>
  }
  if (report === undefined) return <p className="text-sm text-fg-2">Do not open it.</p>
  if (isAlone) {
    return (
      <div className="mt-2 grid gap-4">
        <EffectList findings={report.findings} />
        <div>
          <h2 className="mb-2 font-semibold">What to do now</h2>
          <WhatToDo scan={report} />
        </div>
      </div>
    )
  }
  const [effect] = effectsOf(report.findings)
  return <p className="text-sm text-fg-2">Do not open it. {effect?.text}</p>
}
