/** How the suite reaches a reference server: which eras that one speaks, and whether the gateway stands before it. */
import type { AskingStyle } from './reference/asking-tools.ts'
import type { Eras } from './reference/serve-http.ts'
import type { Revision } from './suite.ts'

export interface Path {
  readonly name: string
  readonly eras: Eras
  /** `direct`: over HTTP, which is all that the suite speaks. Else what the gateway reaches the server by. */
  readonly by: 'direct' | 'http' | 'stdio'
  /** Of the tools that can ask in either way. */
  readonly asking: AskingStyle
  /** As the configuration of the gateway has it; absent: not at all. */
  readonly era?: 'legacy'
}

/** Requests of a server exist in the legacy era alone; over stdio `auto` means modern. */
export const PATHS: readonly Path[] = [
  { name: 'both eras, direct', eras: 'dual', by: 'direct', asking: 'requests' },
  { name: 'both eras, through, HTTP', eras: 'dual', by: 'http', asking: 'requests' },
  { name: 'both eras, through, stdio', eras: 'dual', by: 'stdio', asking: 'questions' },
  { name: 'both eras, through, stdio, `era: legacy`', eras: 'dual', by: 'stdio', asking: 'requests', era: 'legacy' },
  { name: 'legacy only, direct', eras: 'legacy', by: 'direct', asking: 'requests' },
  { name: 'legacy only, through, HTTP', eras: 'legacy', by: 'http', asking: 'requests' },
  { name: 'legacy only, through, stdio', eras: 'legacy', by: 'stdio', asking: 'requests' },
  { name: 'modern only, direct', eras: 'modern', by: 'direct', asking: 'questions' },
  { name: 'modern only, through, HTTP', eras: 'modern', by: 'http', asking: 'questions' },
  { name: 'modern only, through, stdio', eras: 'modern', by: 'stdio', asking: 'questions' },
]

/** Whether a server answers the suite of that revision by itself: else only what the gateway bridges can pass. */
export function speaks({ eras }: Path, revision: Revision): boolean {
  return eras === 'dual' || eras === (revision === '2026-07-28' ? 'modern' : 'legacy')
}

export function directOf({ eras }: Path): Path | undefined {
  return PATHS.find((path) => path.eras === eras && path.by === 'direct')
}
