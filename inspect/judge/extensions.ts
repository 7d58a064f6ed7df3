/** Judges files by the extensions of their names. */

import type { Severity } from '#inspect/core/findings.ts'
import { FILE_KINDS, type FileKind, type Opened } from '#inspect/windows/extensions.ts'

const SEVERITIES: Record<Opened, Severity> = { runs: 'malicious', mayRun: 'suspicious', shows: 'notice' }

const BY_EXTENSION: ReadonlyMap<string, { kind: FileKind; severity: Severity }> = new Map(
  FILE_KINDS.flatMap(([kind, opened, extensions]) =>
    extensions.map((extension) => [extension, { kind, severity: SEVERITIES[opened] }] as const),
  ),
)

export function kindOfExtension(extension: string): { kind: FileKind; severity: Severity } | null {
  return BY_EXTENSION.get(extension) ?? null
}

const extensionIn = (path: string): string => /\.(\w{1,8})["']?\s*$/.exec(path)?.[1]?.toLowerCase() ?? ''

/** Files that run when they are opened. */
export const isDangerousName = (path: string): boolean =>
  kindOfExtension(extensionIn(path.split(/[?#]/)[0] ?? ''))?.severity === 'malicious'

/** Files that no program runs. */
export const isDataName = (path: string): boolean =>
  ['text', 'picture', 'document', 'page'].includes(kindOfExtension(extensionIn(path))?.kind ?? '')
