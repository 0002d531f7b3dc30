/** The breakpoints of one agent. They belong to files, not to sessions: every session gets them, also the next one. */
import type { BreakpointRequest } from '../engine/debug-session.ts'

export interface BreakpointWish {
  /** Absolute and real. */
  readonly path: string
  readonly line: number
  readonly condition?: string
  readonly hitCondition?: string
  readonly logMessage?: string
}

export interface StoredBreakpoint extends BreakpointWish {
  readonly id: string
}

export class BreakpointStore {
  readonly #byPath = new Map<string, Map<number, StoredBreakpoint>>()
  #count = 0

  /** There is one for a line: a second wish replaces the first, and keeps its id. */
  add(wish: BreakpointWish): StoredBreakpoint {
    const lines = this.#byPath.get(wish.path) ?? new Map<number, StoredBreakpoint>()
    const id = lines.get(wish.line)?.id ?? `b${++this.#count}`
    const stored = { ...wish, id }
    lines.set(wish.line, stored)
    this.#byPath.set(wish.path, lines)
    return stored
  }

  remove(path: string, line: number): boolean {
    const lines = this.#byPath.get(path)
    if (lines?.delete(line) !== true) return false
    if (lines.size === 0) this.#byPath.delete(path)
    return true
  }

  /** How many there were. */
  clearFile(path: string): number {
    const count = this.#byPath.get(path)?.size ?? 0
    this.#byPath.delete(path)
    return count
  }

  files(): string[] {
    return [...this.#byPath.keys()]
  }

  of(path: string): StoredBreakpoint[] {
    return [...(this.#byPath.get(path)?.values() ?? [])].sort((a, b) => a.line - b.line)
  }

  list(): StoredBreakpoint[] {
    return this.files().flatMap((path) => this.of(path))
  }

  get(id: string): StoredBreakpoint | undefined {
    return this.list().find((breakpoint) => breakpoint.id === id)
  }
}

export function toRequest({ path: _, ...request }: StoredBreakpoint): BreakpointRequest {
  return request
}
