/**
 * Which values of a program an agent does not see: those that look like secrets, and those of the environment that stand
 * under the name of one. A variable is not hidden for its name. What an agent has written itself, in a condition or an
 * expression, is no secret to it. A person can switch the masking off in the configuration, an agent cannot.
 */
import { looksLikeSecret, MASK, maskLooks, readEnvironmentSecrets } from '@switchboard/telemetry'

export interface Masking {
  value(name: string, value: string): string
  /** `said`: what the agent has written stays as it is. */
  text(text: string, said?: readonly string[]): string
  /** Programs pass on what they find there. */
  learnEnvironment(environment: Readonly<Record<string, string | undefined>>): void
}

export const NO_MASKING: Masking = {
  value: (_, value) => value,
  text: (text) => text,
  learnEnvironment: () => undefined,
}

const HARMLESS = /^(?:true|false|null|none|nil|undefined|nan|''|""|0x0|nullptr|\(nil\)|-?\d+(?:\.\d+)?)$/i
/** A text as the languages show it: `'a'`, `b"a"`, `&"a"`, `"a"…(+3)`. */
const QUOTED = /^[a-zA-Z&*]{0,2}(["'`])(.*?)\1?(?:…\(\+\d+\))?$/s
const MAX_KNOWN = 200
const LEAST_SAID = 3

export class SecretMasking implements Masking {
  readonly #known = new Set<string>()

  value(name: string, value: string): string {
    if (HARMLESS.test(value)) return value
    const text = QUOTED.exec(value)?.[2]
    return text !== undefined && looksLikeSecret(lastName(name), text) ? MASK : maskLooks(value, this.#known)
  }

  text(text: string, said: readonly string[] = []): string {
    const [own, ...rest] = said.filter((words) => words.length >= LEAST_SAID && text.includes(words)).sort(byLength)
    if (own === undefined) return maskLooks(text, this.#known)
    return text
      .split(own)
      .map((part) => this.text(part, rest))
      .join(own)
  }

  learnEnvironment(environment: Readonly<Record<string, string | undefined>>): void {
    for (const value of readEnvironmentSecrets(environment)) {
      this.#known.add(value)
      const [oldest] = this.#known
      if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest)
    }
  }
}

function byLength(left: string, right: string): number {
  return right.length - left.length
}

/** All texts in what an agent sent. */
export function textsOf(params: unknown): string[] {
  if (typeof params === 'string') return [params]
  if (typeof params !== 'object' || params === null) return []
  return Object.values(params).flatMap(textsOf)
}

const MAX_SECRETS = 500

/** What looked like a secret under its own name is hidden under every other as well: it is passed on, or returned. */
export class KnownSecrets {
  readonly #values = new Set<string>()

  learn(masking: Masking, variables: Iterable<{ readonly name: string; readonly value: string }>): void {
    for (const { name, value } of variables) {
      if (masking.value(name, value) !== MASK) continue
      this.#values.add(value)
      const [oldest] = this.#values
      if (this.#values.size > MAX_SECRETS && oldest !== undefined) this.#values.delete(oldest)
    }
  }

  has(value: string): boolean {
    return this.#values.has(value)
  }
}

/** Of `user.password` or `env["API_KEY"]` the part that names the value. */
function lastName(expression: string): string {
  return /([A-Za-z_$][\w$-]*)\W*$/.exec(expression.slice(-64))?.[1] ?? expression.slice(-64)
}
