/** Schemas of members and invitations. */
import { Type } from 'typebox'
import { MEMBER_ROLES, ROLES } from '#base/principal.ts'

const TOKEN_LENGTH_MAX = 200
const PASSWORD_LENGTH_MAX = 1_024
/** An upper bound; parseEmail applies the exact limit. */
const EMAIL_LENGTH_MAX = 320
/** The `uuid` format also accepts the longer form `urn:uuid:…`. */
const UUID_LENGTH = 36
const EXAMPLE_ID = '019a8b1c-7f4e-7c3a-9d2b-5e6f70819203'

const givenId = (description: string) =>
  Type.String({ format: 'uuid', maxLength: UUID_LENGTH, description, examples: [EXAMPLE_ID] })
const shownId = (description: string) => Type.String({ format: 'uuid', description, examples: [EXAMPLE_ID] })
const email = Type.String({ examples: ['grace@example.com'] })
const time = Type.String({ format: 'date-time' })

const givenRole = Type.Enum([...MEMBER_ROLES], {
  type: 'string',
  description:
    '`viewer` reads reports and usage; `member` also scans and has API keys of its own; `admin` also manages all keys, callbacks, the allow list and members.',
  examples: ['member'],
})
const shownRole = Type.Enum([...ROLES], { type: 'string', examples: ['member'] })

const keepKeys = Type.Optional(
  Type.Boolean({
    description:
      'Whether the keys that the person has created stay, although the person could use them. Default: false.',
    examples: [false],
  }),
)

const offerExpiresAt = Type.String({
  format: 'date-time',
  description: 'Only while the ownership of the account is offered to the person: when the offer ends.',
  examples: ['2026-11-25T06:00:00.000Z'],
})

const MemberView = Type.Object(
  {
    ...{ id: shownId('The id of the person.'), email, role: shownRole, createdAt: time },
    offerExpiresAt: Type.Optional(offerExpiresAt),
  },
  { title: 'Member' },
)

export const MemberList = Type.Object(
  { items: Type.Array(MemberView, { description: 'The owner first, then the oldest.' }) },
  { title: 'MemberList', description: 'The people of the account.' },
)

export const MemberParams = Type.Object({ memberId: givenId('The id of the person.') })

export const ChangeMemberRequest = Type.Object(
  { role: givenRole, keepKeys },
  {
    title: 'ChangeMemberRequest',
    description: 'The new role. Keys of the person that may do more than the role are revoked.',
    additionalProperties: false,
  },
)

export const RemoveMemberRequest = Type.Object(
  { keepKeys },
  {
    title: 'RemoveMemberRequest',
    description: 'Whether the keys of the person stay.',
    additionalProperties: false,
  },
)

const proof = (of: string) =>
  `The password of ${of}. May be omitted in a session that started with it within the last 10 minutes, or whose owner has signed in with a passkey, or again with a provider, since then.`

const password = Type.Optional(
  Type.String({ minLength: 1, maxLength: PASSWORD_LENGTH_MAX, examples: ['a meadow full of crickets'] }),
)

export const OfferOwnershipRequest = Type.Object(
  { password },
  { title: 'OfferOwnershipRequest', description: proof('the owner'), additionalProperties: false },
)

export const AcceptOwnershipRequest = Type.Object(
  { password },
  { title: 'AcceptOwnershipRequest', description: proof('the person who accepts'), additionalProperties: false },
)

export const OwnershipOffer = Type.Object(
  { offerExpiresAt },
  { title: 'OwnershipOffer', description: 'The offer, which the member has to accept.' },
)

export const InviteRequest = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH_MAX, examples: ['grace@example.com'] }),
    role: givenRole,
  },
  { title: 'InviteRequest', description: 'Whom to invite, and for which role.', additionalProperties: false },
)

export const InvitationView = Type.Object(
  { id: shownId('The id of the invitation.'), email, role: shownRole, createdAt: time, expiresAt: time },
  { title: 'Invitation', description: 'An open invitation. The link is only in the mail.' },
)

export const InvitationList = Type.Object(
  { items: Type.Array(InvitationView, { description: 'The oldest first.' }) },
  { title: 'InvitationList', description: 'The open invitations of the account.' },
)

export const InvitationParams = Type.Object({ invitationId: givenId('The id of the invitation.') })

export const AcceptRequest = Type.Object(
  {
    token: Type.String({
      minLength: 1,
      maxLength: TOKEN_LENGTH_MAX,
      description: 'The value after `#token=` in the mailed link.',
      examples: ['kP3vXw0Zr8QmT5nYb1LcDf7HsJ2gUa9E4iVoRxWtB6M'],
    }),
  },
  { title: 'AcceptInvitationRequest', description: 'The token of the invitation.', additionalProperties: false },
)

const accountFields = {
  accountId: shownId('The id of the account.'),
  email: Type.String({ description: 'The address of its owner.', examples: ['ada@example.com'] }),
  role: shownRole,
}

export const JoinedAccount = Type.Object(accountFields, {
  title: 'JoinedAccount',
  description: 'The account that the person can now work in.',
})

const AccountChoice = Type.Object(
  {
    ...{ ...accountFields, current: Type.Boolean({ description: 'The session works in it.', examples: [true] }) },
    offerExpiresAt: Type.Optional(offerExpiresAt),
  },
  { title: 'AccountChoice' },
)

export const AccountChoices = Type.Object(
  { items: Type.Array(AccountChoice, { description: 'The own account first.' }) },
  { title: 'AccountChoiceList', description: 'The accounts that the person can work in.' },
)

export const EnterRequest = Type.Object(
  { accountId: givenId('The id of the account.') },
  { title: 'EnterAccountRequest', description: 'The account to work in.', additionalProperties: false },
)

export const AccountParams = Type.Object({ accountId: givenId('The id of the account.') })
