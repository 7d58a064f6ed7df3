/** Replaces `TextDecoder` in a snapshot, which cannot contain one: it is made when a process that began with the snapshot needs it. */
import { TextDecoder as Decoder } from 'node:util'
import { startupSnapshot } from 'node:v8'

class LateDecoder implements Decoder {
  readonly #options: ConstructorParameters<typeof Decoder>
  #made: Decoder | undefined

  constructor(...options: ConstructorParameters<typeof Decoder>) {
    this.#options = options
    // Throws where the encoding is unknown.
    this.#decoder()
  }

  #decoder(): Decoder {
    if (startupSnapshot.isBuildingSnapshot()) return new Decoder(...this.#options)
    this.#made ??= new Decoder(...this.#options)
    return this.#made
  }

  decode(...input: Parameters<Decoder['decode']>): string {
    return this.#decoder().decode(...input)
  }

  get encoding(): string {
    return this.#decoder().encoding
  }

  get fatal(): boolean {
    return this.#decoder().fatal
  }

  get ignoreBOM(): boolean {
    return this.#decoder().ignoreBOM
  }
}

globalThis.TextDecoder = LateDecoder
