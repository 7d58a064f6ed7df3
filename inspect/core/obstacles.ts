/** Details of obstacles that several formats report. */

export function notUnpacked(type: string | null): string {
  return `It is an archive of a kind that is not unpacked (${type}).`
}
