/** Loaded before a program, to show it an older Node. */
Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })
