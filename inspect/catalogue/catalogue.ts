/** Every finding that the analyser can add, by its id. */

import { BOMBS } from './bombs.ts'
import type { Definition } from './definition.ts'
import { EXCEL } from './excel.ts'
import { HIDDEN } from './hidden.ts'
import { LINKS } from './links.ts'
import { MACROS } from './macros.ts'
import { MAIL } from './mail.ts'
import { OBJECTS } from './objects.ts'
import { ODF } from './odf.ts'
import { OFFICE } from './office.ts'
import { PDF } from './pdf.ts'
import { PROGRAMS } from './programs.ts'
import { QR } from './qr.ts'
import { RTF } from './rtf.ts'
import { SCRIPTS } from './scripts.ts'
import { SHORTCUTS } from './shortcuts.ts'
import { UNSCANNABLE } from './unscannable.ts'
import { WEB } from './web.ts'
import { ZIP } from './zip.ts'

const FAMILIES: readonly Readonly<Record<string, Definition>>[] = [
  BOMBS,
  EXCEL,
  HIDDEN,
  LINKS,
  MACROS,
  OBJECTS,
  ODF,
  MAIL,
  OFFICE,
  PDF,
  PROGRAMS,
  QR,
  RTF,
  SCRIPTS,
  SHORTCUTS,
  UNSCANNABLE,
  WEB,
  ZIP,
]

export const CATALOGUE: ReadonlyMap<string, Definition> = new Map(
  FAMILIES.flatMap((family) => Object.values(family).map((definition) => [definition.id, definition])),
)
