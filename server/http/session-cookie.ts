/** The session cookie. */

export type SessionCookie = ReturnType<typeof createSessionCookie>

const NAME = 'docvet_session'

/** `__Host-` makes browsers reject a cookie set by another host of the same domain. It requires HTTPS. */
export function createSessionCookie(secure: boolean) {
  const name = secure ? `__Host-${NAME}` : NAME
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return {
    name,

    /** Null for two different values, because one of them was planted. */
    read(header: string | undefined): string | null {
      const values = new Set<string>()
      for (const pair of header?.split(';') ?? []) {
        const [key, ...rest] = pair.split('=')
        if (key?.trim() === name) values.add(rest.join('=').trim())
      }
      const [only] = values
      return values.size === 1 && only !== undefined ? only : null
    },

    set: (token: string, maxAgeSeconds: number): string => `${name}=${token}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: (): string => `${name}=; Max-Age=0; ${attributes}`,
  }
}
