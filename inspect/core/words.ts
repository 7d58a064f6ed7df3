/** Lists of words, written as one text. */

export const words = (text: string): readonly string[] => text.trim().split(/\s+/)
