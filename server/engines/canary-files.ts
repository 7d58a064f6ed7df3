/** The canaries, which are documents with a known outcome. `npm run generate` writes them from test/support/canaries. */
import { readFileSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'

const DEFLATED = JSON.parse(readFileSync(new URL('canaries.json', import.meta.url), 'utf8'))

export function canaryFile(name: string): Buffer {
  return inflateRawSync(Buffer.from(DEFLATED[name], 'base64'))
}

/** The harmless standard test threat (eicar.org). */
export const EICAR = canaryFile('threat')
