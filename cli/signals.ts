/** Ctrl-C and requests to end: the first lets the command finish in order, the second ends it at once. */

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const
type Interrupt = keyof typeof EXIT_CODES

export function onInterrupt(stop: () => void) {
  const state = {
    signal: null as Interrupt | null,
    /** Null where nobody interrupted. */
    exitCode: () => (state.signal === null ? null : EXIT_CODES[state.signal]),
  }
  for (const signal of Object.keys(EXIT_CODES) as Interrupt[])
    process.on(signal, () => {
      if (state.signal !== null) process.exit(EXIT_CODES[signal])
      state.signal = signal
      stop()
    })
  return state
}
