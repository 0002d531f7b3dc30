// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.
import type { ToolFunction } from '@switchboard/toolkit'
import { run as lensConflicts } from '../tools/lens-conflicts.ts'
import { run as lensDiagnostics } from '../tools/lens-diagnostics.ts'
import { run as lensFile } from '../tools/lens-file.ts'
import { run as lensGameLog } from '../tools/lens-game-log.ts'
import { run as lensOutline } from '../tools/lens-outline.ts'
import { run as lensParse } from '../tools/lens-parse.ts'
import { run as lensPatch } from '../tools/lens-patch.ts'
import { run as lensPlayset } from '../tools/lens-playset.ts'
import { run as lensQuery } from '../tools/lens-query.ts'
import { run as lensRebuild } from '../tools/lens-rebuild.ts'
import { run as lensSearch } from '../tools/lens-search.ts'
import { run as lensStatus } from '../tools/lens-status.ts'
import { run as lensSymbol } from '../tools/lens-symbol.ts'
import type {
  LensConflictsData,
  LensConflictsParams,
  LensDiagnosticsData,
  LensDiagnosticsParams,
  LensFileData,
  LensFileParams,
  LensGameLogData,
  LensGameLogParams,
  LensOutlineData,
  LensOutlineParams,
  LensParseData,
  LensParseParams,
  LensPatchData,
  LensPatchParams,
  LensPlaysetData,
  LensPlaysetParams,
  LensQueryData,
  LensQueryParams,
  LensRebuildData,
  LensRebuildParams,
  LensSearchData,
  LensSearchParams,
  LensStatusData,
  LensStatusParams,
  LensSymbolData,
  LensSymbolParams,
} from './types.ts'

/** By alias. Each is checked against the types of its declaration. */
export const tools = {
  'lens.conflicts': lensConflicts satisfies ToolFunction<LensConflictsParams, LensConflictsData>,
  'lens.diagnostics': lensDiagnostics satisfies ToolFunction<LensDiagnosticsParams, LensDiagnosticsData>,
  'lens.file': lensFile satisfies ToolFunction<LensFileParams, LensFileData>,
  'lens.game-log': lensGameLog satisfies ToolFunction<LensGameLogParams, LensGameLogData>,
  'lens.outline': lensOutline satisfies ToolFunction<LensOutlineParams, LensOutlineData>,
  'lens.parse': lensParse satisfies ToolFunction<LensParseParams, LensParseData>,
  'lens.patch': lensPatch satisfies ToolFunction<LensPatchParams, LensPatchData>,
  'lens.playset': lensPlayset satisfies ToolFunction<LensPlaysetParams, LensPlaysetData>,
  'lens.query': lensQuery satisfies ToolFunction<LensQueryParams, LensQueryData>,
  'lens.rebuild': lensRebuild satisfies ToolFunction<LensRebuildParams, LensRebuildData>,
  'lens.search': lensSearch satisfies ToolFunction<LensSearchParams, LensSearchData>,
  'lens.status': lensStatus satisfies ToolFunction<LensStatusParams, LensStatusData>,
  'lens.symbol': lensSymbol satisfies ToolFunction<LensSymbolParams, LensSymbolData>,
}
