/**
 * A pack is a value: everything that is known of it before it runs, and how it is made. Configuration, documentation,
 * help, profiles and lists follow from the list of such values; adding one touches nothing else.
 *
 * The module that holds the value is imported by every command that reads the configuration. What is heavy belongs behind
 * an `import()` in `create`.
 */
import type { Clock } from '@switchboard/base'
import type { PackSection, PackValues } from '@switchboard/config'
import type { Caller, JsonObject, Provider } from '@switchboard/protocol'
import type { Space } from '@switchboard/store'
import type { Logger, Metric } from '@switchboard/telemetry'
import type { Guide, ToolDeclaration } from '../manifest/tool-declaration.ts'
import type { CodeIndex } from './code-index.ts'
import type { FileWork } from './file-work.ts'
import type { MetError } from './pack-services.ts'

/** What a pack is made with. `Services`: what it needs of the rest of the house, wired by whoever runs it. */
export interface PackContext<Services = unknown> {
  readonly log: Logger
  readonly clock: Clock
  /** Its own, private to the user; to be made when something is written. */
  readonly folders: { readonly cache: string }
  readonly store: PackStore
  readonly services: Services
}

/** What a pack keeps for good. It sees nothing of another's. */
export interface PackStore {
  /** Nothing was ever kept here: who only wants to read need not open it, which costs memory. */
  isEmpty(): boolean
  /** Of the whole store, which all packs share. Opens nothing. */
  describe(): Promise<{ readonly engine: string; readonly state: string; readonly bytes: number }>
  /** Made when it is not there; opened once. A name is a letter, then letters, digits and `_`. */
  space(name: string): Promise<Space>
}

/** Who asks at a terminal, besides what for. */
export interface PersonCall {
  /** The folder that the command was run in. */
  readonly workspace: string
  /** Aborted when the person has enough of it. */
  readonly signal: AbortSignal
  /** Told while it lasts. */
  progress(progress: PersonProgress): void
}

export interface PersonProgress {
  readonly done: number
  /** Absent: nobody knows yet. */
  readonly total?: number
  readonly message?: string
}

/** Parameters are checked by the command itself, with `ToolError` for what is wrong. Both ways it is plain JSON. */
export type PersonCommand = (params: JsonObject, call: PersonCall) => Promise<JsonObject>

export interface PackInstance {
  readonly provider: Provider
  /** What a person may ask for at a terminal, by name. No agent reaches it, and nothing that comes over HTTP. */
  readonly commands?: Readonly<Record<string, PersonCommand>>
  /** It looks at files: whoever tells the daemon's socket of some tells this pack. */
  readonly work?: FileWork
  /** What it measures of itself, for `/metrics`. */
  metrics?(): readonly Metric[]
  /** Agents are served from here on: what an earlier process left undone goes on. Not called for a single command. */
  start?(): void
  /** The agent is gone: what it had is ended. */
  release(owner: string): void
  /** What that caller has under way here, a line each: what an agent that goes on later must know. */
  standing?(caller: Caller): readonly string[]
  /** One line about what helped against that error before; undefined: nothing that is sure enough. */
  recall?(error: MetError, caller: Caller): Promise<string | undefined>
  /** What other packs may ask it of the code of a workspace. */
  readonly codeIndex?: CodeIndex
  /** Ends everything. */
  close(): Promise<void>
}

export interface PackDefinition<
  Name extends string = string,
  Section extends PackSection | undefined = PackSection | undefined,
  Services = never,
> {
  /** As the configuration, profiles and its page name it. */
  readonly name: Name
  /** What agents can do with it, in one sentence. */
  readonly summary: string
  /** The keys of `packs.<name>`. Absent: it has none, and cannot be switched off. */
  readonly config: Section
  /** Generated from its `*.meta.yaml` files. */
  readonly tools: readonly ToolDeclaration[]
  readonly guides: readonly Guide[]
  /**
   * Whether it is listed to callers of that workspace (undefined: nobody told which), unless a profile names it. Asked every few
   * seconds at most, and waited for: a look at the names of a few files. Absent: it is listed everywhere.
   */
  applies?(workspace: string | undefined): boolean
  /** Names of tools outside of its core that callers of that workspace get listed all the same. Asked as `applies` is. */
  listedIn?(workspace: string | undefined): readonly string[]
  /**
   * What a person is told after a command whose answer had this data: every command is a caller of its own, and what belongs
   * to it ends with it. Undefined: nothing has ended.
   */
  explainEnd?(data: JsonObject): string | undefined
  /** A failure is a state of the pack, and told to whoever calls its tools. */
  create(context: PackContext<Services>, config: ConfigOf<Section>): PackInstance | Promise<PackInstance>
}

type ConfigOf<Section extends PackSection | undefined> = Section extends PackSection ? PackValues<Section> : undefined

export function definePack<
  const Name extends string,
  Section extends PackSection | undefined = undefined,
  Services = unknown,
>(
  definition: Omit<PackDefinition<Name, Section, Services>, 'config'> & { readonly config?: Section },
): PackDefinition<Name, Section, Services> {
  // Absent is undefined: the same for whoever looks at it.
  return { ...definition, config: definition.config as Section }
}
