/** Variables with what is inside them, to a depth and a number of nodes: a debugger's object graph has no end. */
import { MASK } from '@switchboard/telemetry'
import type { DebugContext } from '../debug-host.ts'
import type { ManagedSession } from '../desk/managed-session.ts'
import type { Variable } from '../engine/debug-session.ts'
import type { ShownNode } from '../generated/types.ts'
import { showVariable } from './show-variable.ts'

export interface TreeBudget {
  nodes: number
  isCut: boolean
}

const MAX_CHILDREN = 30
const VALUE_LENGTH = 120
/** Of what is inside: the whole is one call away. */
const INNER_LENGTH = 60

export async function readTree(
  context: DebugContext,
  { session, secrets }: Pick<ManagedSession, 'session' | 'secrets'>,
  variables: readonly Variable[],
  depth: number,
  budget: TreeBudget,
  valueLength = VALUE_LENGTH,
): Promise<ShownNode[]> {
  const nodes: ShownNode[] = []
  secrets.learn(context.host.masking, variables)
  for (const variable of variables) {
    if (budget.nodes <= 0) {
      budget.isCut = true
      break
    }
    budget.nodes--
    const isSecret = secrets.has(variable.value)
    const shown = showVariable(context, isSecret ? { ...variable, value: MASK, reference: 0 } : variable, valueLength)
    const children = shown.ref === undefined || depth <= 0 ? [] : await readChildren(shown.ref)
    nodes.push(children.length === 0 ? shown : { ...shown, children })
  }
  return nodes

  async function readChildren(reference: number): Promise<ShownNode[]> {
    const found = await session.variables(reference, { start: 0, count: MAX_CHILDREN + 1 }, { signal: context.signal })
    if (found.length > MAX_CHILDREN) budget.isCut = true
    return readTree(context, { session, secrets }, found.slice(0, MAX_CHILDREN), depth - 1, budget, INNER_LENGTH)
  }
}

export function formatTree(nodes: readonly ShownNode[], indent = ''): string {
  return nodes
    .flatMap(({ name, value, ref, children = [] }) => [
      `${indent}${name}=${value}${ref === undefined ? '' : ` ref=${ref}`}`,
      ...(children.length === 0 ? [] : [formatTree(children, `${indent}  `)]),
    ])
    .join('\n')
}
