/** Text of a client in both databases: PostgreSQL neither stores nor compares a null character. For schemas. */
export const STORED_TEXT = { pattern: '^[^\\x00]*$', 'x-form': 'text without null characters' } as const
