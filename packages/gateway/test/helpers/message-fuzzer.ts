/** Seeded damage to JSON-RPC messages: valid ones, valid ones with a few changes, and junk. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  '__proto__',
  'constructor',
  'toString',
  'p_echo',
  'p_ask',
  '💥',
  'a'.repeat(300),
  '-1',
  'null',
]
const ODD_NUMBERS = [0, -0, 1, -1, 1.5, 1e21, -1e308, Number.MAX_SAFE_INTEGER, 2 ** 53, 5e-324]
const ODD_KEYS = [
  '__proto__',
  'constructor',
  'name',
  'uri',
  '_meta',
  'arguments',
  'id',
  'method',
  'params',
  'result',
  'error',
  'ref',
  'x',
]

/** Mulberry32: small, and the same everywhere. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** 0 ≤ x < 1 */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new RangeError('There is nothing to pick from')
    return item
  }

  /** Any JSON value. */
  value(depth = 3): unknown {
    const kind = this.below(depth > 0 ? 7 : 5)
    if (kind === 0) return null
    if (kind === 1) return this.chance(0.5)
    if (kind === 2) return this.pick(ODD_NUMBERS)
    if (kind <= 4) return this.pick(ODD_TEXTS)
    const size = this.below(4)
    if (kind === 5) return Array.from({ length: size }, () => this.value(depth - 1))
    return fromEntries(Array.from({ length: size }, () => [this.pick(ODD_KEYS), this.value(depth - 1)]))
  }

  /** A copy with `changes` places changed. */
  damage(message: unknown, changes: number): unknown {
    const copy = structuredClone({ message })
    for (let change = 0; change < changes; change++) this.#damageOnce(copy)
    return copy.message
  }

  #damageOnce(root: JsonObject): void {
    let holder: JsonObject | unknown[] = root
    let key: string | number = 'message'
    // Walks down at random and stops on the way with growing likelihood.
    for (let depth = 0; depth < 6; depth++) {
      const value: unknown = (holder as JsonObject)[key]
      const keys: (string | number)[] = Array.isArray(value)
        ? [...value.keys()]
        : isJsonObject(value)
          ? Object.keys(value)
          : []
      if (keys.length === 0 || this.chance(0.15 * depth)) break
      holder = value as JsonObject
      key = this.pick(keys)
    }
    const target = holder as JsonObject
    const value = target[key]
    const kind = this.below(4)
    if (kind === 0 && holder !== root) delete target[key]
    else if (kind === 1 && isJsonObject(value)) Object.assign(value, { [this.pick(ODD_KEYS)]: this.value() })
    else if (kind === 2) target[key] = [value]
    else target[key] = this.value()
  }
}

/** As JSON.parse makes them: `__proto__` is a member like any other. */
function fromEntries(entries: [string, unknown][]): unknown {
  return JSON.parse(`{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(',')}}`)
}
