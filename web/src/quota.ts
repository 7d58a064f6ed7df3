/** Meaning of the figures of a month. */
import type { Usage } from './api/schema.ts'

/** No key is active: nothing is left, although the quota is not used up. */
export const hasNoKey = ({ scansUsed, scansQuota, scansRemaining }: Usage): boolean =>
  scansRemaining === 0 && scansUsed < scansQuota

/** How much of the quota is gone. The scans of revoked keys count as used, but active keys have lost nothing by them. */
export const spent = (usage: Usage): number =>
  hasNoKey(usage) ? usage.scansUsed : usage.scansQuota - usage.scansRemaining

/** The scans that are left. Without a key, the first scan in the dashboard creates one with the whole quota. */
export const leftOf = (usage: Usage): number => (hasNoKey(usage) ? usage.scansQuota : usage.scansRemaining)
