/** What can be read of the index. Each is given the scope of its caller. */
import type { TablesDatabase } from '@switchboard/store/tables'
import type { IndexAnswer, IndexedReference, IndexedSymbol } from '@switchboard/toolkit'
import type { Scope } from '../../scope.ts'
import { askReferences, askSymbols, type CodeQuestion, type ReferenceQuestion } from './code.ts'
import { type DiagnosticsQuery, type DiagnosticsResult, readDiagnostics } from './diagnostics.ts'
import { type FileFacts, type FileQuery, readFileFacts } from './files.ts'
import { type IndexSearch, type SearchResult, search } from './search.ts'
import { listRoots, readStatus, type StatusFacts } from './status.ts'
import { findSymbol, type SymbolQuery, type SymbolResult } from './symbols.ts'

export interface IndexReads {
  search: (query: IndexSearch) => SearchResult
  symbol: (query: SymbolQuery) => SymbolResult
  file: (query: FileQuery, range: { first: number; last: number; limit: number }) => FileFacts
  diagnostics: (query: DiagnosticsQuery) => DiagnosticsResult
  status: (scope: Scope) => StatusFacts
  codeSymbols: (scope: Scope, question: CodeQuestion) => IndexAnswer<IndexedSymbol> | undefined
  codeReferences: (scope: Scope, question: ReferenceQuestion) => IndexAnswer<IndexedReference> | undefined
  roots: () => readonly { id: number; path: string; kind: string }[]
}

/** Each sees one moment of the index. */
export function createReads(database: TablesDatabase): IndexReads {
  const atOnce = <T>(work: () => T): T => {
    database.handle.exec('BEGIN')
    try {
      return work()
    } finally {
      database.handle.exec('COMMIT')
    }
  }
  return {
    search: (query) => atOnce(() => search(database, query)),
    symbol: (query) => atOnce(() => findSymbol(database, query)),
    file: (query, range) => atOnce(() => readFileFacts(database, query, range)),
    diagnostics: (query) => atOnce(() => readDiagnostics(database, query)),
    status: (scope) => atOnce(() => readStatus(database, scope)),
    codeSymbols: (scope, question) => atOnce(() => askSymbols(database, scope, question)),
    codeReferences: (scope, question) => atOnce(() => askReferences(database, scope, question)),
    roots: () => listRoots(database),
  }
}
