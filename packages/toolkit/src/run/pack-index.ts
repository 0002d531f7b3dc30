/** The tools of a pack by every name they answer to. What is wrong with a pack is found here, when it is created. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { PackManifest, ToolDeclaration } from '../manifest/tool-declaration.ts'
import { toToolName } from '../manifest/tool-name.ts'
import type { PackHost, ToolFunction, ToolFunctions } from './tool-context.ts'

export interface IndexedTool<Host extends PackHost> {
  readonly declaration: ToolDeclaration
  readonly run: ToolFunction<never, unknown, Host>
}

export class PackIndex<Host extends PackHost> {
  readonly #byName = new Map<string, IndexedTool<Host>>()

  constructor(manifest: PackManifest, tools: ToolFunctions<Host>, host: Host) {
    for (const declaration of manifest.tools) {
      const run = tools[declaration.alias]
      if (run === undefined) throw createPackError(manifest.pack, `${declaration.alias} has no run function`)
      checkRequirements(manifest.pack, declaration, host)
      for (const name of [declaration.name, ...declaration.aliases]) {
        const other = this.#byName.get(name)
        if (other !== undefined) {
          throw createPackError(
            manifest.pack,
            `${declaration.alias} and ${other.declaration.alias} are both called ${name}`,
          )
        }
        this.#byName.set(name, { declaration, run })
      }
    }
  }

  /** By its name, an alias of it, or either as its author wrote it: `breakpoint.add`. */
  find(name: string): IndexedTool<Host> | undefined {
    return this.#byName.get(name) ?? this.#byName.get(toToolName(name))
  }

  names(): string[] {
    return [...this.#byName.keys()]
  }
}

function checkRequirements(pack: string, { alias, requires }: ToolDeclaration, host: PackHost): void {
  for (const name of requires) {
    if (name === 'workspace' || host.requirements?.[name] !== undefined) continue
    throw createPackError(pack, `${alias} requires ${name}, which host.requirements does not know`)
  }
}

function createPackError(pack: string, problem: string): SwitchboardError {
  return new SwitchboardError('internal', `The pack ${pack} cannot be created: ${problem}`, {
    hint: 'Run `npm run generate` in the clone; a pack is only as current as its generated files.',
  })
}
