import type { CallbackEndpoint } from '../../api/schema.ts'
import { CircleAlert, CircleOff } from '../../components/icons.tsx'
import { ago } from '../../format.ts'

const WHY_OFF = {
  owner: 'Switched off',
  gone: 'Off: it answered that it is gone',
  failing: 'Off: it failed for five days',
} as const

/** Whether an endpoint is called, in a few words. */
export function EndpointState({ endpoint }: { endpoint: CallbackEndpoint }) {
  const { enabled, disabledBy, failingSince } = endpoint
  if (!enabled)
    return (
      <span className="pill bg-sunken text-fg-2">
        <CircleOff size={13} aria-hidden />
        {WHY_OFF[disabledBy ?? 'owner']}
      </span>
    )
  if (failingSince !== null)
    return (
      <span className="pill bg-bad-soft text-bad">
        <CircleAlert size={13} aria-hidden />
        Failing, first {ago(failingSince)}
      </span>
    )
  return <span className="pill bg-sunken text-fg-2">On</span>
}
