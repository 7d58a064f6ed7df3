/** The largest accepted document: 25 MB as the contract counts them. */
export const DOCUMENT_BYTES_MAX = 26_214_400

/** Characters of the password of a document. */
export const PASSWORD_LENGTH_MAX = 256
/** Characters of the client's reference to a document. */
export const REFERENCE_LENGTH_MAX = 256
