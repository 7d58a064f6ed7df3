import type { ApiKeySummary } from '../../api/schema.ts'
import { Time } from '../../components/time.tsx'
import { ago, capitalized, date } from '../../format.ts'

const HEAD = 'border-b border-line py-2.5 pr-4 text-left text-xs font-medium text-fg-2 first:pl-5'
/** On small screens these are part of the first column. */
const WIDE_ONLY = 'hidden sm:table-cell'
const IDLE_MS = 30 * 24 * 60 * 60 * 1_000

const isIdle = ({ lastUsedAt }: ApiKeySummary): boolean =>
  lastUsedAt === null || Date.now() - Date.parse(lastUsedAt) > IDLE_MS

interface KeysTableProps {
  keys: readonly ApiKeySummary[]
  onRevoke: (key: ApiKeySummary) => void
  onRoll: (key: ApiKeySummary) => void
}

/** "scan, read; expires Dec 14, 2026; 2 networks"; null for a key without limits. */
function limitsText({ scopes, expiresAt, allowedAddresses, status }: ApiKeySummary): string | null {
  const parts = [
    scopes && `may ${scopes.join(', ')}`,
    expiresAt && `${status === 'expired' ? 'expired' : 'expires'} ${date(expiresAt)}`,
    allowedAddresses && `only from ${allowedAddresses.join(', ')}`,
  ].filter(Boolean)
  return parts.length === 0 ? null : parts.join('; ')
}

export function KeysTable({ keys, onRevoke, onRoll }: KeysTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="relative overflow-x-auto -outline-offset-2" tabIndex={0} aria-label="Table of keys">
      <table className="w-full sm:min-w-[600px] text-sm">
        <thead>
          <tr>
            <th scope="col" className={HEAD}>
              Name
            </th>
            <th scope="col" className={`${HEAD} ${WIDE_ONLY}`}>
              Key
            </th>
            <th scope="col" className={`${HEAD} ${WIDE_ONLY}`}>
              Created
            </th>
            <th scope="col" className={`${HEAD} ${WIDE_ONLY}`}>
              Last used
            </th>
            <th scope="col" className={HEAD}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} onRevoke={() => onRevoke(key)} onRoll={() => onRoll(key)} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface KeyRowProps {
  apiKey: ApiKeySummary
  onRevoke: () => void
  onRoll: () => void
}

function KeyRow({ apiKey, onRevoke, onRoll }: KeyRowProps) {
  const { name, keyPrefix, lastFour, status, createdAt, lastUsedAt, lastUsedAddress, rolledInto } = apiKey
  const limits = limitsText(apiKey)
  const isActive = status === 'active'
  return (
    <tr className={`border-b border-line last:border-0 ${isActive ? '' : 'text-fg-3'}`}>
      <th scope="row" className="py-2.5 pr-4 pl-5 text-left font-medium wrap-anywhere sm:max-w-56 sm:truncate">
        {name}
        {rolledInto !== undefined && <span className="font-normal text-fg-2"> (old secret)</span>}
        <span className="mt-0.5 block text-xs font-normal text-fg-2 sm:hidden">
          <code className="font-mono">…{lastFour}</code>
          {`, ${lastUsedAt === null ? 'never used' : `used ${ago(lastUsedAt)}`}`}
          {lastUsedAddress !== undefined && ` from ${lastUsedAddress}`}
        </span>
        {limits !== null && (
          <span className="mt-0.5 block text-xs font-normal whitespace-normal text-fg-2">{capitalized(limits)}</span>
        )}
      </th>
      <td className={`pr-4 ${WIDE_ONLY}`}>
        <code className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-xs whitespace-nowrap">
          {keyPrefix}…{lastFour}
        </code>
      </td>
      <td className={`pr-4 whitespace-nowrap ${WIDE_ONLY}`}>
        <Time iso={createdAt} as="date" />
      </td>
      <td className={`pr-4 whitespace-nowrap ${WIDE_ONLY}`}>
        <span
          aria-hidden="true"
          className={`bar mr-2 inline-block size-1.5 rounded-full align-middle ${isActive && !isIdle(apiKey) ? 'bg-ok' : 'bg-line-strong'}`}
        />
        {lastUsedAt === null ? capitalized(ago(null)) : <Time iso={lastUsedAt} as="ago" />}
        {lastUsedAddress !== undefined && (
          <span className="mt-0.5 block font-mono text-xs text-fg-2">{lastUsedAddress}</span>
        )}
      </td>
      <td className="h-13 pr-4 text-right whitespace-nowrap">
        <div className="flex flex-col items-end gap-2 py-2 sm:flex-row sm:justify-end sm:py-0">
          {isActive && rolledInto === undefined && (
            <button type="button" className="btn btn-ghost h-8" onClick={onRoll}>
              Roll<span className="sr-only"> {name}</span>
            </button>
          )}
          {isActive ? (
            <button type="button" className="btn btn-ghost h-8" onClick={onRevoke}>
              Revoke<span className="sr-only"> {rolledInto === undefined ? name : `the old secret of ${name}`}</span>
            </button>
          ) : (
            <span className="pill bg-sunken text-fg-2">{capitalized(status)}</span>
          )}
        </div>
      </td>
    </tr>
  )
}
