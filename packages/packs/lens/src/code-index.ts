/** What other packs ask the index: it answers for the folder of the caller, as the tools do. */
import { type CodeIndex, type IndexAsker, ToolError } from '@switchboard/toolkit'
import type { LensIndex } from './lens-index.ts'
import type { Scope } from './scope.ts'
import type { CodeQuestion } from './thread/reader/code.ts'
import { resolvePath, type Workspaces } from './workspaces.ts'

export function createCodeIndex(index: LensIndex, workspaces: Workspaces): CodeIndex {
  const symbols = async (asker: IndexAsker, question: CodeQuestion, scope?: Scope) =>
    index.read(
      'codeSymbols',
      [scope ?? (await workspaces.scopeOf(asker.workspace, asker.signal)), question],
      asker.signal,
    )
  return {
    search: ({ text, limit }, asker) => quietly(() => symbols(asker, { ask: 'search', text, limit })),
    definitions: ({ name, limit }, asker) => quietly(() => symbols(asker, { ask: 'definitions', name, limit })),
    outline: (given, asker) =>
      quietly(async () => {
        const scope = await workspaces.scopeOf(asker.workspace, asker.signal)
        const { root, path } = resolvePath(scope, given)
        return symbols(asker, { ask: 'outline', root, path }, scope)
      }),
    references: ({ name, limit }, asker) =>
      quietly(async () => {
        const scope = await workspaces.scopeOf(asker.workspace, asker.signal)
        return index.read('codeReferences', [scope, { ask: 'references', name, limit }], asker.signal)
      }),
    callsFrom: ({ path: given, line, endLine }, asker) =>
      quietly(async () => {
        const scope = await workspaces.scopeOf(asker.workspace, asker.signal)
        const { root, path } = resolvePath(scope, given)
        return index.read('codeReferences', [scope, { ask: 'calls', root, path, line, endLine }], asker.signal)
      }),
  }
}

/** A folder that is not indexed, or a path outside of it: the index knows nothing, and whoever asked says what that means. */
async function quietly<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ToolError) return undefined
    throw error
  }
}
