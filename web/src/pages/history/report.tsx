/** A report: first what everybody understands, then what specialists look for, folded. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keysQuery } from '../../api/queries.ts'
import type { ScanReport } from '../../api/schema.ts'
import { Card } from '../../components/card.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { FindingList } from '../../components/finding-list.tsx'
import { Fold } from '../../components/fold.tsx'
import { Time } from '../../components/time.tsx'
import { bytes, count } from '../../format.ts'
import { kindOf } from '../../kinds.ts'
import { ForRole } from '../../role.tsx'
import { EffectList } from '../../verdict/effect-list.tsx'
import { OBSTACLES } from '../../verdict/obstacles.ts'
import { outcomeOf } from '../../verdict/outcome.ts'
import { WhatToDo } from '../../verdict/what-to-do.tsx'
import { AllowCard } from './allow-card.tsx'
import { ReceiptButton } from './receipt-button.tsx'
import { ReportVerdict } from './report-verdict.tsx'

/** The allow list does not override them by default. */
const NEVER_ALLOWED = /^Docvet\.(?:Test|Bomb|Unscannable)\./

/** Documents that were not inspected have none. */
const hasReceipt = ({ status, obstacle }: ScanReport): boolean =>
  status !== null || obstacle === 'encrypted' || obstacle === 'too_complex' || obstacle === 'damaged'

export function Report({ scan }: { scan: ScanReport }) {
  const isInfected = outcomeOf(scan) === 'infected'
  const { obstacle, findings, engines, threat, sha256 } = scan
  return (
    <div className="grid grid-cols-1 gap-4">
      <ReportVerdict scan={scan} />
      {isInfected && findings.length > 0 && (
        <Card title="What it would have done">
          <div className="px-5 pt-2 pb-5">
            <EffectList findings={findings} />
          </div>
        </Card>
      )}
      {isInfected && (
        <Card title="What to do now">
          <div className="px-5 pt-2 pb-5">
            <WhatToDo scan={scan} />
          </div>
        </Card>
      )}
      {obstacle !== null && (
        <Card title="What to do now">
          <p className="px-5 pt-2 pb-5">{OBSTACLES[obstacle].advice}</p>
        </Card>
      )}
      <Facts scan={scan} />
      {findings.length > 0 && (
        <Fold title="Technical findings" aside={findings.length}>
          <FindingList findings={findings} />
        </Fold>
      )}
      {engines.length > 0 && <Engines engines={engines} />}
      <Fold title="As JSON">
        <div className="p-5">
          <CodeBlock code={JSON.stringify(scan, null, 2)} label="The report as JSON" />
        </div>
      </Fold>
      {isInfected && sha256 !== null && !NEVER_ALLOWED.test(threat ?? '') && (
        <ForRole needs="admin">
          <AllowCard sha256={sha256} />
        </ForRole>
      )}
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
  const key = keys.find(({ id }) => id === keyId)
  return (
    <Card title="Document">
      <dl className="mt-3 divide-y divide-line border-t border-line text-sm">
        <Row name="Kind">
          {kindOf(scan)}
          {detectedType !== null && (
            <span className="text-fg-2">
              {' '}
              <code className="font-mono text-xs">{detectedType}</code>
            </span>
          )}
        </Row>
        {detectedType === null && contentType !== null && <Row name="Reported type">{contentType}</Row>}
        <Row name="Size">{bytes(fileSize)}</Row>
        <Row name={scan.status === null ? 'Sent' : 'Scanned'}>
          <Time iso={scannedAt} />, in {count(durationMs)} ms
        </Row>
        <Row name="Sent by">{key?.dashboard ? 'You, in this dashboard' : `API key ${key?.name ?? keyId}`}</Row>
        {sha256 !== null && (
          <Row name="SHA-256">
            <span className="flex items-start gap-1">
              <code className="font-mono text-xs leading-5">{sha256}</code>
              <CopyButton value={sha256} label="Copy SHA-256" className="btn-icon -my-1 size-7 shrink-0" />
            </span>
          </Row>
        )}
        <Row name="Scan">
          <code className="font-mono text-xs">{scanId}</code>
        </Row>
      </dl>
      {hasReceipt(scan) && <ReceiptButton scanId={scanId} />}
    </Card>
  )
}

function Engines({ engines }: Pick<ScanReport, 'engines'>) {
  return (
    <Fold title="Engines" aside={engines.length}>
      <dl className="divide-y divide-line text-sm">
        {engines.map(({ name, version, signatures, ms }) => (
          <Row key={name} name={name}>
            {`Version ${version ?? 'unknown'}${signatures === null ? '' : `, signatures ${signatures}`}${ms === null ? '' : `, ${count(ms)} ms`}`}
          </Row>
        ))}
      </dl>
    </Fold>
  )
}
