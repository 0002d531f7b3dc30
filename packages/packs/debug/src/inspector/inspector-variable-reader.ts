/** Reads values page by page, so that a list of a million is no more work than one of ten. No getter is ever run. */
import { ToolError } from '@switchboard/toolkit'
import type { EngineRequestOptions, Variable } from '../engine/debug-session.ts'
import { countElements, describeValue, typeOf } from './describe-value.ts'
import type { InspectorTarget } from './inspector-target.ts'
import type { CallArgument, GetPropertiesResult, PropertyDescriptor, RemoteObject } from './protocol.ts'
import type { ReferenceTable } from './reference-table.ts'

export type VariableNode =
  | {
      readonly kind: 'scope'
      readonly callFrameId: string
      readonly parts: readonly { readonly object: RemoteObject; readonly index: number }[]
      readonly extras: readonly { readonly name: string; readonly value: RemoteObject }[]
      readonly hidden: readonly string[]
      readonly isGlobal?: boolean
    }
  | { readonly kind: 'object'; readonly object: RemoteObject; readonly expression?: string }

export interface Range {
  readonly start: number
  readonly count: number
  readonly filter?: 'indexed' | 'named'
}

/** With more own properties than this they are read in parts. */
const SMALL_OBJECT = 500
/** A scope with more variables is not a person's. */
const MOST_REFRESHED = 500
const OBJECT_GROUP = 'switchboard'
const SHOWN_INTERNALS = [
  '[[PromiseState]]',
  '[[PromiseResult]]',
  '[[Target]]',
  '[[PrimitiveValue]]',
  '[[TargetFunction]]',
]

const READ_LIST = `function (start, count) {
  const out = [];
  for (let i = start; i < start + count && i < this.length; i++) out.push(this[i]);
  return out;
}`
const READ_COLLECTION = `function (start, count) {
  const out = [];
  let i = 0;
  const isMap = Object.prototype.toString.call(this) === "[object Map]";
  for (const entry of isMap ? Map.prototype.entries.call(this) : Set.prototype.values.call(this)) {
    if (i >= start + count) break;
    if (i++ >= start) out.push(isMap ? { key: entry[0], value: entry[1] } : entry);
  }
  return out;
}`
const COUNT_NAMES = 'function () { return Object.getOwnPropertyNames(this).length }'
const READ_NAMES = `function (start, count, skipIndexes) {
  let names = Object.getOwnPropertyNames(this);
  if (skipIndexes) names = names.filter((name) => !/^\\d+$/.test(name) && name !== "length");
  const out = Object.create(null);
  for (const name of names.slice(start, start + count)) {
    Object.defineProperty(out, name, { ...Object.getOwnPropertyDescriptor(this, name), configurable: true });
  }
  return out;
}`
const SHORTEN = `function () {
  const out = Array.isArray(this) ? [] : Object.create(null);
  for (const name of Object.getOwnPropertyNames(this)) {
    if (name === "length") continue;
    const found = Object.getOwnPropertyDescriptor(this, name);
    if (typeof found.value === "string" && found.value.length > 20000) {
      found.value = found.value.slice(0, 9000) + "…(+" + (found.value.length - 9000) + ")";
    }
    Object.defineProperty(out, name, { ...found, configurable: true });
  }
  return out;
}`
const SET_PROPERTY = 'function (name, value) { this[name] = value; return this[name] }'

export class InspectorVariableReader {
  readonly #references: ReferenceTable<VariableNode>

  constructor(references: ReferenceTable<VariableNode>) {
    this.#references = references
  }

  async read(reference: number, range: Range, options: EngineRequestOptions = {}): Promise<readonly Variable[]> {
    const { target, item } = this.#references.get(reference)
    if (item.kind === 'scope') {
      if (range.filter === 'indexed') return []
      const members = await this.#readScope(target, item, options)
      return members
        .slice(range.start, range.start + range.count)
        .map(({ name, value }) => this.toVariable(target, name, value, isIdentifier(name) ? name : undefined))
    }
    const { object, expression } = item
    const indexed = countElements(object)
    if (indexed !== undefined && range.filter !== 'named') {
      const elements = await this.#readElements(target, object, indexed, range, options)
      const variables = elements.map(({ name, value }) =>
        this.toVariable(target, name, value, isList(object) ? inside(expression, name) : undefined),
      )
      const room = range.count - variables.length
      if (range.filter === 'indexed' || room <= 0) return variables
      const from = Math.max(0, range.start - indexed)
      return [...variables, ...(await this.#readNamed(target, item, { start: from, count: room }, true, options))]
    }
    if (range.filter === 'indexed') return []
    return this.#readNamed(target, item, range, indexed !== undefined, options)
  }

  async set(reference: number, name: string, value: string, options: EngineRequestOptions = {}): Promise<Variable> {
    const { target, item } = this.#references.get(reference)
    const top = item.kind === 'scope' ? item.callFrameId : target.requirePaused().callFrames[0]?.callFrameId
    if (top === undefined)
      throw new ToolError('E_NO_STACK', 'The thread has no frame in which the value could be evaluated.')
    const { result, exceptionDetails } = await target.client.request(
      'Debugger.evaluateOnCallFrame',
      {
        callFrameId: top,
        expression: asExpression(value),
        silent: true,
        generatePreview: true,
        objectGroup: OBJECT_GROUP,
      },
      options,
    )
    if (exceptionDetails !== undefined) {
      throw failed(name, `the value does not evaluate: ${describeValue(exceptionDetails.exception ?? result)}`)
    }
    target.isChanged = true
    if (item.kind === 'scope') {
      await this.#setInScope(target, item, name, result, options)
      return this.toVariable(target, name, result, name)
    }
    const { object, expression } = item
    if (object.objectId === undefined || object.subtype === 'map' || object.subtype === 'set') {
      throw failed(name, 'it is no property. Use evaluate, for example map.set(key, value)')
    }
    const { exceptionDetails: refused, result: now } = await target.client.request(
      'Runtime.callFunctionOn',
      {
        functionDeclaration: SET_PROPERTY,
        objectId: object.objectId,
        arguments: [{ value: name }, toArgument(result)],
        silent: true,
        generatePreview: true,
        objectGroup: OBJECT_GROUP,
      },
      options,
    )
    if (refused !== undefined) throw failed(name, describeValue(refused.exception ?? now))
    return this.toVariable(target, name, now, inside(expression, name))
  }

  toVariable(target: InspectorTarget, name: string, value: RemoteObject, expression?: string): Variable {
    const indexed = countElements(value)
    const hasChildren = value.objectId !== undefined && value.type !== 'symbol'
    const node = { kind: 'object', object: value, ...(expression === undefined ? {} : { expression }) } as const
    return {
      name,
      value: describeValue(value),
      type: typeOf(value),
      reference: hasChildren ? this.#references.add(target, node) : 0,
      ...(indexed === undefined ? {} : { indexed }),
      ...(expression === undefined ? {} : { expression }),
    }
  }

  async #readScope(
    target: InspectorTarget,
    node: Extract<VariableNode, { kind: 'scope' }>,
    options: EngineRequestOptions,
  ) {
    const [lists, extras] = await Promise.all([
      Promise.all(
        node.parts.map(async ({ object }) =>
          object.objectId === undefined ? [] : (await getProperties(target, object.objectId, options)).result,
        ),
      ),
      Promise.all(
        node.extras.map(async ({ name, value }) => ({ name, value: await withPreview(target, value, options) })),
      ),
    ])
    const members = new Map<string, RemoteObject>()
    for (const property of lists.flat()) {
      // What lies further in hides what has the same name further out.
      if (members.has(property.name) || isHidden(property, node.hidden)) continue
      members.set(property.name, property.value ?? (property.get === undefined ? UNINITIALIZED : GETTER))
    }
    if (target.isChanged && !node.isGlobal) await refresh(target, node.callFrameId, members, options)
    return [...extras, ...[...members].map(([name, value]) => ({ name, value }))]
  }

  async #readElements(
    target: InspectorTarget,
    { objectId = '', subtype }: RemoteObject,
    total: number,
    { start, count }: Range,
    options: EngineRequestOptions,
  ): Promise<{ name: string; value: RemoteObject }[]> {
    if (start >= total) return []
    const functionDeclaration = subtype === 'map' || subtype === 'set' ? READ_COLLECTION : READ_LIST
    const page = await call(target, objectId, functionDeclaration, [start, count], options)
    const { result } = await getProperties(target, page.objectId ?? '', options)
    return result
      .filter(({ name }) => /^\d+$/.test(name))
      .map(({ name, value }) => ({ name: String(Number(name) + start), value: value ?? GETTER }))
  }

  async #readNamed(
    target: InspectorTarget,
    { object, expression }: Extract<VariableNode, { kind: 'object' }>,
    { start, count }: Range,
    skipIndexes: boolean,
    options: EngineRequestOptions,
  ): Promise<readonly Variable[]> {
    const objectId = object.objectId
    if (objectId === undefined) return []
    // A proxy is asked for what it stands for, not through its traps.
    const isProxy = object.subtype === 'proxy'
    const size = isProxy ? { value: 0 } : await call(target, objectId, COUNT_NAMES, [], options, true)
    const isLarge = skipIndexes || Number(size.value ?? 0) > SMALL_OBJECT
    const from = isLarge
      ? ((await call(target, objectId, READ_NAMES, [start, count, skipIndexes], options)).objectId ?? '')
      : objectId
    const found = await getProperties(target, from, options)
    const members = isLarge ? found.result.map(toMember) : allMembers(found)
    return members
      .slice(isLarge ? 0 : start, isLarge ? count : start + count)
      .map(({ name, value }) =>
        this.toVariable(target, name, value, name.startsWith('[[') ? undefined : inside(expression, name)),
      )
  }

  async #setInScope(
    target: InspectorTarget,
    node: Extract<VariableNode, { kind: 'scope' }>,
    name: string,
    value: RemoteObject,
    options: EngineRequestOptions,
  ): Promise<void> {
    for (const { object, index } of node.parts) {
      if (object.objectId === undefined) continue
      const { result } = await getProperties(target, object.objectId, options)
      if (!result.some((property) => property.name === name)) continue
      const newValue = toArgument(value)
      try {
        await target.client.request(
          'Debugger.setVariableValue',
          { scopeNumber: index, variableName: name, newValue, callFrameId: node.callFrameId },
          options,
        )
        return
      } catch (error) {
        if (!(error instanceof ToolError) || error.code !== 'E_OPERATION_FAILED') throw error
        // Scopes of scripts and the global one cannot be changed so: they are objects.
        await call(target, object.objectId, SET_PROPERTY, [{ value: name }, newValue], options)
        return
      }
    }
    throw failed(name, 'the scope has no variable of that name')
  }
}

/** The scopes that a stop comes with are copies. After a change the variables are read anew, by their names. */
async function refresh(
  target: InspectorTarget,
  callFrameId: string,
  members: Map<string, RemoteObject>,
  options: EngineRequestOptions,
): Promise<void> {
  const names = [...members]
    .filter(([name, value]) => isIdentifier(name) && value !== UNINITIALIZED)
    .map(([name]) => name)
    .slice(0, MOST_REFRESHED)
  if (names.length === 0) return
  const values = names.map((name) => `${name}: (() => { try { return ${name} } catch {} })()`)
  const { result, exceptionDetails } = await target.client.request(
    'Debugger.evaluateOnCallFrame',
    { callFrameId, expression: `({ ${values.join(', ')} })`, silent: true, objectGroup: OBJECT_GROUP },
    options,
  )
  if (exceptionDetails !== undefined || result.objectId === undefined) return
  for (const { name, value } of (await getProperties(target, result.objectId, options)).result) {
    if (members.has(name) && value !== undefined) members.set(name, value)
  }
}

/** Declared further down; nobody may read it yet. */
const UNINITIALIZED: RemoteObject = { type: 'undefined', value: '<uninitialized>' }
const GETTER: RemoteObject = { type: 'accessor', value: '(…)' }

function toMember({ name, value }: PropertyDescriptor): { name: string; value: RemoteObject } {
  return { name, value: value ?? GETTER }
}

function allMembers({ result, privateProperties = [], internalProperties = [] }: GetPropertiesResult) {
  const internals = internalProperties.filter(({ name }) => SHOWN_INTERNALS.includes(name))
  const own = result.filter(({ name }) => name !== '__proto__')
  return [...own, ...privateProperties, ...internals].map(toMember)
}

async function getProperties(
  target: InspectorTarget,
  objectId: string,
  options: EngineRequestOptions,
): Promise<GetPropertiesResult> {
  const ask = (of: string): Promise<GetPropertiesResult> =>
    target.client.request(
      'Runtime.getProperties',
      { objectId: of, ownProperties: true, generatePreview: true },
      options,
    )
  try {
    return await ask(objectId)
  } catch (error) {
    if (!(error instanceof ToolError) || error.details.tooLarge !== true) throw error
    // One text of a hundred megabytes must not hide all that stands beside it.
    return ask((await call(target, objectId, SHORTEN, [], options)).objectId ?? '')
  }
}

/** `this` and what is returned come without one, and a class name alone tells nobody anything. */
async function withPreview(
  target: InspectorTarget,
  value: RemoteObject,
  options: EngineRequestOptions,
): Promise<RemoteObject> {
  const { objectId, preview, type } = value
  if (objectId === undefined || preview !== undefined || type !== 'object') return value
  const request = { functionDeclaration: 'function () { return this }', objectId, objectGroup: OBJECT_GROUP }
  const { result } = await target.client.request(
    'Runtime.callFunctionOn',
    { ...request, silent: true, generatePreview: true },
    options,
  )
  return { ...value, ...(result.preview === undefined ? {} : { preview: result.preview }) }
}

async function call(
  target: InspectorTarget,
  objectId: string,
  functionDeclaration: string,
  values: readonly (number | boolean | CallArgument)[],
  options: EngineRequestOptions,
  returnByValue = false,
): Promise<RemoteObject> {
  const { result, exceptionDetails } = await target.client.request(
    'Runtime.callFunctionOn',
    {
      functionDeclaration,
      objectId,
      arguments: values.map((value) => (typeof value === 'object' ? value : { value })),
      silent: true,
      returnByValue,
      objectGroup: OBJECT_GROUP,
    },
    options,
  )
  if (exceptionDetails === undefined) return result
  throw new ToolError(
    'E_OPERATION_FAILED',
    `The value cannot be read: ${describeValue(exceptionDetails.exception ?? result)}`,
  )
}

function toArgument({ objectId, unserializableValue, value }: RemoteObject): CallArgument {
  if (objectId !== undefined) return { objectId }
  return unserializableValue === undefined ? { value } : { unserializableValue }
}

/** A literal of an object must not be taken for a block. */
export function asExpression(text: string): string {
  return /^\s*\{/.test(text) ? `(${text}\n)` : text
}

function isList({ subtype }: RemoteObject): boolean {
  return subtype === 'array' || subtype === 'typedarray'
}

function isIdentifier(name: string): boolean {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)
}

function inside(expression: string | undefined, name: string): string | undefined {
  if (expression === undefined) return undefined
  if (name.startsWith('#') || isIdentifier(name)) return `${expression}.${name}`
  return /^\d+$/.test(name) ? `${expression}[${name}]` : `${expression}[${JSON.stringify(name)}]`
}

function isHidden({ name, value }: PropertyDescriptor, hidden: readonly string[]): boolean {
  if (!hidden.includes(name)) return false
  // A variable of the person may have the same name.
  if (name === 'exports') return value?.type === 'object'
  if (name === 'require') return value?.type === 'function'
  if (name === 'module') return value?.className === 'Module' || value?.type === 'object'
  return value?.type === 'string'
}

function failed(name: string, why: string): ToolError {
  return new ToolError('E_MODIFICATION_FAILED', `"${name}" was not changed: ${why}.`)
}
