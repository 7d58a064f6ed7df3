/** The place from which Office installs the add-in of a document. */

import { OFFICE } from '#inspect/catalogue/office.ts'
import type { Context, Item } from '#inspect/core/format.ts'
import { classifyTarget, describeTarget } from '#inspect/targets/targets.ts'

/** Long values are split over properties with numbers at the end of their names. */
export const ADD_IN_LOCATION = /^_AssemblyLocation\d*$/i

/** `location`: the address, and identifiers after `|`. */
export function judgeAddIn(item: Item, location: string, context: Context): void {
  const [address = ''] = location.split('|')
  const target = classifyTarget(address)
  if (!target.isRemote) return
  const found = target.kind === 'web' ? OFFICE.addInLink : OFFICE.addInShare
  context.addFinding(item, { ...found, detail: describeTarget(address) })
}
