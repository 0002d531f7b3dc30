/** Which engine is for what. Engines are loaded when the first session is started: who debugs nothing pays nothing. */
import { nearestName } from '@switchboard/base'
import { OrphanGuard } from '@switchboard/process'
import { ToolError } from '@switchboard/toolkit'
import type { EngineEnvironment } from '../dap/engine-environment.ts'
import type { DebugEngine } from '../engine/debug-session.ts'

export type EngineLoader = (environment: EngineEnvironment) => Promise<readonly DebugEngine[]>

type Located = Awaited<ReturnType<DebugEngine['locate']>>

export class EngineTable {
  readonly #load: EngineLoader
  readonly #cacheFolder: string | undefined
  /** Ends what engines have started when we are killed. */
  readonly guard = new OrphanGuard()
  readonly #located = new Map<DebugEngine, Promise<Located>>()
  #engines: Promise<readonly DebugEngine[]> | undefined

  constructor(load: EngineLoader, cacheFolder?: string) {
    this.#load = load
    this.#cacheFolder = cacheFolder
  }

  list(): Promise<readonly DebugEngine[]> {
    const { guard } = this
    const cacheFolder = this.#cacheFolder
    this.#engines ??= this.#load({ guard, ...(cacheFolder === undefined ? {} : { cacheFolder }) })
    return this.#engines
  }

  /** Throws E_UNSUPPORTED_LANGUAGE or E_ADAPTER_MISSING. The first of those that are on this machine. */
  async pick(wish: {
    readonly language?: string | undefined
    readonly launchType?: string | undefined
    readonly program?: string | undefined
  }): Promise<DebugEngine> {
    const engines = await this.list()
    const fitting = engines.filter((engine) => fits(engine, wish))
    const [only, other] = fitting
    if (only === undefined) throw createUnsupported(engines, wish)
    // Its start says what is missing. Looking first would cost a Python that answers in half a second.
    if (other === undefined) return only
    const missing: string[] = []
    for (const engine of fitting) {
      const located = await this.#locate(engine)
      if (located.found) return engine
      missing.push(`${engine.name}: ${located.install}`)
    }
    throw new ToolError(
      'E_ADAPTER_MISSING',
      `The debugger is not on this machine. Install it: ${missing.join(' or ')}`,
      {
        details: { engines: fitting.map(({ name }) => name) },
      },
    )
  }

  /** Once nothing runs any more. */
  close(): Promise<void> {
    return this.guard.close()
  }

  /** What is not there may be installed meanwhile, so only what was found is remembered. */
  async #locate(engine: DebugEngine): Promise<Located> {
    const known = this.#located.get(engine)
    if (known !== undefined) return known
    const locating = engine.locate()
    this.#located.set(engine, locating)
    const located = await locating.catch((error: unknown) => {
      this.#located.delete(engine)
      throw error
    })
    if (!located.found) this.#located.delete(engine)
    return located
  }
}

function fits(engine: DebugEngine, { language, launchType, program }: Parameters<EngineTable['pick']>[0]): boolean {
  if (language !== undefined) return engine.languages.includes(language) || engine.name === language
  if (launchType !== undefined) return engine.launchTypes.includes(launchType)
  return program !== undefined && engine.accepts(program)
}

function createUnsupported(engines: readonly DebugEngine[], wish: Parameters<EngineTable['pick']>[0]): ToolError {
  const languages = [...new Set(engines.flatMap((engine) => engine.languages))]
  const types = [...new Set(engines.flatMap((engine) => engine.launchTypes))]
  if (wish.language !== undefined) return describe('language', wish.language, languages)
  if (wish.launchType !== undefined) return describe('launch type', wish.launchType, types)
  return new ToolError(
    'E_UNSUPPORTED_LANGUAGE',
    `Nothing tells which language the program is in. Name it in \`language\`: ${languages.join(', ')}`,
    { details: { languages } },
  )
}

function describe(what: string, seen: string, known: readonly string[]): ToolError {
  const nearest = nearestName(seen, known)
  const guess = nearest === undefined ? '' : ` (did you mean "${nearest}"?)`
  return new ToolError(
    'E_UNSUPPORTED_LANGUAGE',
    `There is no debugger for the ${what} "${seen}"${guess}. There is one for ${known.join(', ')}`,
    { details: { known } },
  )
}
