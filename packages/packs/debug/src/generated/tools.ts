// Generated from the *.meta.yaml files and guides of this pack. Do not edit: npm run generate.
import type { ToolFunction } from '@switchboard/toolkit'
import { run as dapCompare } from '../tools/dap-compare.ts'
import { run as dapExceptions } from '../tools/dap-exceptions.ts'
import { run as dapFilter } from '../tools/dap-filter.ts'
import { run as dapLogs } from '../tools/dap-logs.ts'
import { run as dapSearch } from '../tools/dap-search.ts'
import { run as dapStats } from '../tools/dap-stats.ts'
import { run as dapSummary } from '../tools/dap-summary.ts'
import { run as dapTimeline } from '../tools/dap-timeline.ts'
import { run as docsGet } from '../tools/docs-get.ts'
import { run as docsList } from '../tools/docs-list.ts'
import type {
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
  DocsGetData,
  DocsGetParams,
  DocsListData,
  DocsListParams,
} from './types.ts'

/** By alias. Each is checked against the types of its declaration. */
export const tools = {
  'dap.compare': dapCompare satisfies ToolFunction<DapCompareParams, DapCompareData>,
  'dap.exceptions': dapExceptions satisfies ToolFunction<DapExceptionsParams, DapExceptionsData>,
  'dap.filter': dapFilter satisfies ToolFunction<DapFilterParams, DapFilterData>,
  'dap.logs': dapLogs satisfies ToolFunction<DapLogsParams, DapLogsData>,
  'dap.search': dapSearch satisfies ToolFunction<DapSearchParams, DapSearchData>,
  'dap.stats': dapStats satisfies ToolFunction<DapStatsParams, DapStatsData>,
  'dap.summary': dapSummary satisfies ToolFunction<DapSummaryParams, DapSummaryData>,
  'dap.timeline': dapTimeline satisfies ToolFunction<DapTimelineParams, DapTimelineData>,
  'docs.get': docsGet satisfies ToolFunction<DocsGetParams, DocsGetData>,
  'docs.list': docsList satisfies ToolFunction<DocsListParams, DocsListData>,
}
