/** The format of receipts, for the service that signs them and the command that verifies them. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json'
export const STATEMENT_TYPE = 'https://in-toto.io/Statement/v1'
/** The predicate types of all installations end so. */
export const PREDICATE_PATH = '/receipt/v1'
