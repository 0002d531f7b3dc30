/**
 * The breakpoints of agents in this window. VS Code has one breakpoint on a line, for all sessions and for the person; here stands
 * who wants which. What an agent wants holds in its own programs word for word (session-tracker.ts sees to that), also where the
 * person has a breakpoint on the same line.
 */
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'
import { readNumber, readObject, readText } from './dap-messages.ts'

export interface Wish {
  /** Ours, for as long as the window lives. */
  readonly id: number
  readonly path: string
  readonly line: number
  /** As its adapter is to get it. */
  readonly wire: JsonObject
}

/** What is kept over activations. */
export interface Memory {
  read(): readonly string[]
  /** Resolves when a host that is killed right then would leave it to the next one. */
  write(ids: readonly string[]): PromiseLike<void>
}

export class AgentBreakpoints {
  readonly #memory: Memory
  readonly #wishes = new Map<string, Map<string, readonly Wish[]>>()
  /** Those that we have set in VS Code, by place. */
  readonly #shown = new Map<string, vscode.SourceBreakpoint>()
  /** Of an activation before this one: their agents are gone. */
  readonly #left: ReadonlySet<string>
  #count = 0
  #remembered: PromiseLike<void> = Promise.resolve()

  constructor(memory: Memory) {
    this.#memory = memory
    this.#left = new Set(memory.read())
  }

  /** Takes those away that were left. A window tells a new extension host of its breakpoints a moment after its start. */
  sweep(breakpoints: readonly vscode.Breakpoint[]): void {
    const found = breakpoints.filter(({ id }) => this.#left.has(id))
    if (found.length > 0) vscode.debug.removeBreakpoints(found)
  }

  /** Replaces those of the owner in the file. */
  set(owner: string, path: string, rows: readonly JsonObject[]): readonly Wish[] {
    const files = this.#wishes.get(owner) ?? new Map<string, readonly Wish[]>()
    const before = files.get(path) ?? []
    const wishes = rows.map((row): Wish => {
      const line = readNumber(row.line) ?? 1
      const same = before.find((wish) => wish.line === line && JSON.stringify(wish.wire) === JSON.stringify(row))
      return same ?? { id: ++this.#count, path, line, wire: row }
    })
    if (wishes.length === 0) files.delete(path)
    else files.set(path, wishes)
    if (files.size === 0) this.#wishes.delete(owner)
    else this.#wishes.set(owner, files)
    this.#show(path)
    return wishes
  }

  /** Resolves when what is shown now would be taken away also if this host were killed. */
  get remembered(): PromiseLike<void> {
    return this.#remembered
  }

  of(owner: string, path: string): readonly Wish[] {
    return this.#wishes.get(owner)?.get(path) ?? []
  }

  hasOthersThan(owner: string): boolean {
    return [...this.#wishes.keys()].some((other) => other !== owner)
  }

  isAnyAgents(path: string, line: number): boolean {
    return [...this.#wishes.keys()].some((owner) => this.of(owner, path).some((wish) => wish.line === line))
  }

  /** Whether VS Code has what is wanted on the line from us, and not from the person. */
  isShownByUs(path: string, line: number): boolean {
    return this.#shown.has(placeOf(path, line))
  }

  forget(owner: string): void {
    for (const path of [...(this.#wishes.get(owner)?.keys() ?? [])]) this.set(owner, path, [])
  }

  /** How many there were. */
  clear(): number {
    const count = this.#shown.size
    for (const owner of [...this.#wishes.keys()]) this.forget(owner)
    return count
  }

  /** A person took some away: nobody has them any more. */
  noteRemoved(removed: readonly vscode.Breakpoint[]): void {
    for (const [place, shown] of this.#shown) {
      if (removed.some(({ id }) => id === shown.id)) this.#shown.delete(place)
    }
    this.#remember()
  }

  #show(path: string): void {
    const wanted = new Map<string, Wish>()
    for (const owner of this.#wishes.keys())
      for (const wish of this.of(owner, path)) wanted.set(placeOf(path, wish.line), wish)
    const added: vscode.SourceBreakpoint[] = []
    const removed: vscode.SourceBreakpoint[] = []
    for (const [place, shown] of this.#shown) {
      const wish = wanted.get(place)
      const isOfFile = shown.location.uri.fsPath === path
      if (!isOfFile || (wish !== undefined && isSame(shown, toSource(wish)))) continue
      removed.push(shown)
      this.#shown.delete(place)
    }
    // What is replaced is still there, and was ours.
    const ours = new Set([...removed, ...this.#shown.values()].map(({ id }) => id))
    for (const [place, wish] of wanted) {
      if (this.#shown.has(place) || isPersons(wish, ours)) continue
      const source = toSource(wish)
      this.#shown.set(place, source)
      added.push(source)
    }
    if (removed.length > 0) vscode.debug.removeBreakpoints(removed)
    if (added.length > 0) vscode.debug.addBreakpoints(added)
    if (removed.length > 0 || added.length > 0) this.#remember()
  }

  #remember(): void {
    const left = vscode.debug.breakpoints.filter(({ id }) => this.#left.has(id))
    this.#remembered = this.#memory.write([...left, ...this.#shown.values()].map(({ id }) => id))
  }
}

function placeOf(path: string, line: number): string {
  return `${path}:${line}`
}

/** What a person reads of it in the editor. */
function toSource({ path, line, wire }: Wish): vscode.SourceBreakpoint {
  const shown = { ...wire, ...readObject(wire.shown) }
  const place = new vscode.Location(
    vscode.Uri.file(path),
    new vscode.Position(line - 1, (readNumber(wire.column) ?? 1) - 1),
  )
  return new vscode.SourceBreakpoint(
    place,
    true,
    readText(shown.condition),
    readText(wire.hitCondition),
    readText(shown.logMessage),
  )
}

function isSame(one: vscode.SourceBreakpoint, other: vscode.SourceBreakpoint): boolean {
  return (
    one.location.range.start.isEqual(other.location.range.start) &&
    one.condition === other.condition &&
    one.hitCondition === other.hitCondition &&
    one.logMessage === other.logMessage
  )
}

/** VS Code keeps one breakpoint for a place, and the person's was there first. */
function isPersons({ path, line }: Wish, ours: ReadonlySet<string>): boolean {
  return vscode.debug.breakpoints.some(
    (one) =>
      one instanceof vscode.SourceBreakpoint &&
      !ours.has(one.id) &&
      one.location.uri.fsPath === path &&
      one.location.range.start.line === line - 1,
  )
}
