/** Escapes control, format and unpaired surrogate characters, which could change how a terminal shows the rest. */
export function escapeControls(text: string): string {
  const code = (character: string) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, code)
}
