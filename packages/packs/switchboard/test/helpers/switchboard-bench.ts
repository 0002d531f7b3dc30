/** The pack with services that a test sets, and one way to call its tools. */
import { Listeners } from '@switchboard/base'
import type { Call, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createMemoryLogger } from '@switchboard/telemetry'
import { callPack, type Reading } from '@switchboard/testkit'
import type { PackInstance } from '@switchboard/toolkit'
import { createSwitchboardPack } from '../../src/create-switchboard-pack.ts'
import type { DeclaredMode, ModeRules, ModesService, SwitchboardServices } from '../../src/services.ts'

function createServices(services: Partial<SwitchboardServices> = {}): SwitchboardServices {
  return {
    version: '1.2.3',
    scopeOf: () => undefined,
    remarksFor: () => [],
    isElsewhere: () => false,
    servers: () => [],
    packs: () => [],
    daemon: () => undefined,
    countOtherWindows: () => 0,
    ...services,
  }
}

export function openPack(services: Partial<SwitchboardServices> = {}): PackInstance {
  return createSwitchboardPack({ log: createMemoryLogger(), strict: true, services: createServices(services) })
}

/** By a caller without a window, unless it is told. */
export function callTool(pack: PackInstance, name: string, args?: JsonObject, call?: Partial<Call>): Promise<Reading> {
  return callPack(pack, name, args, { caller: { era: 'legacy', capabilities: {} }, ...call })
}

/** Modes in memory; `configure` is what a person does to the configuration. */
export class FakeModes implements ModesService {
  readonly #reconfigured = new Listeners<[]>()
  readonly declared = new Map<string, DeclaredMode>()
  bound: string | undefined
  #modes: readonly ModeRules[] = []

  configure(...modes: readonly (Pick<ModeRules, 'name'> & Partial<ModeRules>)[]): void {
    this.#modes = modes.map((mode) => ({
      description: `All about ${mode.name}`,
      approval: 'none',
      instructions: '',
      tools: { allow: [], deny: [] },
      ...mode,
    }))
    this.#reconfigured.notify()
  }

  list(): readonly ModeRules[] {
    return this.#modes
  }

  forHttp(): string | undefined {
    return this.bound
  }

  async rules(name: string): Promise<ModeRules> {
    const found = this.#modes.find((mode) => mode.name === name)
    if (found === undefined) throw new SwitchboardError('unknown_mode', `No mode is named "${name}"`)
    return found
  }

  read(instance: string): DeclaredMode | undefined {
    return this.declared.get(instance)
  }

  async set(instance: string, mode: string, setBy: string): Promise<DeclaredMode> {
    const record = { mode, at: '2026-01-02T00:00:00.000Z', setBy }
    this.declared.set(instance, record)
    return record
  }

  onDidReconfigure(listener: () => void) {
    return this.#reconfigured.add(listener)
  }
}
