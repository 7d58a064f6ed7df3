/** How requests to one kind of object store are written, and its answers read. */
import type { ObjectVersion } from './events.ts'
import type { Place } from './sources.ts'

export interface StoreRequest {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  bucket: string
  /** Null: the bucket itself. */
  key: string | null
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: string
}

/** An object as a list has it. */
export interface ListedObject {
  key: string
  size: number
  etag: string
  /** In milliseconds. */
  changedAt: number
}

export interface ListedPage {
  objects: ListedObject[]
  /** Where the next page begins, null after the last one. Empty: there is one, and nothing tells where. */
  next: string | null
}

export interface Dialect {
  /** Throws `UnsafeKey`. */
  address(request: StoreRequest): { url: string; headers: Record<string, string> }
  /** The query that selects a version, of an object that has one. */
  versionQuery(version: string): Record<string, string>
  /** Where answers name the version, if it can be selected for every request. */
  versionHeader: string | null
  tagsQuery: Record<string, string>
  /** The body of a request for tags. */
  writeTags(tags: ReadonlyMap<string, string>): string
  copyHeaders(from: ObjectVersion): Record<string, string>
  /** Of the bytes, for a store that copies what is there and not a version. */
  checksumHeader: { name: string; value: RegExp } | null
  /** The object can be written on, and keeps its tags then. */
  isAppendable(headers: Readonly<Record<string, unknown>>): boolean
  /** Some stores answer 200 before the copy is made. */
  isCopied(headers: Readonly<Record<string, unknown>>, body: string): boolean
  listQuery(place: Place, cursor: string | null): Record<string, string>
  readList(xml: string): ListedPage
}

/** A URL cannot name this key: a parser would shorten its path to that of another object. */
export class UnsafeKey extends Error {
  constructor() {
    super('a key that no URL can name')
  }
}

/** `base` has no slash at its end. Throws `UnsafeKey` unless the path is what a client will send. */
export function checkedUrl(base: string, path: string, query: string): string {
  const url = `${base}${path}${query === '' ? '' : `?${query}`}`
  const { pathname, search } = new URL(url)
  if (pathname + search !== url.slice(new URL(base).origin.length)) throw new UnsafeKey()
  return url
}
