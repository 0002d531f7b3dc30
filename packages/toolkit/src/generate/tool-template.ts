/** The declaration of the tool that is scaffolded: it says a message again, and works as it is. */
export interface ToolTemplate {
  readonly alias: string
  /** Bounds of how often it is said. */
  readonly times: string
  /** The failure that it declares. */
  readonly error: { readonly code: string; readonly hint: string }
  readonly isCore?: boolean
}

export function createToolMeta({ alias, times, error, isCore = false }: ToolTemplate): string {
  return `# yaml-language-server: $schema=../../../../../schema/tool.schema.json
alias: ${alias}
category: ${alias.split('.', 1)[0]}
summary: Answer with the message that was given
params:
  message: {type: string, required: true, minLength: 1, note: what to answer with}
  times: {type: integer, ${times}, default: 1}
result: query
data:
  type: object
  properties:
    answer: {type: string}
  required: [answer]
timeout: 5s
safety: {read_only: true, destructive: false, idempotent: true}
errors:
  - {code: ${error.code}, retryable: false, hint: ${error.hint}}
examples:
  - {what: say it twice, params: {message: hello, times: 2}}
${isCore ? 'mcp: {core: true}\n' : ''}llm:
  when_to_use: Use it to see that the pack works
`
}
