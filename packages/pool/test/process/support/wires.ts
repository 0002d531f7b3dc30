import type { FixtureScript } from '@switchboard/testkit'
import type { ServerInput } from '../../../src/index.ts'
import type { Workbench } from './workbench.ts'

/** One way of reaching a server: a transport and an era. */
export interface Wire {
  readonly wire: string
  readonly type: 'stdio' | 'http' | 'sse' | 'websocket'
  readonly era: 'legacy' | 'modern'
}

export const WIRES: readonly Wire[] = [
  { wire: 'legacy stdio', type: 'stdio', era: 'legacy' },
  { wire: 'modern stdio', type: 'stdio', era: 'modern' },
  { wire: 'legacy http', type: 'http', era: 'legacy' },
  { wire: 'modern http', type: 'http', era: 'modern' },
  { wire: 'sse', type: 'sse', era: 'legacy' },
  { wire: 'websocket', type: 'websocket', era: 'legacy' },
]

/** The entry of a fixture server that is reached that way; a remote one is running already. */
export async function reachBy(
  bench: Workbench,
  { type, era }: Wire,
  name: string,
  script: FixtureScript = {},
): Promise<ServerInput> {
  const whole = { era, ...script }
  if (type === 'stdio') return bench.stdio(name, whole)
  const { url } = await bench.remote(name, type, whole)
  return { type, url }
}
