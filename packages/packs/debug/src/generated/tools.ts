// Generated from the *.meta.yaml files of this pack. Do not edit: npm run generate.
import type { ToolFunction } from '@switchboard/toolkit'
import { run as breakpointAdd } from '../tools/breakpoint-add.ts'
import { run as breakpointClearFile } from '../tools/breakpoint-clear-file.ts'
import { run as breakpointClearProject } from '../tools/breakpoint-clear-project.ts'
import { run as breakpointList } from '../tools/breakpoint-list.ts'
import { run as breakpointRemove } from '../tools/breakpoint-remove.ts'
import { run as bridgeStatus } from '../tools/bridge-status.ts'
import { run as codeReplaceMethod } from '../tools/code-replace-method.ts'
import { run as dapCompare } from '../tools/dap-compare.ts'
import { run as dapExceptions } from '../tools/dap-exceptions.ts'
import { run as dapFilter } from '../tools/dap-filter.ts'
import { run as dapLogs } from '../tools/dap-logs.ts'
import { run as dapSearch } from '../tools/dap-search.ts'
import { run as dapStats } from '../tools/dap-stats.ts'
import { run as dapSummary } from '../tools/dap-summary.ts'
import { run as dapTimeline } from '../tools/dap-timeline.ts'
import { run as debugContinue } from '../tools/debug-continue.ts'
import { run as debugEvaluate } from '../tools/debug-evaluate.ts'
import { run as debugPause } from '../tools/debug-pause.ts'
import { run as debugProbe } from '../tools/debug-probe.ts'
import { run as debugRestart } from '../tools/debug-restart.ts'
import { run as debugRunTo } from '../tools/debug-run-to.ts'
import { run as debugScopes } from '../tools/debug-scopes.ts'
import { run as debugStack } from '../tools/debug-stack.ts'
import { run as debugStart } from '../tools/debug-start.ts'
import { run as debugStatus } from '../tools/debug-status.ts'
import { run as debugStepInto } from '../tools/debug-step-into.ts'
import { run as debugStepOut } from '../tools/debug-step-out.ts'
import { run as debugStepOver } from '../tools/debug-step-over.ts'
import { run as debugStop } from '../tools/debug-stop.ts'
import { run as debugThreads } from '../tools/debug-threads.ts'
import { run as debugTraceFunction } from '../tools/debug-trace-function.ts'
import { run as debugWaitForHit } from '../tools/debug-wait-for-hit.ts'
import { run as diagnosticCollect } from '../tools/diagnostic-collect.ts'
import { run as docsGet } from '../tools/docs-get.ts'
import { run as docsList } from '../tools/docs-list.ts'
import { run as editorGetContext } from '../tools/editor-get-context.ts'
import { run as editorGotoLine } from '../tools/editor-goto-line.ts'
import { run as editorShowTestingUi } from '../tools/editor-show-testing-ui.ts'
import { run as searchSymbolSearch } from '../tools/search-symbol-search.ts'
import { run as symbolCalls } from '../tools/symbol-calls.ts'
import { run as symbolNavigate } from '../tools/symbol-navigate.ts'
import { run as symbolRename } from '../tools/symbol-rename.ts'
import { run as testDebugSingle } from '../tools/test-debug-single.ts'
import { run as testList } from '../tools/test-list.ts'
import { run as utilRestartVscode } from '../tools/util-restart-vscode.ts'
import { run as variableGet } from '../tools/variable-get.ts'
import { run as variableList } from '../tools/variable-list.ts'
import { run as variableSave } from '../tools/variable-save.ts'
import { run as variableSet } from '../tools/variable-set.ts'
import type {
  BreakpointAddData,
  BreakpointAddParams,
  BreakpointClearFileData,
  BreakpointClearFileParams,
  BreakpointClearProjectData,
  BreakpointClearProjectParams,
  BreakpointListData,
  BreakpointListParams,
  BreakpointRemoveData,
  BreakpointRemoveParams,
  BridgeStatusData,
  BridgeStatusParams,
  CodeReplaceMethodData,
  CodeReplaceMethodParams,
  DapCompareData,
  DapCompareParams,
  DapExceptionsData,
  DapExceptionsParams,
  DapFilterData,
  DapFilterParams,
  DapLogsData,
  DapLogsParams,
  DapSearchData,
  DapSearchParams,
  DapStatsData,
  DapStatsParams,
  DapSummaryData,
  DapSummaryParams,
  DapTimelineData,
  DapTimelineParams,
  DebugContinueData,
  DebugContinueParams,
  DebugEvaluateData,
  DebugEvaluateParams,
  DebugPauseData,
  DebugPauseParams,
  DebugProbeData,
  DebugProbeParams,
  DebugRestartData,
  DebugRestartParams,
  DebugRunToData,
  DebugRunToParams,
  DebugScopesData,
  DebugScopesParams,
  DebugStackData,
  DebugStackParams,
  DebugStartData,
  DebugStartParams,
  DebugStatusData,
  DebugStatusParams,
  DebugStepIntoData,
  DebugStepIntoParams,
  DebugStepOutData,
  DebugStepOutParams,
  DebugStepOverData,
  DebugStepOverParams,
  DebugStopData,
  DebugStopParams,
  DebugThreadsData,
  DebugThreadsParams,
  DebugTraceFunctionData,
  DebugTraceFunctionParams,
  DebugWaitForHitData,
  DebugWaitForHitParams,
  DiagnosticCollectData,
  DiagnosticCollectParams,
  DocsGetData,
  DocsGetParams,
  DocsListData,
  DocsListParams,
  EditorGetContextData,
  EditorGetContextParams,
  EditorGotoLineData,
  EditorGotoLineParams,
  EditorShowTestingUiData,
  EditorShowTestingUiParams,
  SearchSymbolSearchData,
  SearchSymbolSearchParams,
  SymbolCallsData,
  SymbolCallsParams,
  SymbolNavigateData,
  SymbolNavigateParams,
  SymbolRenameData,
  SymbolRenameParams,
  TestDebugSingleData,
  TestDebugSingleParams,
  TestListData,
  TestListParams,
  UtilRestartVscodeData,
  UtilRestartVscodeParams,
  VariableGetData,
  VariableGetParams,
  VariableListData,
  VariableListParams,
  VariableSaveData,
  VariableSaveParams,
  VariableSetData,
  VariableSetParams,
} from './types.ts'

/** By alias. Each is checked against the types of its declaration. */
export const tools = {
  'breakpoint.add': breakpointAdd satisfies ToolFunction<BreakpointAddParams, BreakpointAddData>,
  'breakpoint.clear.file': breakpointClearFile satisfies ToolFunction<BreakpointClearFileParams, BreakpointClearFileData>,
  'breakpoint.clear.project': breakpointClearProject satisfies ToolFunction<BreakpointClearProjectParams, BreakpointClearProjectData>,
  'breakpoint.list': breakpointList satisfies ToolFunction<BreakpointListParams, BreakpointListData>,
  'breakpoint.remove': breakpointRemove satisfies ToolFunction<BreakpointRemoveParams, BreakpointRemoveData>,
  'bridge.status': bridgeStatus satisfies ToolFunction<BridgeStatusParams, BridgeStatusData>,
  'code.replace-method': codeReplaceMethod satisfies ToolFunction<CodeReplaceMethodParams, CodeReplaceMethodData>,
  'dap.compare': dapCompare satisfies ToolFunction<DapCompareParams, DapCompareData>,
  'dap.exceptions': dapExceptions satisfies ToolFunction<DapExceptionsParams, DapExceptionsData>,
  'dap.filter': dapFilter satisfies ToolFunction<DapFilterParams, DapFilterData>,
  'dap.logs': dapLogs satisfies ToolFunction<DapLogsParams, DapLogsData>,
  'dap.search': dapSearch satisfies ToolFunction<DapSearchParams, DapSearchData>,
  'dap.stats': dapStats satisfies ToolFunction<DapStatsParams, DapStatsData>,
  'dap.summary': dapSummary satisfies ToolFunction<DapSummaryParams, DapSummaryData>,
  'dap.timeline': dapTimeline satisfies ToolFunction<DapTimelineParams, DapTimelineData>,
  'debug.continue': debugContinue satisfies ToolFunction<DebugContinueParams, DebugContinueData>,
  'debug.evaluate': debugEvaluate satisfies ToolFunction<DebugEvaluateParams, DebugEvaluateData>,
  'debug.pause': debugPause satisfies ToolFunction<DebugPauseParams, DebugPauseData>,
  'debug.probe': debugProbe satisfies ToolFunction<DebugProbeParams, DebugProbeData>,
  'debug.restart': debugRestart satisfies ToolFunction<DebugRestartParams, DebugRestartData>,
  'debug.run-to': debugRunTo satisfies ToolFunction<DebugRunToParams, DebugRunToData>,
  'debug.scopes': debugScopes satisfies ToolFunction<DebugScopesParams, DebugScopesData>,
  'debug.stack': debugStack satisfies ToolFunction<DebugStackParams, DebugStackData>,
  'debug.start': debugStart satisfies ToolFunction<DebugStartParams, DebugStartData>,
  'debug.status': debugStatus satisfies ToolFunction<DebugStatusParams, DebugStatusData>,
  'debug.step-into': debugStepInto satisfies ToolFunction<DebugStepIntoParams, DebugStepIntoData>,
  'debug.step-out': debugStepOut satisfies ToolFunction<DebugStepOutParams, DebugStepOutData>,
  'debug.step-over': debugStepOver satisfies ToolFunction<DebugStepOverParams, DebugStepOverData>,
  'debug.stop': debugStop satisfies ToolFunction<DebugStopParams, DebugStopData>,
  'debug.threads': debugThreads satisfies ToolFunction<DebugThreadsParams, DebugThreadsData>,
  'debug.trace-function': debugTraceFunction satisfies ToolFunction<DebugTraceFunctionParams, DebugTraceFunctionData>,
  'debug.wait-for-hit': debugWaitForHit satisfies ToolFunction<DebugWaitForHitParams, DebugWaitForHitData>,
  'diagnostic.collect': diagnosticCollect satisfies ToolFunction<DiagnosticCollectParams, DiagnosticCollectData>,
  'docs.get': docsGet satisfies ToolFunction<DocsGetParams, DocsGetData>,
  'docs.list': docsList satisfies ToolFunction<DocsListParams, DocsListData>,
  'editor.get-context': editorGetContext satisfies ToolFunction<EditorGetContextParams, EditorGetContextData>,
  'editor.goto-line': editorGotoLine satisfies ToolFunction<EditorGotoLineParams, EditorGotoLineData>,
  'editor.show-testing-ui': editorShowTestingUi satisfies ToolFunction<EditorShowTestingUiParams, EditorShowTestingUiData>,
  'search.symbol-search': searchSymbolSearch satisfies ToolFunction<SearchSymbolSearchParams, SearchSymbolSearchData>,
  'symbol.calls': symbolCalls satisfies ToolFunction<SymbolCallsParams, SymbolCallsData>,
  'symbol.navigate': symbolNavigate satisfies ToolFunction<SymbolNavigateParams, SymbolNavigateData>,
  'symbol.rename': symbolRename satisfies ToolFunction<SymbolRenameParams, SymbolRenameData>,
  'test.debug-single': testDebugSingle satisfies ToolFunction<TestDebugSingleParams, TestDebugSingleData>,
  'test.list': testList satisfies ToolFunction<TestListParams, TestListData>,
  'util.restart-vscode': utilRestartVscode satisfies ToolFunction<UtilRestartVscodeParams, UtilRestartVscodeData>,
  'variable.get': variableGet satisfies ToolFunction<VariableGetParams, VariableGetData>,
  'variable.list': variableList satisfies ToolFunction<VariableListParams, VariableListData>,
  'variable.save': variableSave satisfies ToolFunction<VariableSaveParams, VariableSaveData>,
  'variable.set': variableSet satisfies ToolFunction<VariableSetParams, VariableSetData>,
}
