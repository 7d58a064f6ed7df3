/** The tools of the Model Context Protocol as the service has them. */
import { AppError, type ErrorCode, PROBLEMS } from '#base/errors.ts'
import type { McpServer, ToolResult } from '#base/mcp.ts'
import { explainTool, INSTRUCTIONS, listTool, type ScannedDocument, scanResult, scanTool } from '#base/mcp-tools.ts'
import type { Principal, Scope } from '#base/principal.ts'
import type { Report, Reports } from '#scan/reports.ts'

interface McpCaller {
  principal: Extract<Principal, { kind: 'key' }>
  address: string
  requestId: string
}

export interface ServiceTools {
  /** Takes it from the rate and the quota of the caller. Rejects without a verdict. */
  scanUrl(url: string, caller: McpCaller, gone: AbortSignal): Promise<ScanVerdict>
  reports: Pick<Reports, 'find' | 'list'>
  explain: Parameters<typeof explainTool>[0]
}

type ScanVerdict = Pick<Report, 'scanId' | 'threat' | 'fileName' | 'fileSize'> & { status: 'clean' | 'infected' }

/** The document is at fault, so that this is an outcome of the scan. */
const REFUSALS: readonly ErrorCode[] = [
  ...(['encrypted_document', 'document_too_complex', 'damaged_document'] as const),
  ...(['unsupported_content_type', 'file_too_large', 'empty_file'] as const),
]

export function serviceTools(
  { scanUrl, reports, explain }: ServiceTools,
  caller: McpCaller,
): Pick<McpServer, 'instructions' | 'tools'> {
  const { accountId, limits } = caller.principal
  const may = (scope: Scope): boolean => limits?.scopes?.includes(scope) ?? true
  /** A tool that the key may not use is not offered. */
  const forScope = <Tool>(scope: Scope, tool: Tool): Tool[] => (may(scope) ? [tool] : [])

  async function findingsOf(scanId: string): Promise<ScannedDocument['findings']> {
    if (!may('read')) return []
    // Reports may not be kept.
    const report = await reports.find(accountId, scanId).catch(() => null)
    return report?.findings ?? []
  }

  async function scan(url: string, gone: AbortSignal): Promise<ToolResult> {
    try {
      const { scanId, status, threat, fileName, fileSize } = await scanUrl(url, caller, gone)
      const about = { scanId, fileName, fileSize }
      return scanResult({ status, threat, reason: null, findings: await findingsOf(scanId), about })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, message } = error
      if (REFUSALS.includes(code))
        return scanResult({ status: 'refused', threat: null, reason: code, findings: [], about: {} })
      const retry = error.retryAfterSeconds === undefined ? '' : ` Retry after ${error.retryAfterSeconds} s.`
      return { text: `${PROBLEMS[code].title} (${code}).${retry}`, data: { code, detail: message }, isError: true }
    }
  }

  return {
    instructions: INSTRUCTIONS,
    tools: [
      ...forScope(
        'scan',
        scanTool({ name: 'url', description: 'Where the document is: an https URL that the service can fetch.' }, scan),
      ),
      explainTool(explain),
      ...forScope(
        'read',
        listTool(async ({ status, since, limit }) => {
          const from = since === undefined ? undefined : new Date(since).toISOString()
          const { items } = await reports.list(accountId, { limit, ...(status && { status }), ...(from && { from }) })
          return items.map(({ scanId, state, fileName, threat, obstacle, scannedAt, ...report }) => ({
            ...{ scanId, status: report.status ?? state, fileName, threat, obstacle, scannedAt },
          }))
        }),
      ),
    ],
  }
}
