/** UUIDs of version 7 sort by time, which keeps database indexes compact. */
import { randomUUIDv7 } from 'node:crypto'

export const newId = (): string => randomUUIDv7()
