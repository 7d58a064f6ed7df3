/** Addresses that lead to this machine only. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The host as addresses have it: IPv6 in brackets. */
export const isLoopbackHost = (host: string): boolean => LOOPBACK.test(host)

export const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname)
