/** Alerts about infected documents: by mail for accounts that want them, and by mail and callback for the operator. */
import type { AccountStore } from '#accounts/store.ts'
import { AppError } from '#base/errors.ts'
import type { Jobs } from '#jobs/jobs.ts'
import type { Trx } from '#storage/database.ts'
import type { Procedure } from '#storage/prepared.ts'
import { OPERATOR_CALLBACK, type OperatorAlert, operatorAlert } from './operator-callback.ts'
import { type AlertStore, OPERATOR } from './store.ts'

interface InfectedScan extends OperatorAlert {
  verdict: string
  account_id: string | null
}

interface AlertsOptions {
  store: AlertStore
  accounts: Pick<AccountStore, 'find'>
  jobs: Pick<Jobs, 'post'>
  infectedFound(trx: Trx, alert: { accountId: string; since: number }, delayMs: number): Promise<void>
  operator: { mail: boolean; callback: boolean }
}

export type Alerts = ReturnType<typeof createAlerts>

export function createAlerts({ store, accounts, jobs, infectedFound, operator }: AlertsOptions) {
  function* mail(id: string): Procedure<void> {
    const due = yield* store.found(id)
    if (due !== null) yield (trx) => infectedFound(trx, { accountId: id, since: due.since }, due.delayMs)
  }

  return {
    isOn: store.isOn,

    async change(accountId: string, isOn: boolean): Promise<void> {
      // Otherwise somebody could sign up with the address of another, and have mail sent there.
      if (isOn && (await accounts.find(accountId))?.provenAt == null)
        throw new AppError(
          'email_unverified',
          'Nobody has proven yet that the address of this account belongs to its owner, so no alerts are sent there. Its owner signs in with a provider that has verified it, or sets a password through the link that the page "Forgot your password?" sends.',
        )
      await store.change(accountId, isOn)
    },

    /** In the transaction that stores a verdict. */
    *found(scan: InfectedScan): Procedure<void> {
      if (scan.account_id === null || scan.verdict !== 'infected') return
      yield* mail(scan.account_id)
      if (operator.mail) yield* mail(OPERATOR)
      if (operator.callback) yield (trx) => jobs.post(trx, OPERATOR_CALLBACK, operatorAlert(scan))
    },
  }
}
