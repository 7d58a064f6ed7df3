/** Sign-ins whose result the browser of the reader shows as an address. */

const COLON = '(?::|%3a)'
const SLASH = '(?:/|%2f)'

/** A sign-in whose result the browser of the reader shows as an address: at the computer itself, or at a page that does nothing with it. */
const RETURNS_CODE = new RegExp(
  String.raw`/(?:oauth2?|o/oauth2|authorize|connect)\b(?=[^\s"'<>]{0,600}response_type=code|[^\s"'<>]{0,600}client_id=)[^\s"'<>]{0,600}?redirect_uri=(?:https?${COLON}${SLASH}{2}(?:localhost|127\.0\.0\.1|(?:insiders\.)?vscode\.dev|[\w.]{1,40}${SLASH}(?:common${SLASH}oauth2${SLASH})?nativeclient)|urn${COLON}ietf)`,
  'i',
)

/** Whether the address of a sign-in returns its code to the computer of the reader, as a tool for a command line wants it. */
export function returnsCode(address: string): boolean {
  return RETURNS_CODE.test(address)
}

/** The same without the secret that such a tool makes for each sign-in, so that anybody can use the code. */
export function returnsOpenCode(address: string): boolean {
  return RETURNS_CODE.test(address) && !/[?&]code_challenge=/i.test(address)
}
