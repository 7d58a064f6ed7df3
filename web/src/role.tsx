/** What the signed-in person may do in the account that the session works in. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { meQuery } from './api/queries.ts'

const ROLES = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** That of the owner until it is known: the service decides. */
export function useMay(): (needed: Role) => boolean {
  const { data: me } = useQuery(meQuery)
  const role = me?.actingAs?.role ?? 'owner'
  return (needed) => ROLES.indexOf(role) >= ROLES.indexOf(needed)
}

export function ForRole({ needs, children }: { needs: Role; children: ReactNode }) {
  return useMay()(needs) && children
}
