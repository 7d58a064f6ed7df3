/** The browser of the machine, without loading what drives it. */
import { findProgram } from '#test/support/service.ts'

/** The same engine without windows, which takes a fifth less CPU time. */
export const HEADLESS_SHELL = 'chromium-headless-shell'

export const findChromium = (): string | null => findProgram([HEADLESS_SHELL, 'chromium', 'chromium-browser'])
