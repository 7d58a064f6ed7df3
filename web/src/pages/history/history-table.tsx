import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { keysQuery } from '../../api/queries.ts'
import type { ScanReport } from '../../api/schema.ts'
import { Time } from '../../components/time.tsx'
import { VerdictPill } from '../../components/verdict-pill.tsx'
import { bytes } from '../../format.ts'
import { kindOf } from '../../kinds.ts'
import { reasonOf } from '../../verdict/obstacles.ts'

const HEAD = 'border-b border-line py-2.5 pr-4 text-left text-xs font-medium text-fg-2 first:pl-5'
const WIDE_ONLY = 'hidden md:table-cell'

export function HistoryTable({ scans }: { scans: readonly ScanReport[] }) {
  const { data: keys = [] } = useQuery(keysQuery)
  const names = new Map(keys.map(({ id, name }) => [id, name]))
  return (
    <table className="w-full table-fixed text-sm">
      <thead>
        <tr>
          <th scope="col" className={HEAD}>
            File
          </th>
          <th scope="col" className={`${HEAD} w-32`}>
            Verdict
          </th>
          <th scope="col" className={`${HEAD} w-24 ${WIDE_ONLY}`}>
            Size
          </th>
          <th scope="col" className={`${HEAD} w-36 ${WIDE_ONLY}`}>
            Key
          </th>
          <th scope="col" className={`${HEAD} w-36 ${WIDE_ONLY}`}>
            Scanned
          </th>
        </tr>
      </thead>
      <tbody>
        {scans.map((scan) => (
          <ScanRow key={scan.scanId} scan={scan} keyName={names.get(scan.keyId)} />
        ))}
      </tbody>
    </table>
  )
}

function detailOf(scan: ScanReport): string {
  const kind = kindOf(scan)
  if (scan.threat !== null) return `${kind} · ${scan.threat}`
  return scan.status === null ? `${kind} · ${reasonOf(scan)}` : kind
}

function ScanRow({ scan, keyName = 'Deleted key' }: { scan: ScanReport; keyName: string | undefined }) {
  const { scanId, fileName, fileSize, scannedAt } = scan
  return (
    <tr className="border-b border-line last:border-0 hover:bg-sunken">
      <th scope="row" className="py-2 pr-4 pl-5 text-left font-medium">
        <Link href={`/history/${scanId}`} className="block truncate rounded-sm py-0.5 hover:underline">
          {fileName ?? 'Unnamed document'}
        </Link>
        <span className="block truncate text-xs font-normal text-fg-2">
          <span className="md:hidden">
            <Time iso={scannedAt} as="ago" />
            {' · '}
          </span>
          {detailOf(scan)}
        </span>
      </th>
      <td className="pr-4">
        <VerdictPill scan={scan} />
      </td>
      <td className={`pr-4 tabular-nums ${WIDE_ONLY}`}>{bytes(fileSize)}</td>
      <td className={`truncate pr-4 ${WIDE_ONLY}`}>{keyName}</td>
      <td className={`pr-4 ${WIDE_ONLY}`}>
        <Time iso={scannedAt} as="ago" />
      </td>
    </tr>
  )
}
