/**
 * Variables, page by page, whatever the adapter makes of paging. Knows every reference that was handed out since the
 * program stopped: in which frame it lies and which expression yields it. All are forgotten when the program goes on.
 */
import { ToolError } from '@switchboard/toolkit'
import type { EngineRequestOptions, Variable } from '../engine/debug-session.ts'
import { readQuoted, shortenQuoted } from '../engine/quoted-text.ts'
import { type JsonMembers, readNumber, readObjects, readString } from '../json-values.ts'
import type { DapClient } from './dap-client.ts'
import type { DapTraits } from './traits.ts'
import { isElementName, tidyName, toVariable } from './translate.ts'

export interface PageRange {
  readonly start: number
  readonly count: number
  readonly filter?: 'indexed' | 'named'
}

/** What a reference stands for. */
interface Known {
  readonly frameId: number | undefined
  readonly isScope: boolean
  readonly expression: string | undefined
  readonly type: string | undefined
  readonly indexed: number
  /** By our names: what the adapter calls them and how to reach them. */
  readonly children: Map<string, { readonly adapterName: string; readonly expression: string | undefined }>
  /** What was assigned since. */
  readonly changed: Map<string, Variable>
  /** The whole list, where the adapter sends it whole anyway. */
  whole?: readonly Variable[]
}

export class DapVariableReader {
  readonly #client: DapClient
  readonly #traits: DapTraits
  readonly #known = new Map<number, Known>()

  constructor(client: DapClient, traits: DapTraits) {
    this.#client = client
    this.#traits = traits
  }

  forgetAll(): void {
    this.#known.clear()
  }

  rememberScope(reference: number, frameId: number): void {
    this.#remember(reference, { frameId, isScope: true, expression: undefined, type: undefined, indexed: 0 })
  }

  rememberValue(variable: Variable, frameId: number | undefined): void {
    this.#remember(variable.reference, {
      frameId,
      isScope: false,
      expression: variable.expression,
      type: variable.type,
      indexed: variable.indexed ?? 0,
    })
  }

  async read(reference: number, range: PageRange, options: EngineRequestOptions): Promise<readonly Variable[]> {
    const { frameId } = this.#get(reference)
    const page = await this.#readPage(reference, range, options)
    return Promise.all(page.map((variable) => this.measure(variable, frameId, options)))
  }

  /** Tells how long a text is of which the adapter shows less: that costs a question, and is seldom needed. */
  async measure(variable: Variable, frameId: number | undefined, options: EngineRequestOptions): Promise<Variable> {
    const { value, type = '', expression } = variable
    const slice = expression === undefined ? undefined : this.#traits.textSlice?.(expression, type)
    const shown = slice?.isCut(value) === true ? readQuoted(value) : undefined
    if (slice === undefined || shown === undefined) return variable
    const frame = frameId === undefined ? {} : { frameId }
    const asked = { expression: slice.length, context: 'watch', ...frame }
    // What cannot be asked is shown as the adapter has it.
    const body = await this.#client.request('evaluate', asked, options).catch((): JsonMembers => ({}))
    const length = Number.parseInt(readString(body.result) ?? '', 10)
    return length > 0 ? { ...variable, value: shortenQuoted(shown, length, slice.isInBytes === true) } : variable
  }

  async #readPage(reference: number, range: PageRange, options: EngineRequestOptions): Promise<readonly Variable[]> {
    const known = this.#get(reference)
    const page = { start: Math.max(0, range.start), count: Math.max(0, range.count) }
    if (page.count === 0) return []
    if (known.isScope || range.filter === 'named') return this.#cutWhole(reference, known, range, options)
    if (this.#traits.paging === 'range') return this.#readRange(reference, known, range, options)
    if (this.#traits.paging === 'indexed' && known.indexed > 0) {
      return this.#readRange(reference, known, { ...page, filter: 'indexed' }, options)
    }
    const sliced = await this.#readSlice(known, page, options)
    return sliced ?? this.#cutWhole(reference, known, range, options)
  }

  /** What assignment to a child looks like; undefined: only the adapter itself can do it. */
  assignmentTarget(
    reference: number,
    name: string,
  ): { expression: string | undefined; adapterName: string; frameId?: number } {
    const known = this.#get(reference)
    const child = known.children.get(name)
    const expression =
      child?.expression ?? (known.isScope ? name : this.#traits.childExpression?.(known, name)) ?? undefined
    return {
      expression,
      adapterName: child?.adapterName ?? name,
      ...(known.frameId === undefined ? {} : { frameId: known.frameId }),
    }
  }

  /** A part of a list that holds only this element, for adapters that cannot assign to those they have not shown. */
  elementSlice(reference: number, name: string): { expression: string; frameId: number | undefined } | undefined {
    const { expression, frameId } = this.#get(reference)
    if (expression === undefined || !isElementName(name)) return undefined
    const slice = this.#traits.elementSlice?.(expression, Number(name))
    return slice === undefined ? undefined : { expression: slice, frameId }
  }

  /** How to come by what a reference stands for; undefined: no expression yields it. */
  placeOf(reference: number): { expression: string; frameId?: number } | undefined {
    const { expression, frameId } = this.#get(reference)
    return expression === undefined ? undefined : { expression, ...(frameId === undefined ? {} : { frameId }) }
  }

  isScope(reference: number): boolean {
    return this.#get(reference).isScope
  }

  /** Lists that were read before are out of date; some adapters go on sending what they had read themselves. */
  noteChange(reference: number, changed: Variable): void {
    for (const known of this.#known.values()) delete known.whole
    if (this.#traits.keepsOldValues) this.#known.get(reference)?.changed.set(changed.name, changed)
  }

  async #readRange(
    reference: number,
    known: Known,
    range: PageRange,
    options: EngineRequestOptions,
  ): Promise<Variable[]> {
    const { start, count } = range
    // Beyond the end some adapters fail, and some count from the start again.
    const most = known.indexed > 0 ? Math.min(count, known.indexed - start) : count
    if (most <= 0) return []
    const filter = this.#traits.paging === 'indexed' ? { filter: 'indexed' } : {}
    const rows = await this.#request(reference, { start, count: most, ...filter }, options)
    const all = this.#adopt(known, rows)
    return (range.filter === 'indexed' ? all.filter(({ name }) => isElementName(name)) : all).slice(0, count)
  }

  /** A part of a long list, evaluated in the program: debugpy gives the first hundred elements and no more. */
  async #readSlice(known: Known, page: PageRange, options: EngineRequestOptions): Promise<Variable[] | undefined> {
    if (known.expression === undefined || known.type === undefined) return undefined
    const slice = this.#traits.sliceExpression?.(known.expression, known.type, page.start, page.count)
    if (slice === undefined) return undefined
    const result = await this.#client.request(
      'evaluate',
      {
        expression: slice.expression,
        context: 'watch',
        ...(known.frameId === undefined ? {} : { frameId: known.frameId }),
      },
      options,
    )
    const reference = readNumber(result.variablesReference) ?? 0
    if (reference === 0) return []
    const rows = await this.#request(reference, {}, options)
    const children = this.#adopt({ ...known, children: new Map() }, rows)
    return children
      .filter(({ name }) => slice.nameOf === undefined || isElementName(name))
      .slice(0, page.count)
      .map((child, index) => {
        const name = slice.nameOf?.(index) ?? child.name
        const expression = slice.expressionOf?.(index) ?? child.expression
        known.children.set(name, { adapterName: name, expression })
        const renamed = { ...child, name, ...(expression === undefined ? {} : { expression }) }
        this.rememberValue(renamed, known.frameId)
        return renamed
      })
  }

  async #cutWhole(
    reference: number,
    known: Known,
    range: PageRange,
    options: EngineRequestOptions,
  ): Promise<Variable[]> {
    known.whole ??= this.#adopt(known, await this.#request(reference, {}, options))
    const wanted =
      range.filter === undefined
        ? known.whole
        : known.whole.filter(({ name }) => isElementName(name) === (range.filter === 'indexed'))
    return wanted.slice(range.start, range.start + range.count)
  }

  async #request(reference: number, range: object, options: EngineRequestOptions): Promise<JsonMembers[]> {
    const body = await this.#client.request('variables', { variablesReference: reference, ...range }, options)
    return readObjects(body.variables)
  }

  #adopt(parent: Known, rows: readonly JsonMembers[]): Variable[] {
    const variables: Variable[] = []
    for (const row of rows) {
      const adapterName = readString(row.name) ?? ''
      if (this.#traits.hidesVariable?.(adapterName)) continue
      const name = tidyName(adapterName)
      const plain = toVariable(row, name, this.#traits)
      const expression =
        plain.expression ?? (parent.isScope ? name : this.#traits.childExpression?.(parent, name)) ?? undefined
      const variable = expression === undefined ? plain : { ...plain, expression }
      parent.children.set(name, { adapterName, expression })
      this.rememberValue(variable, parent.frameId)
      variables.push(withChange(variable, parent.changed.get(name)))
    }
    return variables
  }

  #remember(reference: number, known: Omit<Known, 'children' | 'changed'>): void {
    if (reference > 0) this.#known.set(reference, { ...known, children: new Map(), changed: new Map() })
  }

  #get(reference: number): Known {
    const known = this.#known.get(reference)
    if (known !== undefined) return known
    throw new ToolError(
      'E_STALE_REFERENCE',
      `There is no variable with the reference ${reference}. References hold until the program goes on; list the variables again.`,
    )
  }
}

function withChange(variable: Variable, changed: Variable | undefined): Variable {
  return changed === undefined ? variable : { ...variable, value: changed.value, reference: changed.reference }
}
