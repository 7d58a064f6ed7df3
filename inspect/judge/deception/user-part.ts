/** A host in front of the `@` of an address, which readers take for the server. */

import { domainOf } from './domains.ts'

/** Names of people have dots as well: only usual ends of hosts count, and what has a path. */
const HOST_LIKE =
  /^(?:www\.[a-z0-9.-]{1,200}|(?:[a-z0-9-]{1,63}\.){1,10}(?:com|net|org|gov|edu|info|biz|io|app|dev|bank|eu|uk|de|fr|it|es|nl|at|ch|be|pl|se|dk|fi|cz|pt|ru|ua|us|ca|au|br|jp|cn))$/i
const HOST_WITH_PATH = /^(?:https?:\/{0,2})?((?:[a-z0-9-]{1,63}\.){1,10}[a-z]{2,24})[\\/?#]/i
const MAIL_USER = /^[\w.+-]{1,64}@((?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24})$/i
const USER_MAX = 500

/** A host in front of the `@`, as its beginning or as that of a mail address. With a password it is somebody's name. */
export function userHost({ username, password, hostname }: URL): string | undefined {
  if (username === '') return undefined
  const user = unescaped(username.slice(0, USER_MAX))
  const host = HOST_LIKE.test(user)
    ? user
    : (HOST_WITH_PATH.exec(user)?.[1] ?? (password === '' ? MAIL_USER.exec(user)?.[1] : undefined))
  return host !== undefined && domainOf(host.toLowerCase()).registered !== domainOf(hostname).registered
    ? host
    : undefined
}

function unescaped(text: string): string {
  return text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}
