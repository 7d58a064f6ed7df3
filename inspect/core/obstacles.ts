/** Obstacle details that several formats use. */

export function unsupportedArchive(type: string | null): string {
  return `Archives of this type are not unpacked (${type}).`
}

export function exceedsBudget(remainingBytes: number): string {
  return `It unpacks to more than the remaining ${remainingBytes} bytes of the unpacking limit.`
}
