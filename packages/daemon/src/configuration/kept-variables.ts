/** Variables that a person typed in once (`switchboard secret set NAME`): they stand for `${NAME}` where the environment has none. */
import type { Environment } from '@switchboard/config'
import { SecretStore } from '@switchboard/secrets'
import type { Logger } from '@switchboard/telemetry'

const PREFIX = 'variable:'

export class KeptVariables {
  readonly #store: SecretStore

  /** `folder`: of the secrets of a home. */
  constructor(folder: string, env?: Environment) {
    this.#store = new SecretStore({ folder, ...(env === undefined ? {} : { env }) })
  }

  async names(): Promise<string[]> {
    return (await this.#store.names()).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
  }

  set(name: string, value: string, options: { readonly signal?: AbortSignal } = {}): Promise<void> {
    return this.#store.set(PREFIX + name, value, options)
  }

  delete(name: string): Promise<boolean> {
    return this.#store.delete(PREFIX + name)
  }

  /** What is set in the environment wins. One that cannot be read is as if it were not kept, and told. */
  async over(env: Environment, log?: Logger): Promise<Environment> {
    const missing = (await this.names()).filter((name) => env[name] === undefined)
    if (missing.length === 0) return env
    const kept: Record<string, string> = {}
    for (const name of missing) {
      try {
        const value = await this.#store.get(PREFIX + name)
        if (value !== undefined) kept[name] = value
      } catch {
        log?.warn('config.secret', `the kept secret ${name} cannot be read: set it again with switchboard secret set`)
      }
    }
    return { ...kept, ...env }
  }
}
