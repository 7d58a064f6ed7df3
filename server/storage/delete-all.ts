/** In one statement, which has a time limit on PostgreSQL, and during which SQLite does not respond. */
export const DELETED_MAX = 5_000

/** Deletes however many rows there are. */
export async function deleteAll(deleteSome: (max: number) => Promise<{ numDeletedRows: bigint }>): Promise<void> {
  for (;;) {
    const { numDeletedRows } = await deleteSome(DELETED_MAX)
    if (numDeletedRows < BigInt(DELETED_MAX)) return
  }
}
