/** What became of something that the marketplace told us, in one word. */

export const OUTCOMES = [
  'applied',
  /** It means nothing in the state that we know. */
  'unchanged',
  /** Something newer counts. */
  'superseded',
  /** To the marketplace: a plan that we do not sell. */
  'refused',
  /** It happened, to a plan that we do not sell: somebody must put it on the map. */
  'unmapped',
  /** The marketplace itself gave it up. */
  'void',
  'repeated',
  /** The marketplace does not know of it. */
  'unconfirmed',
  'unknown_action',
  'unknown_subscription',
] as const

export type Outcome = (typeof OUTCOMES)[number]
