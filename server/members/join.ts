/** Makes people members when they sign in, because the operator has said so for their organisation. */
import type { Log } from '#base/log.ts'
import type { Trx } from '#storage/database.ts'
import { type ChangeOptions, createOwnChange, refuseTooMany } from './change.ts'

interface JoinOptions extends Pick<ChangeOptions, 'transact' | 'accounts' | 'store'> {
  mail: { memberJoined(trx: Trx, membership: { accountId: string; personId: string }): Promise<void> }
  log: Log
}

/** Never fails: a person who does not become a member is signed in nevertheless. */
export function createJoin({ transact, accounts, store, mail, log }: JoinOptions) {
  const asMember = createOwnChange({ transact })

  async function join(trx: Trx, accountId: string, personId: string): Promise<void> {
    for (const id of [accountId, personId].sort()) await accounts.lock(trx, id)
    if ((await accounts.find(personId, trx)) === undefined) return
    await refuseTooMany(store, trx, accountId, personId)
    const isNew = await store.add(trx, { accountId, personId, role: 'member', invitedBy: null }, false)
    if (isNew) await mail.memberJoined(trx, { accountId, personId })
  }

  return async (personId: string, selector: string): Promise<void> => {
    try {
      const account = await (selector.includes('@')
        ? accounts.findByEmail(selector.toLowerCase())
        : accounts.find(selector))
      if (account === undefined || account.provenAt === null || account.disabledAt !== null)
        log.warn('The account in joinAccounts does not exist, is disabled, or nobody has proven its address')
      else if (account.id !== personId && !(await store.wasMember(account.id, personId)))
        await asMember(personId, (trx) => join(trx, account.id, personId))
    } catch (error) {
      log.warn({ err: error, personId }, 'Person not added to the account in joinAccounts')
    }
  }
}
