import { useEffect, useRef, useState } from 'react'
import { isSignedOut, toProblem } from '../api/problem.ts'
import { keysQuery, usageQuery } from '../api/queries.ts'
import { refresh } from '../api/query-client.ts'
import { leaveForSignIn } from '../session.ts'
import { refuseEarly } from './refuse-early.ts'
import { isRunning, type ScanItem } from './scan-item.ts'
import { upload } from './upload.ts'

/** Never reused, so that a late response cannot reach another document. */
let lastId = 0

/** Documents, newest first, scanned one after the other in the order in which they were added. */
export function useScanQueue() {
  const [items, setItems] = useState<readonly ScanItem[]>([])
  const running = useRef(new Map<number, AbortController>())

  function update(id: number, progress: ScanItem['progress']): void {
    setItems((known) => known.map((item) => (item.id === id ? { ...item, progress } : item)))
  }

  async function start({ id, file, password }: ScanItem): Promise<void> {
    if (running.current.has(id)) return
    const controller = new AbortController()
    running.current.set(id, controller)
    update(id, { phase: 'uploading', loadedBytes: 0 })
    try {
      const result = await upload(file, {
        password,
        signal: controller.signal,
        onProgress: (loadedBytes) => update(id, { phase: 'uploading', loadedBytes }),
        onSent: () => update(id, { phase: 'scanning' }),
      })
      update(id, { phase: 'done', result })
      refresh(usageQuery, keysQuery)
    } catch (error) {
      if (isSignedOut(error)) leaveForSignIn()
      update(id, { phase: 'refused', problem: toProblem(error) })
    } finally {
      running.current.delete(id)
    }
  }

  const next = items.some(isRunning) ? undefined : items.findLast(({ progress }) => progress.phase === 'waiting')
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts once per document
  useEffect(() => {
    if (next !== undefined) start(next)
  }, [next?.id])

  useEffect(() => {
    const { current } = running
    return () => {
      for (const controller of current.values()) controller.abort()
    }
  }, [])

  return {
    items,

    add(files: Iterable<File>): void {
      const added = [...files].map((file): ScanItem => {
        lastId++
        const problem = refuseEarly(file)
        return { id: lastId, file, progress: problem ? { phase: 'refused', problem } : { phase: 'waiting' } }
      })
      setItems((known) => [...added.reverse(), ...known])
    },

    /** Cancels the scan if it runs, and removes the document from the list. */
    remove(id: number): void {
      running.current.get(id)?.abort()
      setItems((known) => known.filter((item) => item.id !== id))
    },

    retry(id: number, password?: string): void {
      const again = { progress: { phase: 'waiting' as const }, ...(password !== undefined && { password }) }
      setItems((known) => known.map((item) => (item.id === id ? { ...item, ...again } : item)))
    },
  }
}
