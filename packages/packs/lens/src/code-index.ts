/** What the lens tells other packs, such as the debugger where no editor knows a file's symbols. */
import type { CodeIndex, IndexAsker } from '@switchboard/toolkit'
import { type Host, scopeFor } from './host.ts'
import type { Scope } from './scope.ts'
import { resolvePath, type ScopedPath } from './workspaces.ts'

/** A folder that cannot be indexed, and a path outside of it, are things that the index does not know. */
export function createCodeIndex(host: Host): CodeIndex {
  const scopeOf = (asker: IndexAsker): Promise<Scope | undefined> => scopeFor(host, asker).catch(() => undefined)
  const place = (scope: Scope, path: string): ScopedPath | undefined => {
    try {
      return resolvePath(scope, path)
    } catch {
      return undefined
    }
  }
  return {
    async search({ text, limit }, asker) {
      const scope = await scopeOf(asker)
      return scope && host.index.read('codeSearch', [text, limit, scope], asker.signal)
    },
    async outline(path, asker) {
      const scope = await scopeOf(asker)
      const found = scope && place(scope, path)
      return scope && found && host.index.read('codeOutline', [found.root, found.path, scope], asker.signal)
    },
    async definitions({ name, limit }, asker) {
      const scope = await scopeOf(asker)
      return scope && host.index.read('codeDefinitions', [name, limit, scope], asker.signal)
    },
    async references({ name, limit }, asker) {
      const scope = await scopeOf(asker)
      return scope && host.index.read('codeReferences', [name, limit, scope], asker.signal)
    },
    async callsFrom({ path, line, endLine }, asker) {
      const scope = await scopeOf(asker)
      const found = scope && place(scope, path)
      if (!scope || !found) return undefined
      return host.index.read('codeCallsFrom', [{ ...found, line, endLine }, scope], asker.signal)
    },
  }
}
