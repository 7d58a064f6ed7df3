/** Writes compound files for tests. */

const SECTOR = 512
const END = 0xfffffffe
const FREE = 0xffffffff

interface OlePlan {
  /** By path, such as `ObjectPool/_1/\x01Ole`. */
  streams: Readonly<Record<string, Uint8Array>>
  /** Paths, outer storages first. A name after `#` is the class id, as stored. */
  storages?: readonly string[]
  /** Class id of the root, as stored. */
  clsid?: string
  /** Reverses the sectors of each stream, so that no stream is contiguous. */
  scattered?: boolean
}

export function writeOle({ streams, storages = [], clsid = '', scattered = false }: OlePlan): Buffer {
  const entries = Object.entries(streams)
  const directorySectors = Math.ceil((entries.length + storages.length + 1) / 4)
  const dataSectors = entries.reduce((sum, [, { length }]) => sum + Math.ceil(length / SECTOR), 0)
  // The header lists 109 sectors of the table: enough for 7 MB.
  const tableSectors = Math.ceil((directorySectors + dataSectors) / (SECTOR / 4 - 1))
  const table = new Array<number>((tableSectors * SECTOR) / 4).fill(FREE).fill(0xfffffffd, 0, tableSectors)
  chain(table, range(tableSectors, directorySectors))
  const body = Buffer.alloc(SECTOR * (tableSectors + directorySectors + dataSectors))
  const directory: Buffer[] = [directoryEntry('Root Entry', 5, END, 0, clsid)]
  const paths = ['']
  for (const storage of storages) {
    const [path = '', id] = storage.split('#')
    directory.push(directoryEntry(lastName(path), 1, 0, 0, id))
    paths.push(path)
  }
  let next = tableSectors + directorySectors
  for (const [name, bytes] of entries) {
    const sectors = range(next, Math.ceil(bytes.length / SECTOR))
    next += sectors.length
    if (scattered) sectors.reverse()
    chain(table, sectors)
    sectors.forEach((sector, i) => {
      body.set(bytes.subarray(i * SECTOR, (i + 1) * SECTOR), sector * SECTOR)
    })
    directory.push(directoryEntry(lastName(name), 2, sectors[0] ?? END, bytes.length))
    paths.push(name)
  }
  linkEntries(directory, paths)
  table.forEach((value, i) => {
    body.writeUInt32LE(value, i * 4)
  })
  body.set(Buffer.concat(directory), tableSectors * SECTOR)
  return Buffer.concat([header(tableSectors), body])
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The entries of a storage as a list: each has only a right neighbour. */
function linkEntries(directory: readonly Buffer[], paths: readonly string[]): void {
  const last = new Map<string, number>()
  for (let id = 1; id < paths.length; id++) {
    const path = paths[id] ?? ''
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const before = last.get(folder)
    directory[before ?? paths.indexOf(folder)]?.writeUInt32LE(id, before === undefined ? 76 : 72)
    last.set(folder, id)
  }
}

function range(start: number, length: number): number[] {
  return Array.from({ length }, (_, i) => start + i)
}

function chain(table: number[], sectors: readonly number[]): void {
  sectors.forEach((sector, i) => {
    table[sector] = sectors[i + 1] ?? END
  })
}

function header(tableSectors: number): Buffer {
  const bytes = Buffer.alloc(SECTOR, 0xff)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(bytes)
  bytes.fill(0, 8, 76)
  bytes.writeUInt16LE(0x3e, 24)
  bytes.writeUInt16LE(3, 26)
  bytes.writeUInt16LE(0xfffe, 28)
  bytes.writeUInt16LE(9, 30)
  bytes.writeUInt16LE(6, 32)
  bytes.writeUInt32LE(tableSectors, 44)
  bytes.writeUInt32LE(tableSectors, 48)
  // No stream is small enough for the mini stream.
  bytes.writeUInt32LE(0, 56)
  bytes.writeUInt32LE(END, 60)
  bytes.writeUInt32LE(END, 68)
  for (const sector of range(0, tableSectors)) bytes.writeUInt32LE(sector, 76 + sector * 4)
  return bytes
}

function directoryEntry(name: string, type: number, start: number, size: number, clsid = ''): Buffer {
  const bytes = Buffer.alloc(128)
  bytes.write(name, 0, 62, 'utf16le')
  bytes.writeUInt16LE((name.length + 1) * 2, 64)
  bytes[66] = type
  bytes.fill(0xff, 68, 80)
  Buffer.from(clsid, 'hex').copy(bytes, 80)
  bytes.writeUInt32LE(start, 116)
  bytes.writeUInt32LE(size, 120)
  return bytes
}
