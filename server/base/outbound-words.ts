/** Words for calls that failed, which clients may see: never the text of the peer. */
import type { Failed } from './outbound-http.ts'

const WORDS: readonly [RegExp, string][] = [
  [/^E(?:NOTFOUND|NODATA|SERVFAIL|TIMEOUT|REFUSED|FORMERR|BADRESP|AI_)/, 'host name not found'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^E(?:TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN)$/, 'host unreachable'],
  [/CERT|^UNABLE_TO_|SELF_SIGNED/, 'invalid certificate'],
  [/^EPROTO$|^ERR_(?:SSL|TLS)/, 'no TLS connection'],
  [/^ECONNRESET$|^EPIPE$|^connection closed$/, 'connection closed'],
]

export function failureWord(failed: Failed): string {
  switch (failed.kind) {
    case 'refused':
      return 'URL not allowed'
    case 'late':
      return 'no response in time'
    case 'invalid':
      return `a response that is ${failed.why}`
    case 'broken':
      return WORDS.find(([code]) => code.test(failed.why))?.[1] ?? 'connection failed'
  }
}
