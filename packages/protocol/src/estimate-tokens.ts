/** What a text costs a model, roughly: four characters a token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}
