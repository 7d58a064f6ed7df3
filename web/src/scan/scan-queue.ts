/** The documents of this visit. They outlive the page, so that opening a report cancels no other scan. */
import { useSyncExternalStore } from 'react'
import { send } from '../api/client.ts'
import { ApiProblem, isSignedOut, toProblem } from '../api/problem.ts'
import { keysQuery, usageQuery } from '../api/queries.ts'
import { queryClient, refresh } from '../api/query-client.ts'
import type { ScanResult } from '../api/schema.ts'
import { stayWhile } from '../session.ts'
import { refuseEarly, unreadable } from './refuse-early.ts'
import { isOpen, type ScanItem } from './scan-item.ts'
import { upload } from './upload.ts'

/** As the service removes them: they are invisible, or turn the text around. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
/** A longer wait is left to the person. */
const PAUSE_S_MAX = 60

interface Queue {
  /** In the order in which they were added. */
  items: readonly ScanItem[]
  /** The session ended; scans go on after signing in. */
  isSignedOut: boolean
}

let queue: Queue = { items: [], isSignedOut: false }
/** Never reused, so that a late response cannot reach another document. */
let lastId = 0
let running: { id: number; controller: AbortController } | null = null
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useScanQueue = (): Queue => useSyncExternalStore(subscribe, () => queue)

function set(changes: Partial<Queue>): void {
  queue = { ...queue, ...changes }
  for (const listener of listeners) listener()
}

function update(id: number, changes: Partial<ScanItem>): void {
  set({ items: queue.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) })
}

/** Files cannot be chosen again by a script, so they must not be lost with the page. */
const hasOpenItems = (): boolean => queue.items.some(isOpen)

addEventListener('beforeunload', (event) => {
  if (hasOpenItems()) event.preventDefault()
})
stayWhile(() => {
  if (!hasOpenItems()) return false
  set({ isSignedOut: true })
  return true
})
addEventListener('online', () => {
  for (const { id, progress } of queue.items)
    if (progress.phase === 'refused' && progress.problem.code === 'network') retryItem(id)
})

/** One after the other. */
async function startNext(): Promise<void> {
  const item = queue.items.find(({ progress }) => progress.phase === 'waiting')
  if (running !== null || item === undefined || queue.isSignedOut) return
  const { id } = item
  const controller = new AbortController()
  running = { id, controller }
  try {
    const result = await scan(item, controller.signal)
    update(id, { progress: { phase: 'done', result } })
    refresh(usageQuery, keysQuery)
  } catch (error) {
    if (isSignedOut(error)) {
      update(id, { progress: { phase: 'waiting' } })
      set({ isSignedOut: true })
    } else update(id, { progress: { phase: 'refused', problem: toProblem(error) } })
  }
  running = null
  startNext()
}

async function scan({ id, file, password }: ScanItem, signal: AbortSignal): Promise<ScanResult> {
  for (;;) {
    update(id, { progress: { phase: 'uploading', loadedBytes: 0 } })
    await file.slice(0, 1).arrayBuffer().catch(unreadable)
    signal.throwIfAborted()
    try {
      return await upload(file, {
        password,
        signal,
        onProgress: (loadedBytes) => update(id, { progress: { phase: 'uploading', loadedBytes } }),
        onSent: () => update(id, { progress: { phase: 'scanning' } }),
      })
    } catch (error) {
      const seconds = error instanceof ApiProblem && error.code === 'rate_limited' ? error.retryAfterS : null
      if (seconds === null || seconds > PAUSE_S_MAX) throw error
      update(id, { progress: { phase: 'paused' } })
      await pause(seconds, signal)
    }
  }
}

function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    setTimeout(resolve, seconds * 1_000)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** The document is refused either way, so a failure is not shown. */
async function noteTooLarge({ name, file }: ScanItem): Promise<void> {
  await send('POST', '/dashboard/too-large', { fileName: name, fileSize: file.size }).catch(() => {})
}

export function addFiles(files: Iterable<File>): void {
  const added = Array.from(files, (file): ScanItem => {
    lastId++
    const problem = refuseEarly(file)
    const progress: ScanItem['progress'] = problem ? { phase: 'refused', problem } : { phase: 'waiting' }
    const item: ScanItem = { id: lastId, file, name: file.name.replace(INVISIBLE, ''), progress }
    if (problem) void noteTooLarge(item)
    return item
  })
  set({ items: [...queue.items, ...added] })
  startNext()
}

/** Cancels the scan if it runs, and removes the document from the list. */
export function removeItem(id: number): void {
  if (running?.id === id) running.controller.abort()
  set({ items: queue.items.filter((item) => item.id !== id) })
}

export function clearFinished(): void {
  set({ items: queue.items.filter(isOpen) })
}

export function retryItem(id: number, password?: string): void {
  update(id, { progress: { phase: 'waiting' }, ...(password !== undefined && { password }) })
  startNext()
}

/** After signing in again: the same account, so what is shown stays true. */
export function resumeQueue(): void {
  set({ isSignedOut: false })
  queryClient.invalidateQueries()
  startNext()
}
