/** What the operator's page shows, and which commands belong to a row. Each row of a list has an `id`. */

export interface View {
  title: string
  command: string
  /** The field that names a row. */
  main: string
  /** Get the id of the row as their first argument. */
  ofRow: readonly string[]
  ofPage: readonly string[]
}

export const VIEWS: readonly View[] = [
  {
    title: 'Accounts',
    command: 'accounts list',
    main: 'email',
    ofRow: [
      ...['accounts show', 'accounts set-plan', 'accounts disable', 'accounts enable', 'accounts allow-other-ways'],
      ...[
        'members list',
        'members add',
        'members remove',
        'keys list',
        'keys issue',
        'sessions list',
        'sessions end',
        'accounts export',
        'accounts delete',
      ],
    ],
    ofPage: ['accounts create', 'invites create', 'invites list'],
  },
  {
    title: 'Subscriptions',
    command: 'subscriptions list',
    main: 'email',
    ofRow: ['subscriptions show', 'subscriptions relink'],
    ofPage: [],
  },
  { title: 'Jobs', command: 'jobs list', main: 'kind', ofRow: ['jobs retry', 'jobs drop'], ofPage: [] },
  { title: 'Scans', command: 'scans list', main: 'verdict', ofRow: [], ofPage: [] },
  { title: 'Audit log', command: 'audit list', main: 'event', ofRow: [], ofPage: ['audit verify'] },
]

/** Of lists that a command shows in its dialog. */
export const RESULT_COMMANDS: Readonly<Record<string, readonly string[]>> = {
  'keys list': ['keys roll', 'keys revoke'],
}

/** They cannot be undone, or lock somebody out. */
export const DANGEROUS = new Set([
  ...['accounts disable', 'accounts delete', 'sessions end', 'keys revoke', 'keys roll', 'jobs drop'],
])
