/** Puts hexadecimal digits together to bytes. */

export interface Nibbles {
  push(digit: number): void
  pushBytes(bytes: Uint8Array): void
  /** Forgets a digit without another half. */
  dropLone(): void
  bytes(): Uint8Array
}

/** A last digit without another is dropped. */
export function createNibbles(): Nibbles {
  let out = new Uint8Array(4096)
  let count = 0
  let high = 0
  const nibbles: Nibbles = {
    push(digit) {
      if ((count & 1) === 0) high = digit << 4
      else {
        if (count >> 1 === out.length) {
          const larger = new Uint8Array(out.length * 2)
          larger.set(out)
          out = larger
        }
        out[count >> 1] = high | digit
      }
      count += 1
    },
    pushBytes(bytes) {
      for (const byte of bytes) {
        nibbles.push(byte >> 4)
        nibbles.push(byte & 15)
      }
    },
    dropLone() {
      count &= ~1
    },
    bytes: () => out.subarray(0, count >> 1),
  }
  return nibbles
}
