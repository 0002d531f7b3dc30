/** What can be read of the index. Each is given the scope of its caller. */
import { errorMessage } from '@switchboard/base'
import {
  type GameLogAnalysis,
  listPlaysets,
  type Playset,
  type PlaysetOptions,
  readPlayset,
} from '@switchboard/paradox'
import type { Conflict, PatchOptions } from '@switchboard/paradox/conflicts'
import type { Extraction } from '@switchboard/source/walk'
import type { TablesDatabase } from '@switchboard/store/tables'
import { readingOf } from '../../extract/extractors.ts'
import type { JudgedPlayset } from '../../playset/judged.ts'
import type { Scope } from '../../scope.ts'
import { type CodeIndexReads, createCodeReads } from './code-index.ts'
import {
  type ConflictsPage,
  type ConflictsQuery,
  type PlaysetProblem,
  readConflicts,
  readPlaysetProblems,
} from './conflicts.ts'
import { type DiagnosticsQuery, type DiagnosticsResult, readDiagnostics } from './diagnostics.ts'
import { type FileFacts, type FileQuery, readFileFacts } from './files.ts'
import { analyzeFor, type PatchProposal, proposeFor } from './playset-work.ts'
import { type IndexSearch, type SearchResult, search } from './search.ts'
import { listRoots, readStatus, type StatusFacts } from './status.ts'
import { findSymbol, type SymbolQuery, type SymbolResult } from './symbols.ts'

export interface IndexReads extends CodeIndexReads {
  search: (query: IndexSearch) => SearchResult
  symbol: (query: SymbolQuery) => SymbolResult
  file: (query: FileQuery, range: { first: number; last: number; limit: number }) => FileFacts
  diagnostics: (query: DiagnosticsQuery) => DiagnosticsResult
  status: (scope: Scope) => StatusFacts
  playset: (path: string, options: PlaysetOptions) => Playset | { readonly problem: string }
  playsetNames: (path: string) => readonly string[] | { readonly problem: string }
  conflicts: (query: ConflictsQuery) => ConflictsPage
  playsetProblems: (playset: number, limit: number) => readonly PlaysetProblem[]
  patch: (playset: JudgedPlayset, conflict: Conflict, options: PatchOptions) => PatchProposal | undefined
  gameLog: (playset: JudgedPlayset | undefined, text: string) => GameLogAnalysis
  parse: (path: string, text: string) => Promise<Extraction>
  roots: () => readonly { id: number; path: string; kind: string }[]
}

/** What is wrong with somebody's file is an answer. */
function told<T>(read: () => T): T | { readonly problem: string } {
  try {
    return read()
  } catch (error) {
    return { problem: errorMessage(error) }
  }
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
  const code = createCodeReads(database)
  return {
    codeSearch: (...input) => atOnce(() => code.codeSearch(...input)),
    codeDefinitions: (...input) => atOnce(() => code.codeDefinitions(...input)),
    codeOutline: (...input) => atOnce(() => code.codeOutline(...input)),
    codeReferences: (...input) => atOnce(() => code.codeReferences(...input)),
    codeCallsFrom: (...input) => atOnce(() => code.codeCallsFrom(...input)),
    search: (query) => atOnce(() => search(database, query)),
    symbol: (query) => atOnce(() => findSymbol(database, query)),
    file: (query, range) => atOnce(() => readFileFacts(database, query, range)),
    diagnostics: (query) => atOnce(() => readDiagnostics(database, query)),
    status: (scope) => atOnce(() => readStatus(database, scope)),
    roots: () => listRoots(database),
    playset: (path, options) => told(() => readPlayset(path, options)),
    playsetNames: (path) => told(() => listPlaysets(path)),
    conflicts: (query) => atOnce(() => readConflicts(database, query)),
    playsetProblems: (playset, limit) => atOnce(() => readPlaysetProblems(database, playset, limit)),
    patch: (playset, conflict, options) => proposeFor(database, playset, conflict, options),
    gameLog: (playset, text) => analyzeFor(database, playset, text),
    parse: async (path, text) => {
      const bytes = Buffer.from(text)
      return readingOf(path).extract({ path, bytes, text })
    },
  }
}
