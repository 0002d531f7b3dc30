// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.
import type { ToolFunction } from '@switchboard/toolkit'
import { run as lensDiagnostics } from '../tools/lens-diagnostics.ts'
import { run as lensFile } from '../tools/lens-file.ts'
import { run as lensOutline } from '../tools/lens-outline.ts'
import { run as lensQuery } from '../tools/lens-query.ts'
import { run as lensRebuild } from '../tools/lens-rebuild.ts'
import { run as lensSearch } from '../tools/lens-search.ts'
import { run as lensStatus } from '../tools/lens-status.ts'
import { run as lensSymbol } from '../tools/lens-symbol.ts'
import type {
  LensDiagnosticsData,
  LensDiagnosticsParams,
  LensFileData,
  LensFileParams,
  LensOutlineData,
  LensOutlineParams,
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
  'lens.diagnostics': lensDiagnostics satisfies ToolFunction<LensDiagnosticsParams, LensDiagnosticsData>,
  'lens.file': lensFile satisfies ToolFunction<LensFileParams, LensFileData>,
  'lens.outline': lensOutline satisfies ToolFunction<LensOutlineParams, LensOutlineData>,
  'lens.query': lensQuery satisfies ToolFunction<LensQueryParams, LensQueryData>,
  'lens.rebuild': lensRebuild satisfies ToolFunction<LensRebuildParams, LensRebuildData>,
  'lens.search': lensSearch satisfies ToolFunction<LensSearchParams, LensSearchData>,
  'lens.status': lensStatus satisfies ToolFunction<LensStatusParams, LensStatusData>,
  'lens.symbol': lensSymbol satisfies ToolFunction<LensSymbolParams, LensSymbolData>,
}
