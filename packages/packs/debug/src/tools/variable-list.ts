import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { ScopeKind } from '../engine/debug-session.ts'
import type { VariableListData, VariableListParams } from '../generated/types.ts'
import { type Local, readLocals } from '../snapshot/read-locals.ts'
import { findStopped } from '../tool-steps/resume.ts'
import { findFrame } from '../variables/find-frame.ts'
import { formatTree, readTree, type TreeBudget } from '../variables/read-tree.ts'

const MAX_NODES = 400
const MAX_SCOPE = 200

export async function run(params: VariableListParams, context: DebugContext): Promise<ToolOutcome<VariableListData>> {
  const managed = findStopped(context, params)
  const { session } = managed.session
  const { signal } = context
  const frameId = await findFrame(context, managed.session, managed.stop, params.frameId)
  const found: Local[] = []
  if (params.scope === 'local' || params.scope === 'all') {
    found.push(...(await readLocals(session, frameId, MAX_SCOPE, { signal })))
  }
  for (const { kind, reference } of await session.scopes(frameId, { signal })) {
    if (!isWanted(kind, params.scope)) continue
    const variables = await session.variables(reference, { start: 0, count: MAX_SCOPE }, { signal })
    found.push(...variables.map((variable) => ({ ...variable, scope: reference })))
  }
  const budget: TreeBudget = { nodes: MAX_NODES, isCut: false }
  const variables = await readTree(context, managed.session, found, params.maxDepth, budget)
  const text = variables.length === 0 ? 'no variables' : formatTree(variables)
  return {
    data: { frameId, variables, truncated: budget.isCut },
    text: budget.isCut ? `${text}\n… cut: variable_get pages through one of them` : text,
  }
}

function isWanted(kind: ScopeKind, scope: VariableListParams['scope']): boolean {
  if (kind === 'block' || kind === 'local' || kind === 'arguments') return false
  return scope === 'all' || kind === scope
}
