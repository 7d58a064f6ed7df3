/** Scans as events of the Open Cybersecurity Schema Framework. Pure. */
import type { Report } from '#scan/reports.ts'

const OCSF_VERSION = '1.8.0'
const SCAN_ACTIVITY = 6007
const DETECTION_FINDING = 2004
const [COMPLETED, DURATION_VIOLATION, ERROR] = [2, 4, 6]
const CREATE = 1
const [INFORMATIONAL, HIGH] = [1, 4]
const [SUCCESS, FAILURE] = [1, 2]
const MANUAL = 1
const REGULAR_FILE = 1
const SHA256 = 3
const RULE = 1
const OTHER = 99

interface Context {
  version: string
  /** Resumes after this scan. */
  cursor: string
  /** File names are personal data. */
  hasNames: boolean
  /** Where events of several accounts are mixed. */
  accountId?: string | null
}

function baseOf(classUid: number, activityId: number, report: Report, { version, cursor, accountId }: Context) {
  return {
    ...{ activity_id: activityId, category_uid: Math.floor(classUid / 1_000), class_uid: classUid },
    type_uid: classUid * 100 + activityId,
    severity_id: report.status === 'infected' ? HIGH : INFORMATIONAL,
    time: Date.parse(report.scannedAt),
    metadata: { version: OCSF_VERSION, product: { name: 'Docvet', vendor_name: 'Docvet', version } },
    unmapped: { cursor, keyId: report.keyId, reference: report.reference, ...(accountId && { accountId }) },
  }
}

function activityOf({ state, problem }: Report): number {
  if (state === 'done') return COMPLETED
  return problem?.code === 'scan_timeout' ? DURATION_VIOLATION : ERROR
}

function scanActivity(report: Report, context: Context) {
  const { scanId, status, problem, scannedAt, findings } = report
  const end = Date.parse(scannedAt)
  // A clock may have been set back during the scan.
  const durationMs = Math.max(0, report.durationMs)
  const isScanned = status !== null
  return {
    ...baseOf(SCAN_ACTIVITY, activityOf(report), report, context),
    ...{ status_id: isScanned ? SUCCESS : FAILURE },
    ...(problem && { status_code: problem.code, status_detail: problem.detail ?? problem.title }),
    scan: { uid: scanId, type_id: MANUAL },
    ...{ start_time: end - durationMs, end_time: end, duration: durationMs },
    ...{ num_files: 1, total: isScanned ? 1 : 0, num_skipped_items: isScanned ? 0 : 1 },
    num_detections:
      status === 'infected' ? Math.max(1, findings.filter((each) => each.severity === 'malicious').length) : 0,
  }
}

function detectionFinding(report: Report, context: Context) {
  const { scanId, threat, findings, fileName, fileSize, sha256, detectedType } = report
  const found = findings.find(({ id }) => id === threat) ?? findings[0]
  const name = (context.hasNames ? fileName : null) ?? sha256 ?? scanId
  return {
    ...baseOf(DETECTION_FINDING, CREATE, report, context),
    is_alert: true,
    finding_info: {
      uid: scanId,
      title: found?.title ?? threat ?? 'Infected document',
      ...(found && { analytic: { uid: found.id, name: found.id, type_id: RULE } }),
      ...(found?.technique && { attacks: [{ technique: { uid: found.technique } }] }),
    },
    evidences: [
      {
        file: {
          ...{ name, type_id: REGULAR_FILE, size: fileSize },
          ...(detectedType && { mime_type: detectedType }),
          ...(sha256 && { hashes: [{ algorithm_id: SHA256, algorithm: 'SHA-256', value: sha256 }] }),
        },
      },
    ],
    malware: [
      {
        ...{ uid: threat, name: threat, classification_ids: [OTHER], classifications: ['Other'] },
        ...(found && { provider: found.engine }),
      },
    ],
    malware_scan_info: { uid: scanId, type_id: MANUAL },
  }
}

/** One event about the scan, and one more if it found something. */
export function eventsOf(report: Report, context: Context): object[] {
  const activity = scanActivity(report, context)
  return report.status === 'infected' ? [activity, detectionFinding(report, context)] : [activity]
}
