/** What a text costs a model, roughly: four characters a token. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4)
}

/** What a list of tools costs a model: clients give it their names, descriptions and input schemas, and nothing else of them. */
export function estimateToolTokens(
  tools: readonly { readonly name: string; readonly description?: string; readonly inputSchema: unknown }[],
): number {
  if (tools.length === 0) return 0
  return estimateTokens(
    JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  )
}
