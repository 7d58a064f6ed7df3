/** Detects packages with encrypted content: OpenDocument, EPUB, iWork. */

import { tagPattern, tagsOf } from '#inspect/codecs/xml-tags.ts'
import { view } from '#inspect/core/bytes.ts'
import type { Format } from '#inspect/core/format.ts'

/** These two only obfuscate fonts and need no key. */
const FONT_ALGORITHMS = /^http:\/\/(?:www\.idpf\.org\/2008\/embedding|ns\.adobe\.com\/pdf\/enc#RC)$/
const METHOD = tagPattern(['EncryptionMethod'])

export const encryptedPackage: Format = {
  among: { members: true },
  applies: ({ path }) => isMarker(path.at(-1) ?? ''),
  analyse(item, context) {
    const name = item.path.at(-1) ?? ''
    const path = item.path.slice(0, -1)
    const text = view(item.bytes).toString('latin1')
    if (isEncrypted(name, text)) context.addObstacle(item, 'encrypted', 'The document is password-protected.', path)
  },
}

function isMarker(name: string): boolean {
  return name === 'META-INF/manifest.xml' || name === 'META-INF/encryption.xml' || name.startsWith('.iwpv')
}

function isEncrypted(name: string, text: string): boolean {
  if (name === 'META-INF/manifest.xml') return /<(?:[\w-]+:)?encryption-data[\s>]/.test(text)
  if (name === 'META-INF/encryption.xml') {
    // Without an algorithm that can be read, it may be any.
    const methods = [...tagsOf(text, METHOD)]
    return methods.some(({ attributes }) => !FONT_ALGORITHMS.test(attributes.get('algorithm') ?? ''))
  }
  return true
}
