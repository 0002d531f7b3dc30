/**
 * A text as it is sent: without the secrets that the scan knows, whatever way it came, no longer than allowed, and with what the model
 * wants to see before it.
 */
import { scanSecrets } from '../secrets/hide-secrets.ts'

export interface TextRules {
  readonly prefix: string
  readonly maxCharacters: number
}

export function prepareText(text: string, { prefix, maxCharacters }: TextRules): string {
  const cut = scanSecrets(cutText(text, maxCharacters)).text.trim()
  // Some servers refuse a text of nothing.
  return prefix + (cut === '' ? '.' : cut)
}

/** Never in the middle of a character. */
export function cutText(text: string, length: number): string {
  const cut = text.slice(0, length)
  return cut.length < text.length && /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut
}
