/** Instances of the kernel, each with a memory of its own. The addresses are those in kernel.wat. */

import { KERNEL } from './kernel.ts'

interface Kernel {
  memory: { buffer: ArrayBuffer }
  find(length: number): number
  classify(length: number): number
}

// Node's types do not declare it.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { exports: Kernel }
}

export const TABLE_BYTES = 16
export const CLASS_TABLES_AT = 192
export const BITMAP_AT = 256
export const BITMAP_BITS = 17
/** The tables of a kernel end here. */
export const CHUNK_AT = 16_640
export const CHUNK_BYTES = 32_768
/** A window may begin at the last byte of a chunk. */
const OVERLAP = 3
const POSITIONS_AT = 49_472

const open = once(() => new WebAssembly.Module(KERNEL))

/** Made by the first search, because a snapshot of a process cannot contain it. Its memory begins with the tables. */
export const createKernel = (tables: Uint8Array) =>
  once(() => {
    const { memory, find, classify } = new WebAssembly.Instance(open()).exports
    const bytes = new Uint8Array(memory.buffer)
    bytes.set(tables)
    const chunk = bytes.subarray(CHUNK_AT, CHUNK_AT + CHUNK_BYTES + OVERLAP)
    return {
      memory: bytes,
      find,
      classify,
      /** Where `find` stores its result. */
      positions: new Uint16Array(memory.buffer, POSITIONS_AT, CHUNK_BYTES),
      /** Copies a chunk, and the first bytes of the next one. */
      load: (source: Uint8Array, from: number): void => chunk.set(source.subarray(from, from + chunk.length)),
      /** Overwrites the copy of so many bytes. */
      clear: (length: number): Uint8Array => chunk.fill(0, 0, length),
    }
  })

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
