/** What can be read of the index. Each is given the scope of its caller. */
import { errorMessage, readForeignText } from '@switchboard/base'
import {
  type GameLogAnalysis,
  type Layer,
  listPlaysets,
  type Playset,
  type PlaysetOptions,
  readPlayset,
} from '@switchboard/paradox'
import type { Conflict, PatchOptions, PlaysetDefinition, PlaysetFile } from '@switchboard/paradox/conflicts'
import type { Extraction } from '@switchboard/source/walk'
import type { TablesDatabase } from '@switchboard/store/tables'
import { readingOf } from '../../extract/extractors.ts'
import type { JudgedPlayset } from '../../playset/judged.ts'
import type { Scope } from '../../scope.ts'
import type { IndexLimits } from '../messages.ts'
import { type About, readAbout } from './about.ts'
import { type CodeIndexReads, createCodeReads } from './code-index.ts'
import {
  type ConflictsPage,
  type ConflictsQuery,
  type ProblemsPage,
  type ProblemsQuery,
  readConflicts,
  readPlaysetProblems,
} from './conflicts.ts'
import { type DefinitionText, readDefinitionTexts } from './definition-texts.ts'
import { type DiagnosticsQuery, type DiagnosticsResult, readDiagnostics } from './diagnostics.ts'
import { type FileFacts, type FileQuery, readFileFacts } from './files.ts'
import { analyzeFor, type PatchProposal, proposeFor } from './playset-work.ts'
import { type IndexSearch, type SearchResult, search } from './search.ts'
import { countStale, type StaleCount } from './staleness.ts'
import { listRoots, readStatus, type StatusFacts } from './status.ts'
import { findSymbol, type SymbolQuery, type SymbolResult } from './symbols.ts'

export interface IndexReads extends CodeIndexReads {
  search: (query: IndexSearch) => SearchResult
  symbol: (query: SymbolQuery) => SymbolResult
  file: (query: FileQuery, range: { first: number; last: number; limit: number }) => FileFacts
  diagnostics: (query: DiagnosticsQuery) => DiagnosticsResult
  about: (scope: Scope) => About
  status: (scope: Scope) => StatusFacts
  playset: (path: string, options: PlaysetOptions) => Playset | { readonly problem: string }
  playsetNames: (path: string) => readonly string[] | { readonly problem: string }
  conflicts: (query: ConflictsQuery) => ConflictsPage
  definitionTexts: (
    layers: readonly Layer[],
    places: readonly (PlaysetFile & Partial<PlaysetDefinition>)[],
  ) => readonly (DefinitionText | undefined)[]
  playsetProblems: (query: ProblemsQuery) => ProblemsPage
  patch: (playset: JudgedPlayset, conflict: Conflict, options: PatchOptions) => PatchProposal | undefined
  gameLog: (playset: JudgedPlayset | undefined, file: string) => GameLogAnalysis | { readonly problem: string }
  parse: (path: string, text: string) => Promise<Extraction>
  stale: (root: number, rootPath: string) => StaleCount
  roots: () => readonly { id: number; path: string; kind: string }[]
}

const MAX_LOG = 100_000_000

/** What is wrong with somebody's file is an answer. */
function told<T>(read: () => T): T | { readonly problem: string } {
  try {
    return read()
  } catch (error) {
    return { problem: errorMessage(error) }
  }
}

/** Each sees one moment of the index. */
export function createReads(database: TablesDatabase, { maxFileSize }: IndexLimits): IndexReads {
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
    file: (query, range) => atOnce(() => readFileFacts(database, query, range, maxFileSize)),
    diagnostics: (query) => atOnce(() => readDiagnostics(database, query)),
    about: (scope) => atOnce(() => readAbout(database, scope)),
    status: (scope) => atOnce(() => readStatus(database, scope)),
    stale: (root, rootPath) => countStale(database, root, rootPath),
    roots: () => listRoots(database),
    playset: (path, options) => told(() => readPlayset(path, options)),
    playsetNames: (path) => told(() => listPlaysets(path)),
    conflicts: (query) => atOnce(() => readConflicts(database, query)),
    definitionTexts: readDefinitionTexts,
    playsetProblems: (query) => atOnce(() => readPlaysetProblems(database, query)),
    patch: (playset, conflict, options) => proposeFor(database, playset, conflict, options),
    gameLog(playset, file) {
      const text = told(() => readForeignText(file, { maxBytes: MAX_LOG }))
      return typeof text === 'string' ? analyzeFor(database, playset, text) : text
    },
    parse: async (path, text) => {
      const bytes = Buffer.from(text)
      return readingOf(path).extract({ path, bytes, text })
    },
  }
}
