/** What holds for every tool of the pack, so that none can forget it: secrets go neither in nor out, and calls are counted. */
import { showHidden } from '@switchboard/base'
import { estimateTokens, isJsonObject, ownerOf } from '@switchboard/protocol'
import { type ToolDeclaration, ToolError, type ToolFunctions } from '@switchboard/toolkit'
import type { CountedCall } from './counts/call-counts.ts'
import type { Host } from './host.ts'
import { describeSecrets, hideSecrets, scanSecrets } from './secrets/hide-secrets.ts'

/** They name a thing and hold no text: masked, they would name nothing. */
const NAMES: ReadonlySet<string> = new Set(['id', 'useId', 'path', 'projectPath', 'root'])

export function guardTools(
  functions: ToolFunctions<Host>,
  declarations: readonly ToolDeclaration[],
): ToolFunctions<Host> {
  const names = new Map(declarations.map(({ alias, name }) => [alias, name]))
  const readers = new Set(declarations.filter(({ safety }) => safety.readOnly).map(({ alias }) => alias))
  return Object.fromEntries(
    Object.entries(functions).map(([alias, run]): [string, ToolFunctions<Host>[string]] => [
      alias,
      async (params, context) => {
        const given = hideSecrets(params, (name) => NAMES.has(name))
        const { host, workspace, call: made } = context
        const begun = host.clock.now()
        const count = (call: Pick<CountedCall, 'isFailed' | 'isHit' | 'tokens'>): void =>
          host.counts.record({
            tool: names.get(alias) ?? alias,
            workspace,
            owner: ownerOf(made.caller),
            ms: host.clock.now() - begun,
            ...call,
          })
        try {
          const { data, text } = await run(given.value, context)
          const shown = showHidden(scanSecrets(text ?? JSON.stringify(data)).text)
          const note = readers.has(alias) ? undefined : describeSecrets(given.found)
          const answer = {
            data: hideSecrets(data, (name) => NAMES.has(name)).value,
            text: note === undefined ? shown : `${shown}\n${note}`,
          }
          count({ isFailed: false, isHit: foundSomething(data), tokens: estimateTokens(answer.text) })
          return answer
        } catch (error) {
          count({ isFailed: true, isHit: undefined, tokens: 0 })
          throw error instanceof ToolError ? hideInError(error) : error
        }
      },
    ]),
  )
}

/** Undefined: it was no search. */
function foundSomething(data: unknown): boolean | undefined {
  return isJsonObject(data) && Array.isArray(data.results) ? data.results.length > 0 : undefined
}

function hideInError(error: ToolError): ToolError {
  const message = showHidden(scanSecrets(error.message).text)
  if (message === error.message) return error
  const { code, hint, details } = error
  return new ToolError(code, message, { ...(hint === undefined ? {} : { hint }), details, cause: error })
}
