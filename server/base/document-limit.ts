/** The largest accepted document: 25 MB as the contract counts them. */
export const DOCUMENT_BYTES_MAX = 26_214_400
/** The largest that the service can be set to fetch from a URL or an object store. */
export const FETCHED_BYTES_MAX = 268_435_456

/** How many times the work and time of an upload a document may take: in proportion to its size above that of uploads. */
export const workFactor = (bytes: number): number => Math.max(1, bytes / DOCUMENT_BYTES_MAX)

/** Characters of the password of a document. */
export const PASSWORD_LENGTH_MAX = 256
/** Where clients of the API give it, in texts: other clients have other places. */
export const PASSWORD_FIELD = 'in the form field `password`'
/** Characters of the client's reference to a document. */
export const REFERENCE_LENGTH_MAX = 256
