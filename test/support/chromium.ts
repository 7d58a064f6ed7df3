/** The browser of the machine, without loading what drives it. */
import { findProgram } from '#test/support/service.ts'

export const findChromium = (): string | null => findProgram(['chromium', 'chromium-browser'])
