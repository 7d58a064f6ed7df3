/** Findings of a scan: stored without the text that the catalogue has, and shown with it. */
import type { Static } from 'typebox'
import { AppError } from '#base/errors.ts'
import type { EngineReport } from '#engines/panel.ts'
import type { CATALOGUE } from '#inspect/catalogue/catalogue.ts'
import { EFFECTS, KNOWN_MALWARE, OPERATOR_RULE } from './effects.ts'
import type { ReportFinding } from './report-schema.ts'
import type { ScanRow } from './store.ts'

/** Of the worst findings, so that no document can fill the database. */
export const FINDINGS_STORED_MAX = 20
export const FINDINGS_BYTES_MAX = 16_384
const SEVERITIES = ['malicious', 'suspicious', 'notice'] as const

type Shown = Static<typeof ReportFinding>
/** Text is stored only for findings without an entry in the catalogue, such as those of the operator's rules. */
type Stored = Pick<Shown, 'id' | 'severity' | 'engine' | 'path' | 'detail'> & Partial<Shown>
type Threat = { threat: string; engine: string; path: readonly string[] }

export type Findings = ReturnType<typeof createFindings>

export function createFindings(catalogue: typeof CATALOGUE, publicUrl: string) {
  const urlOf = (id: string) => `${publicUrl}/findings/${id}`

  function stored(finding: Stored): Stored {
    if (!catalogue.has(finding.id)) return finding
    const { id, severity, engine, path, detail } = finding
    return { id, severity, engine, path, detail }
  }

  function shown({ id, severity, engine, path, detail, ...own }: Stored): Shown {
    const known = catalogue.get(id)
    const { title, reason, technique } = { ...textOf(id, engine), ...own, ...known }
    const effect = severity === 'notice' ? null : effectOf(id, own.title !== undefined)
    return { id, severity, title, reason, effect, technique, path, detail, engine, article: known ? urlOf(id) : null }
  }

  function effectOf(id: string, isOwnRule: boolean): string {
    const unlisted = isOwnRule ? OPERATOR_RULE : KNOWN_MALWARE
    return EFFECTS.get(id) ?? catalogue.get(id)?.article.danger ?? unlisted
  }

  function article({ article, ...definition }: NonNullable<ReturnType<typeof catalogue.get>>) {
    const { id, severity } = definition
    const effect = severity === 'notice' ? null : effectOf(id, false)
    return { ...definition, effect, ...article, url: urlOf(id) }
  }

  return {
    articles: () => Array.from(catalogue.values(), article),

    article(id: string) {
      const definition = catalogue.get(id)
      if (definition === undefined) throw new AppError('not_found', 'No finding of the embedded engine has this id.')
      return article(definition)
    },

    /** For the row of the scan; null when there are none. */
    encode(reports: readonly EngineReport[], threat: Threat | null): string | null {
      const found: Stored[] = reports.flatMap(({ engine, outcome }) =>
        (outcome.findings ?? []).map((finding) => ({ ...finding, path: [...finding.path], engine })),
      )
      if (threat !== null && !found.some(({ id }) => id === threat.threat)) found.push(threatOf(threat))
      const worstFirst = found.toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity))
      const kept: string[] = []
      let bytes = 0
      for (const finding of worstFirst) {
        const json = JSON.stringify(stored(finding))
        bytes += Buffer.byteLength(json)
        if (kept.length >= FINDINGS_STORED_MAX || bytes > FINDINGS_BYTES_MAX) break
        kept.push(json)
      }
      return kept.length === 0 ? null : `[${kept.join(',')}]`
    },

    decode({ findings, threat, engine, path }: ScanRow): Shown[] {
      if (findings !== null) return (JSON.parse(findings) as Stored[]).map(shown)
      if (threat === null) return []
      return [shown(threatOf({ threat, engine, path: JSON.parse(path ?? '[]') as string[] }))]
    },
  }
}

function threatOf({ threat, engine, path }: Omit<Threat, 'engine'> & { engine: string | null }): Stored {
  return { id: threat, severity: 'malicious', engine, path: [...path], detail: null }
}

/** For a finding that comes with its name only, as from clamd. */
function textOf(id: string, engine: string | null) {
  return { title: id, reason: `The engine ${engine ?? 'in use'} reported this threat.`, technique: null }
}
