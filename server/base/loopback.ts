/** Detects hosts that are reachable from this machine only. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Expects the host as in a URL: IPv6 in brackets. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host)

export const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname)
