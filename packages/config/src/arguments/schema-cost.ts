/**
 * What it may cost to check arguments against a schema, at worst, known before anything is checked: a schema that somebody
 * else wrote, and arguments that somebody else chose, must not hold up everybody. What is surely cheap is checked at once;
 * all else apart, with a deadline (check-apart.ts).
 *
 * Cheap is a schema that is small with its references followed (so none leads in circles), and arguments so few and short
 * that its keywords, patterns and comparisons come to less than `MAX_STEPS`.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { readPointer, valueAt } from './json-pointer.ts'
import { estimatePattern, type PatternCost, stepsOf } from './pattern-cost.ts'

/** How much may be checked against a schema at once. */
export interface SchemaCost {
  readonly maxValues: number
  /** Of texts and names together, where they are looked at character by character. */
  readonly maxCharacters: number
}

/** Compiling it takes about a tenth of a millisecond for each. */
const MAX_SIZE = 500
const MAX_DEPTH = 64
/** Takes 20 ms at worst. */
const MAX_STEPS = 100_000
/** More of a schema is not searched for what is costly. */
const MAX_LOOKS = 10_000
/** Characters of a pattern in a message. */
const MAX_SHOWN = 100
/** Of a pattern: it steps faster. */
const PATTERN_STEPS = 10

/** These say something to people, or hold what counts where it is referred to. */
const SKIPPED: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'example', '$comment', '$defs', 'definitions'],
])
/** Lead somewhere that only the validator knows. */
const UNKNOWN_WAYS: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef', '$id', 'id'])
/** The names in them are a server's own, and no keywords. */
const MAPS: ReadonlySet<string> = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', 'dependencies'],
])
const DATA: ReadonlySet<string> = new Set(['const', 'enum', 'required'])
const LENGTH: PatternCost = { factor: 1, degree: 1, length: 1 }

/** Undefined: it may be costly to compile, or to check whatever the arguments are. */
export function estimateSchema(schema: JsonObject): SchemaCost | undefined {
  const estimate = new SchemaEstimate(schema)
  return estimate.addSchema(schema, 0) ? estimate.toCost() : undefined
}

class SchemaEstimate {
  readonly #root: JsonObject
  /** What is looked at character by character. */
  readonly #patterns: PatternCost[] = []
  /** Keywords and what they hold, references followed. */
  #size = 0
  /** Every item is compared with every other. */
  #comparesItems = false

  constructor(root: JsonObject) {
    this.#root = root
  }

  /** False: it is not cheap, and the rest was not looked at. */
  addSchema(value: unknown, depth: number): boolean {
    if (!this.#addOne(depth)) return false
    if (Array.isArray(value)) return value.every((item) => this.addSchema(item, depth + 1))
    if (!isJsonObject(value)) return true
    return Object.entries(value).every(([keyword, rule]) => this.#addKeyword(keyword, rule, depth + 1))
  }

  #addKeyword(keyword: string, rule: unknown, depth: number): boolean {
    if (SKIPPED.has(keyword)) return true
    if (UNKNOWN_WAYS.has(keyword)) return false
    if (DATA.has(keyword)) return this.#addData(rule, depth)
    if (keyword === '$ref') {
      const target = findTarget(this.#root, rule)
      return target !== undefined && this.addSchema(target, depth)
    }
    if (keyword === 'uniqueItems') this.#comparesItems ||= rule === true
    if (keyword === 'pattern' && typeof rule === 'string') this.#patterns.push(estimatePattern(rule))
    if (keyword === 'minLength' || keyword === 'maxLength') this.#patterns.push(LENGTH)
    if (!MAPS.has(keyword) || !isJsonObject(rule)) return this.addSchema(rule, depth)
    if (keyword === 'patternProperties') this.#patterns.push(...Object.keys(rule).map(estimatePattern))
    return Object.values(rule).every((schema) => this.addSchema(schema, depth + 1))
  }

  #addData(value: unknown, depth: number): boolean {
    if (!this.#addOne(depth)) return false
    const members = typeof value === 'object' && value !== null ? Object.values(value) : []
    return members.every((member) => this.#addData(member, depth + 1))
  }

  #addOne(depth: number): boolean {
    return ++this.#size <= MAX_SIZE && depth <= MAX_DEPTH
  }

  toCost(): SchemaCost {
    const maxValues = Math.floor(MAX_STEPS / this.#size)
    return {
      maxValues: this.#comparesItems ? Math.min(maxValues, Math.floor(Math.sqrt(MAX_STEPS))) : maxValues,
      maxCharacters: this.#patterns.length === 0 ? Number.POSITIVE_INFINITY : this.#countCharacters(),
    }
  }

  /** As many as the patterns together can look at in time, at worst; -1: none. */
  #countCharacters(): number {
    let least = -1
    let most = MAX_STEPS * PATTERN_STEPS
    while (least < most) {
      const middle = Math.ceil((least + most) / 2)
      const steps = this.#patterns.reduce((sum, pattern) => sum + stepsOf(pattern, middle), 0)
      if (steps <= MAX_STEPS * PATTERN_STEPS) least = middle
      else most = middle - 1
    }
    return least
  }
}

/** Undefined: it leads to what only the validator can find. */
function findTarget(root: JsonObject, reference: unknown): unknown {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined
  return valueAt(root, readPointer(reference.slice(1)))
}

/** Whether these arguments are surely checked in no time. Stands in the way of every call. */
export function isCheap(cost: SchemaCost, args: unknown): boolean {
  return new ArgumentCount(cost).add(args)
}

class ArgumentCount {
  readonly #most: SchemaCost
  #values = 0
  #characters = 0

  constructor(most: SchemaCost) {
    this.#most = most
  }

  /** False: it is more than that, and the rest was not looked at. */
  add(value: unknown): boolean {
    if (++this.#values > this.#most.maxValues) return false
    if (typeof value === 'string') return this.#addText(value)
    if (typeof value !== 'object' || value === null) return true
    if (Array.isArray(value)) {
      for (const item of value) if (!this.add(item)) return false
      return true
    }
    // Parsed JSON has no members but its own; a list of them would cost more than all the rest here.
    for (const key in value) if (!(this.#addText(key) && this.add((value as JsonObject)[key]))) return false
    return true
  }

  #addText(text: string): boolean {
    this.#characters += text.length
    return this.#characters <= this.#most.maxCharacters
  }
}

/** What may take long in a schema, in words, for whoever is told that it did: the worst first, and not all of it. */
export function findCostly(schema: JsonObject): string[] {
  const found = new Map<string, number>()
  let looks = 0
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || ++looks > MAX_LOOKS) return
    for (const [key, member] of Object.entries(value)) {
      if (key === 'pattern' && typeof member === 'string') addPattern(member)
      else if (key === 'patternProperties' && isJsonObject(member)) Object.keys(member).forEach(addPattern)
      else if (key === 'uniqueItems' && member === true) found.set('uniqueItems', 2)
      else if (key === '$ref') found.set('$ref', 1)
      visit(member)
    }
  }
  const addPattern = (pattern: string): void => {
    const { factor, degree } = estimatePattern(pattern)
    found.set(`the pattern ${JSON.stringify(pattern.slice(0, MAX_SHOWN))}`, Number.isFinite(factor) ? degree : Infinity)
  }
  visit(schema)
  const worst = [...found].sort(([, one], [, other]) => (other > one ? 1 : other < one ? -1 : 0))
  return worst.slice(0, 3).map(([what]) => what)
}
