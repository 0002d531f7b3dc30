/** A text as a server may be called: letters, digits, "_", "." and "-", at most 64. */
export function suggestName(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9_.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '')
  return plain.slice(0, 56) || 'server'
}
