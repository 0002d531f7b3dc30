/** A text as a server may be called: letters without their marks, digits, "_", "." and "-", at most 64. */
export function suggestName(text: string): string {
  const letters = text.normalize('NFKD').replace(/\p{M}+/gu, '')
  const plain = letters.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return plain.slice(0, 56) || 'server'
}
