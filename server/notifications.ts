/** Every notification by mail: queued in the transaction that causes it, composed when it is sent. */
import type { AccountStore } from '#accounts/store.ts'
import { type AlertStore, OPERATOR } from '#alerts/store.ts'
import type { KeyStore } from '#keys/store.ts'
import type { Composers } from '#mail/delivery.ts'
import {
  addressProven,
  infectedFound,
  keyCreated,
  keyExpires,
  memberInvited,
  memberJoined,
  ownerChanged,
  ownershipOffered,
  passwordChanged,
  passwordReset,
  signInAdded,
  signInChanged,
  usageReached,
  webhookDisabled,
} from '#mail/messages.ts'
import type { Outbox } from '#mail/outbox.ts'
import { INVITATION_DAYS, type InvitationStore } from '#members/invitation-store.ts'
import { OFFER_DAYS } from '#members/ownership-store.ts'
import type { MemberStore } from '#members/store.ts'
import { UNDO_DAYS } from '#oidc/ways.ts'
import { RESET_MINUTES, type ResetStore } from '#sessions/reset-store.ts'
import { mintToken } from '#sessions/token.ts'
import type { NotifyUsage } from '#usage/store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const REMINDED_BEFORE_MS = 7 * DAY_MS

type Trx = Parameters<Outbox['post']>[0]

interface NotificationsOptions {
  outbox: Outbox
  accounts: AccountStore
  keys: KeyStore
  resets: ResetStore
  invitations: Pick<InvitationStore, 'issue'>
  members: Pick<MemberStore, 'roleOf'>
  alerts: Pick<AlertStore, 'countSince' | 'waiting'>
  /** Where the operator gets alerts; null for nowhere. */
  operatorMail: string | null
  /** The name of the provider of a way to sign in, and the token that removes it; null if it is gone. */
  undoOf(identityId: string, at: number): Promise<{ provider: string; token: string } | null>
  publicUrl: string
}

/** The stored parameters of each kind. They contain no secrets: the reset link is created when it is sent. */
interface Kinds {
  password_reset: { emailKey: string }
  password_changed: { accountId: string }
  /** Older versions stored what the mail says. */
  key_created: { keyId: string } | { accountId: string; name: string; lastFour: string }
  key_expires: { keyId: string; expiresAt: number }
  usage_reached: Parameters<NotifyUsage>[1]
  webhook_disabled: { accountId: string; url: string }
  infected_found: { accountId: string; since: number }
  sign_in_added: { accountId: string; identityId: string }
  address_proven: { accountId: string }
  sign_in_changed: { accountId: string; what: 'passkeys_only' | 'recovery_used' }
  member_invited: { invitationId: string }
  member_joined: { accountId: string; personId: string }
  ownership_offered: { accountId: string; personId: string; to: 'owner' | 'member' }
  owner_changed: { accountId: string; formerId: string; to: 'owner' | 'former' }
}

export function createNotifications(options: NotificationsOptions) {
  const { outbox, accounts, keys, resets, undoOf, publicUrl } = options
  const emailOf = async (accountId: string) => (await accounts.find(accountId))?.email

  const compose: Composers<Kinds> = {
    async password_reset({ emailKey }, { id }) {
      const { secret, hash } = mintToken()
      const owner = await resets.issue(id, emailKey, hash)
      if (owner === null) return null
      // The page suggests revoking keys that were created before anyone proved the address.
      const hint = owner.isProven ? '' : '?first'
      // In the fragment, which browsers do not send to servers.
      const link = `${publicUrl}/reset-password${hint}#token=${secret}`
      return { to: owner.email, message: passwordReset({ link, minutes: RESET_MINUTES }) }
    },

    async password_changed({ accountId }, { createdAt: at }) {
      const to = await emailOf(accountId)
      if (to === undefined) return null
      return { to, message: passwordChanged({ at, keys: await keys.listUsable(accountId), publicUrl }) }
    },

    async key_created(params, { createdAt: at }) {
      const key =
        'keyId' in params ? await keys.describe(params.keyId) : { ...params, email: await emailOf(params.accountId) }
      if (key?.email === undefined) return null
      const { email: to, name, lastFour } = key
      return { to, message: keyCreated({ name, lastFour, at, publicUrl }) }
    },

    async key_expires({ keyId, expiresAt }) {
      const key = await keys.describe(keyId)
      // Revoked, or rolled since then: that posted a reminder of its own.
      if (!key || key.revokedAt !== null || key.expiresAt !== expiresAt || expiresAt <= Date.now()) return null
      return { to: key.email, message: keyExpires({ ...key, expiresAt, publicUrl }) }
    },

    async webhook_disabled({ accountId, url }, { createdAt: at }) {
      const to = await emailOf(accountId)
      return to === undefined ? null : { to, message: webhookDisabled({ url, at, publicUrl }) }
    },

    async infected_found({ accountId, since: at }) {
      const isOperator = accountId === OPERATOR
      const to = isOperator ? options.operatorMail : await emailOf(accountId)
      const count = await options.alerts.countSince(accountId, at)
      // An erased account has an empty one.
      if (!to || count === undefined) return null
      return { to, message: infectedFound({ at, count, isOperator, publicUrl }) }
    },

    async sign_in_added({ accountId, identityId }, { createdAt: at }) {
      const [to, undo] = [await emailOf(accountId), await undoOf(identityId, at)]
      if (to === undefined || undo === null) return null
      const link = `${publicUrl}/undo-sign-in#token=${undo.token}`
      return { to, message: signInAdded({ at, provider: undo.provider, link, days: UNDO_DAYS }) }
    },

    async address_proven({ accountId }, { createdAt: at }) {
      const to = await emailOf(accountId)
      if (to === undefined) return null
      return { to, message: addressProven({ at, keys: await keys.listUsable(accountId), publicUrl }) }
    },

    async sign_in_changed({ accountId, what }, { createdAt: at }) {
      const to = await emailOf(accountId)
      return to === undefined ? null : { to, message: signInChanged({ at, what, publicUrl }) }
    },

    async member_invited({ invitationId }) {
      const { secret, hash } = mintToken()
      const invitation = await options.invitations.issue(invitationId, hash)
      if (invitation === null) return null
      const { email: to, ...words } = invitation
      const link = `${publicUrl}/join#token=${secret}`
      return { to, message: memberInvited({ ...words, link, days: INVITATION_DAYS }) }
    },

    async member_joined({ accountId, personId }, { createdAt: at }) {
      const [to, email] = [await emailOf(accountId), await emailOf(personId)]
      const role = await options.members.roleOf(accountId, personId)
      if (to === undefined || email === undefined || role === null) return null
      return { to, message: memberJoined({ at, email, role, publicUrl }) }
    },

    async ownership_offered({ accountId, personId, to }, { createdAt: at }) {
      const [owner, member] = [await emailOf(accountId), await emailOf(personId)]
      if (owner === undefined || member === undefined) return null
      const isOwner = to === 'owner'
      const words = { at, owner, member, isOwner, days: OFFER_DAYS, publicUrl }
      return { to: isOwner ? owner : member, message: ownershipOffered(words) }
    },

    async owner_changed({ accountId, formerId, to }, { createdAt: at }) {
      const [owner, former] = [await emailOf(accountId), await emailOf(formerId)]
      if (owner === undefined || former === undefined) return null
      const isOwner = to === 'owner'
      return { to: isOwner ? owner : former, message: ownerChanged({ at, owner, former, isOwner, publicUrl }) }
    },

    async usage_reached({ keyId, ...use }) {
      const key = await keys.describe(keyId)
      if (key === undefined || key.test === 1) return null
      const { email, name, lastFour } = key
      return { to: email, message: usageReached({ ...use, keyName: name, lastFour, publicUrl }) }
    },
  }

  async function queue<Kind extends keyof Kinds>(
    trx: Trx,
    kind: Kind,
    params: Kinds[Kind],
    options: { dedupe?: string; delayMs?: number } = {},
  ) {
    await outbox.post(trx, { kind, params, ...options })
  }

  return {
    compose,
    /** A second request has no effect while the first mail is still queued. */
    resetRequested: (trx: Trx, emailKey: string) =>
      queue(trx, 'password_reset', { emailKey }, { dedupe: `password_reset ${emailKey}` }),
    passwordChanged: (trx: Trx, accountId: string) => queue(trx, 'password_changed', { accountId }),
    /** Its name is text of a client, which a job must not contain. */
    keyCreated: (trx: Trx, { id: keyId }: { id: string }) => queue(trx, 'key_created', { keyId }),
    /** Not for a key that expires within a week: its owner has just chosen that. */
    async keyExpires(trx: Trx, { id: keyId, expiresAt }: { id: string; expiresAt: number }): Promise<void> {
      const delayMs = expiresAt - REMINDED_BEFORE_MS - Date.now()
      if (delayMs > 0) await queue(trx, 'key_expires', { keyId, expiresAt }, { delayMs })
    },
    usageReached: (trx: Trx, use: Kinds['usage_reached']) => queue(trx, 'usage_reached', use),
    /** The URL is stored without its query. */
    webhookDisabled: (trx: Trx, { accountId, url }: Kinds['webhook_disabled']) =>
      queue(trx, 'webhook_disabled', { accountId, url: url.replace(/\?…$/, '') }),
    infectedFound: (trx: Trx, alert: Kinds['infected_found'], delayMs: number) =>
      queue(trx, 'infected_found', alert, { delayMs }),
    signInAdded: (trx: Trx, identity: Kinds['sign_in_added']) => queue(trx, 'sign_in_added', identity),
    signInChanged: (trx: Trx, accountId: string, what: Kinds['sign_in_changed']['what']) =>
      queue(trx, 'sign_in_changed', { accountId, what }),
    addressProven: (trx: Trx, accountId: string) => queue(trx, 'address_proven', { accountId }),
    memberInvited: (trx: Trx, invitationId: string) => queue(trx, 'member_invited', { invitationId }),
    memberJoined: (trx: Trx, membership: Kinds['member_joined']) => queue(trx, 'member_joined', membership),
    /** To both. */
    async ownershipOffered(trx: Trx, offer: Omit<Kinds['ownership_offered'], 'to'>): Promise<void> {
      for (const to of ['owner', 'member'] as const) await queue(trx, 'ownership_offered', { ...offer, to })
    },
    /** To both. */
    async ownerChanged(trx: Trx, change: Omit<Kinds['owner_changed'], 'to'>): Promise<void> {
      for (const to of ['owner', 'former'] as const) await queue(trx, 'owner_changed', { ...change, to })
    },
    /** Queued mail about an account, whose person is another one from now on. An alert is about its data, and goes to the new one. */
    async forget(trx: Trx, accountId: string): Promise<void> {
      await outbox.erase(trx, [accountId])
      const alert = await options.alerts.waiting(trx, accountId)
      if (alert !== null)
        await queue(trx, 'infected_found', { accountId, since: alert.since }, { delayMs: alert.delayMs })
    },
    /** Queued mail to the owner of these keys. */
    erase: (trx: Trx, { accountId, emailKey }: { accountId: string; emailKey: string }, keyIds: readonly string[]) =>
      outbox.erase(trx, [accountId, emailKey, ...keyIds]),
  }
}
