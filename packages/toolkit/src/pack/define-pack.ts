/**
 * A pack is a value: everything that is known of it before it runs, and how it is made. Configuration, documentation,
 * help, profiles and lists follow from the list of such values; adding one touches nothing else.
 *
 * The module that holds the value is imported by every command that reads the configuration. What is heavy belongs behind
 * an `import()` in `create`.
 */
import type { Clock } from '@switchboard/base'
import type { PackSection, PackValues } from '@switchboard/config'
import type { JsonObject, Provider } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { Guide, ToolDeclaration } from '../manifest/tool-declaration.ts'

/** What a pack is made with. `Services`: what it needs of the rest of the house, wired by whoever runs it. */
export interface PackContext<Services = unknown> {
  readonly log: Logger
  readonly clock: Clock
  /** Its own, private to the user; to be made when something is written. */
  readonly folders: { readonly cache: string }
  readonly services: Services
}

export interface PackInstance {
  readonly provider: Provider
  /** The agent is gone: what it had is ended. */
  release(owner: string): void
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
