/** The job that marks an object after its scan has ended. */
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/message-of.ts'
import type { Handler, Job } from '#jobs/job.ts'
import type { Trx } from '#storage/database.ts'
import type { StoreClient } from './client.ts'
import type { ObjectRequest } from './fetch.ts'
import { type IntakeOptions, queuedObject } from './intake.ts'
import { MARK_OBJECT } from './jobs.ts'
import { type Marked, mark, Unmarkable } from './mark.ts'
import type { ObjectSource } from './sources.ts'
import type { EndedObject, ObjectStore } from './store.ts'
import { type ObjectStatus, statusOf } from './words.ts'

interface MarkingOptions extends Pick<IntakeOptions, 'findKey' | 'queue' | 'wake' | 'fileNameOf'> {
  /** Undefined if the source is no longer in the file. */
  clientOf: (source: string) => { source: ObjectSource; client: StoreClient } | undefined
  store: Pick<ObjectStore, 'verdicts' | 'count' | 'insert'>
  requestOf: (scanId: string) => Promise<ObjectRequest | null>
  forget: (trx: Trx, scanId: string) => Promise<void>
  transaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** An object whose end is lost in a power failure is marked again. */
  relaxedTransaction<T>(work: (trx: Trx) => Promise<T>): Promise<T>
  /** Of this process. */
  shard: string
  onMarked: (status: ObjectStatus, marked: Marked | 'unmarked') => void
  log: Log
}

type Verdicts = NonNullable<Awaited<ReturnType<ObjectStore['verdicts']>>>

export function createMarkingJob(options: MarkingOptions): Handler<{ scanId: string }> {
  const { store, transaction, log } = options

  async function count(trx: Trx, scanId: string, ended: EndedObject, marked: Marked | 'unmarked'): Promise<void> {
    const status = statusOf(ended)
    const outcome = marked === 'unchanged' || marked === 'unmarked' ? marked : status
    if (ended.listingId !== null) await store.count(trx, scanId, ended.listingId, options.shard, outcome)
  }

  async function finish(job: Job<{ scanId: string }>, ended: EndedObject, marked: Marked): Promise<void> {
    const { scanId } = job.data
    await options.relaxedTransaction(async (trx) => {
      if (!(await job.finish(trx))) throw new Error('Another process has marked the object')
      await options.forget(trx, scanId)
      await count(trx, scanId, ended, marked)
    })
    options.onMarked(statusOf(ended), marked)
  }

  /** Of the object that is there now. */
  async function rescan(scanId: string, source: ObjectSource, { bucket, key }: ObjectRequest['object']): Promise<void> {
    const owner = await options.findKey(source.keyId)
    if (owner === null) return
    const newer = { bucket, key, size: null, etag: null, version: null }
    const scan = queuedObject(source, owner, newer, { fileName: options.fileNameOf(key), requestId: scanId })
    await transaction(async (trx) => {
      const scanIds = await options.queue(trx, [scan])
      const { name } = source
      await store.insert(
        trx,
        scanIds.map((id) => ({ scanId: id, source: name, key, etag: null, identity: null, listingId: null })),
      )
    })
    options.wake()
    log.info({ scanId, source: source.name }, 'Object was replaced while it was marked; the newer one is scanned')
  }

  /** The request stays, for an operator who repeats the job. */
  async function giveUp(scanId: string, request: ObjectRequest, ended: EndedObject, reason: string) {
    const status = statusOf(ended)
    log.warn({ scanId, source: request.source, status, reason }, 'Object could not be marked')
    await transaction((trx) => count(trx, scanId, ended, 'unmarked'))
    options.onMarked(status, 'unmarked')
    return { giveUp: reason }
  }

  type Found = NonNullable<ReturnType<MarkingOptions['clientOf']>>

  /** With the verdict that counts. Another scan of the same bytes may end meanwhile, and its own job may have been first. */
  async function markAs(
    { own, counting }: Verdicts,
    request: ObjectRequest,
    found: Found,
    job: Job<{ scanId: string }>,
    signal: AbortSignal,
  ): Promise<void> {
    const { scanId } = job.data
    job.requireTime()
    const object = { ...request.object, etag: request.object.etag ?? own.etag }
    const earlier = job.attempts > 1 ? statusOf(own) : null
    const status = statusOf(counting)
    const retraction = { earlier, rescan: () => rescan(scanId, found.source, object) }
    const marked = await mark({ ...found, object, status, fault: counting.fault, ...retraction }, signal)
    const now = (await store.verdicts(scanId)) ?? { own, counting }
    if (now.counting.scanId !== counting.scanId) return await markAs(now, request, found, job, signal)
    await finish(job, { ...counting, listingId: own.listingId }, marked)
    const { fault } = counting
    log.info({ scanId, source: request.source, status, ...(fault && { fault }), marked }, 'Object marked')
  }

  return async (job, signal) => {
    const { scanId } = job.data
    const [request, verdicts] = await Promise.all([options.requestOf(scanId), store.verdicts(scanId)])
    // Marked by an attempt whose process died before its job ended, or its account was deleted.
    if (request === null || verdicts === null) return undefined
    const { own } = verdicts
    const found = options.clientOf(request.source)
    if (found === undefined) {
      // Another process may know it, or this one after its next start.
      const reason = 'the source is not in DOCVET_SOURCES_FILE'
      if (job.attempts < MARK_OBJECT.attemptsMax) throw new Error(reason)
      return await giveUp(scanId, request, own, reason)
    }
    try {
      await markAs(verdicts, request, found, job, signal)
      return undefined
    } catch (error) {
      if (error instanceof Unmarkable || job.attempts >= MARK_OBJECT.attemptsMax)
        return await giveUp(scanId, request, own, messageOf(error))
      throw error
    }
  }
}
