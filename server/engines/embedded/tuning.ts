/** Limits and intervals of the embedded engine. */

export type Tuning = typeof DEFAULTS

export const DEFAULTS = {
  /**
   * Of one worker: heap, buffers and WebAssembly together. On x64, V8 reserves 512 MiB of it for code and never touches
   * them. A document at the limits of unpacking takes 1.2 GiB for a moment, 0.9 of them resident.
   */
  memoryBytes: 1536 * 2 ** 20,
  heapBytes: 256 * 2 ** 20,
  /**
   * Of each half of the young generation at most: it grows where much stays in use, as in scripts whose branches are joined, which took
   * a third of their CPU time to copy it with 1 MiB. A larger one saves little more, but is kept by an idle worker.
   */
  youngBytes: 4 * 2 ** 20,
  /** Over the life of a worker. The parent's deadline ends a scan; this ends a worker that lost its parent. */
  cpuSeconds: 1_800,
  /** Beyond these three a worker is recycled: YARA-X in WebAssembly does not give all memory back. */
  scansMax: 100_000,
  rssBytesMax: 400 * 1_000_000,
  cpuMsMax: 1_200_000,
  /** A worker that has scanned and is idle for so long is recycled, to free what it unpacked. */
  idleMsMax: 30_000,
  queueMax: 512,
  /** Time of one document in workers, a second attempt included. */
  scanMsMax: 30_000,
  /**
   * CPU time of one document, by the clock of the operating system: the analyser stops at its limit of work long before.
   * A document that reaches it has found work that is not charged.
   */
  scanCpuMsMax: 3_000,
  /** In its place on systems that do not tell the CPU time of another process. */
  scanWallMsMax: 10_000,
  /** A document that took so much CPU time makes way for scans of other accounts when all workers are at such documents. */
  sliceCpuMs: 300,
  /** When every worker has had its document for longer, none answers and the engine is down. */
  answerMsMax: 10_000,
  startMsMax: 60_000,
  /** How long scans wait for new workers when none is left. Clients get an answer within a second, network included. */
  outageGraceMs: 700,
  /** The same when the last worker was ended for its document: a new one is on its way, and others must not pay for it. */
  replacementGraceMs: 10_000,
  selfTestEveryMs: 30_000,
  selfTestAgeMsMax: 60_000,
  rulesEveryMs: 2_000,
}
