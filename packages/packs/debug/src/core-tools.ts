import { PACK_PROVIDER_PREFIX } from '@switchboard/protocol'

/** What an agent needs to debug. The rest is for those who ask for all: a long list costs every agent, every time. */
export const CORE_DEBUG_TOOLS: readonly string[] = [
  'breakpoint_add',
  'breakpoint_remove',
  'breakpoint_list',
  'debug_start',
  'debug_stop',
  'debug_restart',
  'debug_status',
  'debug_continue',
  'debug_step_over',
  'debug_step_into',
  'debug_step_out',
  'debug_pause',
  'debug_wait_for_hit',
  'debug_run_to',
  'debug_evaluate',
  'debug_stack',
  'variable_list',
  'variable_get',
  'variable_set',
  'debug_trace_function',
  'debug_probe',
  'test_list',
  'test_debug_single',
  'docs_get',
]

/** As the router and profiles name the pack. */
export const DEBUG_PROVIDER = `${PACK_PROVIDER_PREFIX}debug`
