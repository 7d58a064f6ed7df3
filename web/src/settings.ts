/** Features of this installation. Read once, without the cache of the API, so that small pages can use it. */
import { useEffect, useState } from 'react'
import { send } from './api/client.ts'

export interface PlanLimits {
  name: string
  scansPerMonth: number
  keysPerMonth: number
  scansPerSecond: number
  burst: number
}

export interface Settings {
  signup: 'open' | 'closed' | 'invite'
  passwords: boolean
  passkeys: boolean
  providers: readonly { id: string; name: string }[]
  hasMailServer: boolean
  marketplace: 'off' | 'sandbox' | 'microsoft'
  plans: readonly PlanLimits[]
  defaultPlan: string
  /** A `mailto:` or `https:` link. */
  contact: string | null
  version: string
}

/** If it cannot be read. The service refuses what it does not offer. */
const FALLBACK: Settings = {
  signup: 'open',
  passwords: true,
  passkeys: false,
  providers: [],
  hasMailServer: true,
  marketplace: 'off',
  plans: [],
  defaultPlan: 'free',
  contact: null,
  version: '',
}

let asked: Promise<Settings> | null = null

function read(): Promise<Settings> {
  asked ??= (send('GET', '/dashboard/settings') as Promise<Settings>).catch(() => {
    asked = null
    return FALLBACK
  })
  return asked
}

/** Null until it is known. */
export function useSettings(): Settings | null {
  const [settings, setSettings] = useState<Settings | null>(null)
  useEffect(() => {
    let isGone = false
    read().then((known) => {
      if (!isGone) setSettings(known)
    })
    return () => {
      isGone = true
    }
  }, [])
  return settings
}
