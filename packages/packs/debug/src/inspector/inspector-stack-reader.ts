/** Frames and their scopes. Blocks, catches and the function itself are one scope: a reader wants all that is at hand. */
import type { Frame, Scope, ScopeKind } from '../engine/debug-session.ts'
import { HOOK_FILE } from './hook-source.ts'
import type { InspectorTarget } from './inspector-target.ts'
import type { VariableNode } from './inspector-variable-reader.ts'
import type { CallFrame, ProtocolScope, RemoteObject, StackTrace } from './protocol.ts'
import type { ReferenceTable } from './reference-table.ts'

/** A frame of an await that led here has no values any more. */
export type FrameItem = CallFrame | undefined

/** What a CommonJS module is called with; nobody looks for it. */
const MODULE_ARGUMENTS = ['exports', 'require', 'module', '__filename', '__dirname']

export class InspectorStackReader {
  readonly #frames: ReferenceTable<FrameItem>
  readonly #variables: ReferenceTable<VariableNode>
  /** Of one stop, so that asking twice gives the same numbers. */
  readonly #known = new WeakMap<object, Promise<readonly Frame[]>>()

  constructor(frames: ReferenceTable<FrameItem>, variables: ReferenceTable<VariableNode>) {
    this.#frames = frames
    this.#variables = variables
  }

  read(target: InspectorTarget): Promise<readonly Frame[]> {
    const paused = target.requirePaused()
    const known = this.#known.get(paused)
    if (known !== undefined) return known
    const reading = this.#readAll(target)
    this.#known.set(paused, reading)
    return reading
  }

  async #readAll(target: InspectorTarget): Promise<readonly Frame[]> {
    const { callFrames, asyncStackTrace } = target.requirePaused()
    const own = callFrames.map(({ functionName, location }) => ({ functionName, location }))
    const items: FrameItem[] = [...callFrames]
    const earlier = [...flattenAsync(asyncStackTrace)]
    const all = [...own, ...earlier]
    const places = await Promise.all(all.map(({ location }) => target.scripts.toPlace(location)))
    return all.flatMap(({ functionName, location }, index) => {
      const script = target.scripts.get(location.scriptId)
      if (script?.path?.endsWith(HOOK_FILE)) return []
      const place = places[index]
      return {
        id: this.#frames.add(target, items[index]),
        name: functionName === '' ? (isTopLevel(items[index]) ? '(top level)' : '(anonymous)') : functionName,
        ...(place === undefined ? {} : { place }),
        isUser: target.scripts.isOwn(place?.path),
      }
    })
  }

  scopes(frameId: number): readonly Scope[] {
    const { target, item: frame } = this.#frames.get(frameId)
    if (frame === undefined) return []
    const scopes: Scope[] = []
    const add = (name: string, kind: ScopeKind, node: VariableNode, isExpensive = false): void => {
      scopes.push({ name, kind, reference: this.#variables.add(target, node), isExpensive })
    }
    const parts = frame.scopeChain.map((scope, index) => ({ scope, index }))
    const inner = countInner(frame.scopeChain)
    const callFrameId = frame.callFrameId
    const extras: { name: string; value: RemoteObject }[] = []
    if (frame.returnValue !== undefined) extras.push({ name: '(return value)', value: frame.returnValue })
    if (frame.this.type === 'object' && frame.this.subtype !== 'null' && !isPlainThis(frame)) {
      extras.push({ name: 'this', value: frame.this })
    }
    add('Local', 'local', {
      kind: 'scope',
      callFrameId,
      parts: parts.slice(0, inner).map(({ scope, index }) => ({ object: scope.object, index })),
      extras,
      hidden: MODULE_ARGUMENTS,
    })
    for (const { scope, index } of parts.slice(inner)) {
      const { name, kind } = nameScope(scope)
      const hidden = kind === 'closure' ? MODULE_ARGUMENTS : []
      const node: VariableNode = {
        kind: 'scope',
        callFrameId,
        parts: [{ object: scope.object, index }],
        extras: [],
        hidden,
        isGlobal: kind === 'global',
      }
      add(name, kind, node, kind === 'global')
    }
    return scopes
  }
}

/** How many scopes, from the innermost on, belong to the function (or module) itself. */
function countInner(chain: readonly ProtocolScope[]): number {
  const end = chain.findIndex(({ type }) => type === 'local' || type === 'module' || type === 'eval')
  if (end >= 0) {
    // Only blocks, catches and `with` lie between a place and its function.
    const between = chain.slice(0, end).every(({ type }) => ['block', 'catch', 'with'].includes(type))
    if (between) return end + 1
  }
  const outside = chain.findIndex(({ type }) => !['block', 'catch', 'with', 'local'].includes(type))
  return outside < 0 ? chain.length : outside
}

function nameScope({ type, name }: ProtocolScope): { name: string; kind: ScopeKind } {
  switch (type) {
    case 'closure':
      return { name: name === undefined ? 'Closure' : `Closure of ${name}`, kind: 'closure' }
    case 'block':
    case 'catch':
      return { name: 'Outer block', kind: 'closure' }
    case 'module':
      return { name: 'Module', kind: 'closure' }
    case 'script':
      return { name: 'Script', kind: 'global' }
    case 'global':
      return { name: 'Global', kind: 'global' }
    default:
      return { name: type, kind: 'other' }
  }
}

/** `this` of a module or of a plain call says nothing. */
function isPlainThis({ this: self, functionName }: CallFrame): boolean {
  return (
    self.className === 'global' || self.description === 'global' || (functionName === '' && self.className === 'Object')
  )
}

function isTopLevel(frame: FrameItem): boolean {
  const own = frame?.scopeChain.find(({ type }) => type === 'local' || type === 'module' || type === 'script')
  if (own === undefined || own.type !== 'local') return own !== undefined
  // A CommonJS module is a function that begins where its file does.
  return frame?.functionLocation?.lineNumber === 0 && (frame.functionLocation.columnNumber ?? 0) === 0
}

function* flattenAsync(trace: StackTrace | undefined) {
  for (let at = trace; at !== undefined; at = at.parent) {
    for (const { functionName, scriptId, lineNumber, columnNumber } of at.callFrames) {
      yield { functionName, location: { scriptId, lineNumber, columnNumber } }
    }
  }
}
