/** What a pack declares, as its generated manifest holds it: plain data, checked when it was generated. */
import type { JsonObject } from '@switchboard/protocol'

export type ResultKind = 'action' | 'query' | 'waitable'

export interface Safety {
  readonly readOnly: boolean
  readonly destructive: boolean
  readonly idempotent: boolean
}

export interface ErrorDeclaration {
  readonly code: string
  /** Whether the same call may succeed later without a change. */
  readonly retryable: boolean
  /** The next step, unless the tool itself knows a better one. */
  readonly hint: string
}

export interface ExampleDeclaration {
  readonly what: string
  readonly params: JsonObject
}

export interface ParameterHint {
  readonly examples?: readonly unknown[]
  readonly note?: string
}

export interface ToolDeclaration {
  /** With dots, as its author wrote it: `breakpoint.add`. */
  readonly alias: string
  /** As agents call it: `breakpoint_add`. */
  readonly name: string
  /** Callable, not listed; in the form of `name`. */
  readonly aliases: readonly string[]
  readonly category: string
  readonly summary: string
  /** For the documentation. */
  readonly description?: string
  /** JSON Schema of the parameters, defaults included. */
  readonly input: JsonObject
  readonly result: ResultKind
  /** JSON Schema of `data`. */
  readonly data?: JsonObject
  readonly timeoutMs: number
  /** How often one caller may call it where nobody has configured it. Absent: as often as any tool of a pack. */
  readonly rate?: { readonly perSecond: number; readonly burst: number }
  readonly safety: Safety
  readonly requires: readonly string[]
  readonly errors: readonly ErrorDeclaration[]
  readonly examples: readonly ExampleDeclaration[]
  /** False: in no list, and no agent can call it. */
  readonly listed: boolean
  /** Whether it is one of the few that agents get listed unless they ask for more. */
  readonly core: boolean
  /** What agents read in place of the summary. */
  readonly listedDescription?: string
  readonly whenToUse?: string
  readonly parameterHints: Readonly<Record<string, ParameterHint>>
  /** Names of the tools that usually follow. */
  readonly next: readonly string[]
}

export interface Guide {
  readonly id: string
  readonly title: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly text: string
}

export interface PackManifest {
  readonly pack: string
  readonly tools: readonly ToolDeclaration[]
  readonly guides: readonly Guide[]
  /** Codes that every tool may fail with, so that none has to declare, and no list to repeat them. */
  readonly commonErrors?: readonly ErrorDeclaration[]
  /** JSON Schemas that those of `data` refer to as `#/$defs/<name>`. */
  readonly definitions?: Definitions
}

export type Definitions = Readonly<Record<string, JsonObject>>
