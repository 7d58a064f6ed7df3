/** Documents after the ways of real campaigns: twelve of each. They are inert: every address is reserved for documentation. */

import { dridex } from './dridex.ts'
import { emotet } from './emotet.ts'
import { gandCrab } from './gand-crab.ts'
import { hancitor } from './hancitor.ts'
import { icedId } from './iced-id.ts'
import { qakBot } from './qak-bot.ts'
import { ta505 } from './ta505.ts'
import { trickBot } from './trick-bot.ts'
import { ursnif } from './ursnif.ts'
import { zLoader } from './z-loader.ts'

export const VARIANTS = 12

export const CAMPAIGNS: Readonly<Record<string, (variant: number) => Buffer>> = {
  Emotet: emotet,
  GandCrab: gandCrab,
  Ursnif: ursnif,
  TrickBot: trickBot,
  QakBot: qakBot,
  Dridex: dridex,
  ZLoader: zLoader,
  IcedID: icedId,
  Hancitor: hancitor,
  TA505: ta505,
}
