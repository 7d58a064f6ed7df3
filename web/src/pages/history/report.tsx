import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keysQuery } from '../../api/queries.ts'
import type { ScanReport } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { FindingList } from '../../components/finding-list.tsx'
import { bytes, count, time } from '../../format.ts'
import { AllowCard } from './allow-card.tsx'
import { ReportVerdict } from './report-verdict.tsx'

/** The allow list does not override them by default. */
const NEVER_ALLOWED = /^Docvet\.(?:Test|Bomb|Unscannable)\./

export function Report({ scan }: { scan: ScanReport }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <ReportVerdict scan={scan} />
      {scan.findings.length > 0 && (
        <Card title="Findings">
          <div className="mt-3 border-t border-line">
            <FindingList findings={scan.findings} />
          </div>
        </Card>
      )}
      {scan.status === 'infected' && !NEVER_ALLOWED.test(scan.threat ?? '') && <AllowCard sha256={scan.sha256} />}
      <Facts scan={scan} />
      <Engines engines={scan.engines} />
      <Card title="As JSON">
        <div className="px-5 pt-3 pb-5">
          <CodeBlock code={JSON.stringify(scan, null, 2)} label="The report as JSON" />
        </div>
      </Card>
    </div>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 px-5 py-2.5 sm:grid-cols-[160px_1fr]">
      <dt className="text-fg-2">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}

function Facts({ scan }: { scan: ScanReport }) {
  const { data: keys = [] } = useQuery(keysQuery)
  const { sha256, fileSize, detectedType, contentType, scannedAt, durationMs, keyId, scanId } = scan
  return (
    <Card title="Document">
      <dl className="mt-3 divide-y divide-line border-t border-line text-sm">
        <Row name="Size">{`${bytes(fileSize)} (${count(fileSize)} bytes)`}</Row>
        <Row name="Type by content">{detectedType}</Row>
        <Row name="Reported type">{contentType ?? 'None'}</Row>
        <Row name="SHA-256">
          <span className="flex items-start gap-1">
            <code className="font-mono text-xs leading-5">{sha256}</code>
            <CopyButton value={sha256} label="Copy SHA-256" className="btn-icon -my-1 size-7 shrink-0" />
          </span>
        </Row>
        <Row name="Scanned">{`${time(scannedAt)}, in ${count(durationMs)} ms`}</Row>
        <Row name="Key">{keys.find(({ id }) => id === keyId)?.name ?? keyId}</Row>
        <Row name="Scan">
          <code className="font-mono text-xs">{scanId}</code>
        </Row>
      </dl>
    </Card>
  )
}

function Engines({ engines }: Pick<ScanReport, 'engines'>) {
  return (
    <Card title="Engines">
      <dl className="mt-3 divide-y divide-line border-t border-line text-sm">
        {engines.map(({ name, version, signatures, ms }) => (
          <Row key={name} name={name}>
            {`Version ${version ?? 'unknown'}${signatures === null ? '' : `, signatures ${signatures}`}${ms === null ? '' : `, ${count(ms)} ms`}`}
          </Row>
        ))}
      </dl>
    </Card>
  )
}
