/** The verdict on a document. Green only for `clean`. */
import { useQuery } from '@tanstack/react-query'
import { ShieldAlert, ShieldCheck, X } from 'lucide-react'
import { Link } from 'wouter'
import { scanQuery } from '../api/queries.ts'
import type { ScanResult } from '../api/schema.ts'
import { CopyButton } from '../components/copy-button.tsx'
import { FindingList } from '../components/finding-list.tsx'
import { bytes, time } from '../format.ts'

interface VerdictProps {
  result: ScanResult
  onRemove: () => void
}

export function Verdict({ result, onRemove }: VerdictProps) {
  const isClean = result.status === 'clean'
  return (
    <div className="anim-pop">
      <div
        className={`flex items-start gap-4 rounded-md border px-4 py-3 ${isClean ? 'border-ok-line bg-ok-soft' : 'border-bad-line bg-bad-soft'}`}
      >
        <span
          className={`grid size-10 shrink-0 place-items-center rounded-full ${isClean ? 'bg-ok text-surface' : 'bg-bad-solid text-on-bad'}`}
        >
          {isClean ? <ShieldCheck size={20} aria-hidden /> : <ShieldAlert size={20} aria-hidden />}
        </span>
        <div className="min-w-0 grow">
          <h2 className={`text-lg font-semibold ${isClean ? 'text-ok' : 'text-bad'}`}>
            {isClean ? 'No malware found' : 'Malware found'}
          </h2>
          <p className="text-sm wrap-anywhere text-fg-2">
            {isClean ? 'Every engine inspected the whole of ' : 'Do not open '}
            <b className="font-medium text-fg">{result.fileName}</b>.
          </p>
        </div>
        <button type="button" className="btn-icon" onClick={onRemove}>
          <X size={16} aria-hidden />
          <span className="sr-only">Remove {result.fileName} from the list</span>
        </button>
      </div>
      <Details result={result} />
      <Findings scanId={result.scanId} />
    </div>
  )
}

/** From the report. Nothing is shown where the service keeps no reports. */
function Findings({ scanId }: Pick<ScanResult, 'scanId'>) {
  const { data: report } = useQuery(scanQuery(scanId))
  if (report === undefined || report.findings.length === 0) return null
  return (
    <div className="-mx-2 mt-1 border-t border-line">
      <FindingList findings={report.findings} />
    </div>
  )
}

function Details({ result }: { result: ScanResult }) {
  const { threat, fileSize, contentType, scannedAt, scanId } = result
  const facts = [
    ['Threat', threat],
    ['Size', bytes(fileSize)],
    ['Reported type', contentType],
    ['Scanned', time(scannedAt)],
    ['Scan', scanId],
  ] as const
  return (
    <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 px-4 pt-3 pb-2">
      <dl className="flex min-w-0 flex-wrap gap-x-6 gap-y-2 text-sm">
        {facts.map(
          ([name, value]) =>
            value !== null && (
              <div key={name}>
                <dt className="text-xs text-fg-2">{name}</dt>
                <dd className={`wrap-anywhere ${name === 'Threat' ? 'font-mono font-medium text-bad' : ''}`}>
                  {value}
                </dd>
              </div>
            ),
        )}
      </dl>
      <div className="flex gap-1">
        <Link href={`/history/${scanId}`} className="btn btn-bare h-8 px-2.5">
          Open report
        </Link>
        <CopyButton value={JSON.stringify(result, null, 2)} label="Copy JSON" className="btn btn-bare h-8 px-2.5">
          Copy JSON
        </CopyButton>
      </div>
    </div>
  )
}
