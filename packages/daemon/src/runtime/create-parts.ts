/** What a Switchboard is put together from, where that follows from the configuration alone. */
import { homedir } from 'node:os'
import { within } from '@switchboard/base'
import type { ProviderSource } from '@switchboard/gateway'
import type { McpPool } from '@switchboard/pool'
import type { Provider } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { SwitchboardConfig } from '../configuration/switchboard-file.ts'
import { Modes } from '../modes/modes.ts'
import type { BuiltInPacks } from '../packs/built-in-packs.ts'
import type { Services } from '../packs/create-services.ts'
import { DECLARED_RATES } from '../packs/packs.ts'
import { ProjectTrust } from '../projects/project-trust.ts'
import type { Projects, ProjectsOptions } from '../projects/projects.ts'
import { placeOfProvider } from '../projects/read-project.ts'
import { createRates } from '../tools/create-rates.ts'
import type { SwitchboardOptions } from './switchboard-options.ts'

export function createModes({ config: { modes, gateway }, home, log }: SwitchboardOptions): Modes | undefined {
  refuseModesWithoutHome({ home }, { modes })
  return home === undefined
    ? undefined
    : new Modes({ directory: home.modes, log, modes, modeForHttp: gateway.modeForHttp })
}

export function refuseModesWithoutHome(
  { home }: { readonly home?: SwitchboardOptions['home'] | undefined },
  { modes }: Pick<SwitchboardConfig, 'modes'>,
): void {
  if (home !== undefined || Object.keys(modes).length === 0) return
  throw new SwitchboardError('invalid_configuration', 'Modes are configured, and there is no home to keep them in')
}

/** Our own come last: names and places of the servers' tools do not depend on them. */
export function createSource(pool: McpPool, packs: BuiltInPacks<Services>, projects: Projects): ProviderSource {
  return {
    providers: () => [...pool.providers(), ...packs.providers()],
    listingIn: (workspace) => packs.listingIn(workspace),
    placeOf: placeOfProvider,
    placesOf: (workspace) => projects.placesOf(workspace),
    remarksAt: (places) => projects.remarksAt(places),
    onDidChangeProviders: (listener) => {
      const subscriptions = [
        packs.onDidChange(listener),
        projects.onDidChange(listener),
        pool.onDidChange((event) => {
          if (event.type === 'servers_changed') listener()
        }),
      ]
      return {
        dispose: () => {
          for (const subscription of subscriptions) subscription.dispose()
        },
      }
    },
  }
}

export function createLimits({ gateway: { rates, maxInFlight, questionTimeout } }: SwitchboardConfig) {
  return { limits: { maxInFlight, rate: createRates(rates, DECLARED_RATES) }, parkedTtl: questionTimeout }
}

/** Where projects are looked for, and what is known of them. */
export function createProjectsOptions(
  { home, env = process.env, variables, log }: SwitchboardOptions,
  pool: McpPool,
): Pick<ProjectsOptions, 'home' | 'log' | 'variables' | 'known'> {
  const userHome = (process.platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir()
  return {
    ...(home === undefined
      ? {}
      : { home: { own: { home: home.directory, userHome }, trust: new ProjectTrust(home.trust) } }),
    log,
    variables: variables ?? (() => Promise.resolve(env)),
    known: (servers) => waitUntilKnown(pool, servers),
  }
}

/** How long a list waits for servers that were never seen before; a mute one must not cost more. */
export const FIRST_START_MS = 3_000

/** It starts, and nothing of it is known from an earlier run. */
export function isUnknown(provider: Provider): boolean {
  const { tools, resources, prompts } = provider.catalog()
  return provider.status().state === 'starting' && tools.length + resources.length + prompts.length === 0
}

async function waitUntilKnown(pool: McpPool, servers: readonly string[]): Promise<void> {
  const isKnown = (): boolean =>
    pool.status().every(({ name, state, tools }) => !servers.includes(name) || state !== 'starting' || tools > 0)
  if (isKnown()) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const subscription = pool.onDidChange(() => {
    if (isKnown()) resolve()
  })
  await within(promise, FIRST_START_MS)
  subscription.dispose()
}
