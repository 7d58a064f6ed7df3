/** Identifiers. Version 7 sorts by time, which keeps the indexes of our tables compact. */
import { randomUUIDv7 } from 'node:crypto'

export const newId = (): string => randomUUIDv7()
