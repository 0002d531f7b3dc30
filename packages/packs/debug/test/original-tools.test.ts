/**
 * The tools of the debugger that this one replaces, with their parameters, bounds and defaults: whoever wrote for it finds
 * all of them here. What differs is listed with its reason, and a difference that is no longer one fails.
 */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { describe, expect, test } from 'vitest'
import { manifest } from '../src/generated/manifest.ts'

const CORE_TOOLS = manifest.tools.filter(({ core }) => core).map(({ name }) => name)

/** `name*`: required; `=`: its default; `min..max`: bounds; `(a|b)`: values. */
const ORIGINAL: Readonly<Record<string, string>> = {
  breakpoint_clear_file: 'path*',
  breakpoint_clear_project: '',
  breakpoint_list: '',
  breakpoint_remove: 'path* line*',
  breakpoint_set: 'path* line*[1..] condition hitCondition logMessage',
  debug_continue: 'sessionId timeoutMs=30000',
  debug_evaluate: 'expression* frameId context(repl|watch|hover) sessionId',
  debug_get_variable: 'variablesReference* start=0 count=100 filter(indexed|named|all)=all',
  debug_list_variables: 'scope(local|closure|global|all)=all maxDepth=3[0..10]',
  debug_restart: 'sessionId',
  debug_save_variable: 'outputPath* expression* pageSize=500 maxItems context=watch',
  debug_scopes: 'frameId* sessionId',
  debug_set_variable: 'name* value* variablesReference',
  debug_stack: 'sessionId',
  debug_start: 'launch* folder timeoutMs=30000[..300000] wait=false',
  debug_status: '',
  debug_step_into: 'sessionId timeoutMs=5000',
  debug_step_out: 'sessionId timeoutMs=5000',
  debug_step_over: 'sessionId timeoutMs=5000',
  debug_stop: 'sessionId',
  debug_threads: 'sessionId',
  debug_tracker: '',
  debug_wait_for_hit: 'timeoutMs=30000[100..300000]',
  test_debug_single: 'path* line* column=1 timeoutMs=30000',
  dap_compare: 'sessionA* sessionB* compareBy(counts|exceptions|timeline|outputs)=counts',
  dap_exceptions: 'sessionId count=10[1..100] withContext=true contextLines=5[0..50]',
  dap_filter: 'sessionId filters*',
  dap_logs:
    'sessionId count=20[1..10000] category(all|stdout|stderr|console|telemetry)=all search since reverse=false showSource=true',
  dap_search:
    'sessionId pattern* category(all|stdout|stderr|console|telemetry) contextLines=2[0..20] limit=50[1..1000] caseSensitive=false',
  dap_stats: 'sessionId groupBy(category|source|hour|session)=category includeCharts=true',
  dap_summary: 'sessionId compact=false',
  dap_timeline: 'sessionId eventTypes window granularity(all|summary|milestones)=all fromEnd=false',
  editor_get_context: '',
  editor_goto_line: 'path* line* column=1',
  editor_show_testing_ui: '',
  diagnostic_collect: 'path',
  search_symbol_search:
    'query= mode=workspace path kinds limit=100[1..1000] includeLocation=true includeContainer=true',
  symbol_calls: 'nodeId path symbol direction(incoming|outgoing)=incoming enrichWithFlowspaceIds=false',
  symbol_navigate: 'nodeId path symbol action=references includeDeclaration enrichWithFlowspaceIds=false',
  symbol_rename: 'nodeId path symbol newName*',
  code_replace_method: 'nodeId path symbol replacement*',
  util_restart_vscode: '',
  bridge_status: '',
  docs_list: 'category tags',
  docs_get: 'id*',
}

const DIFFERENT: Readonly<Record<string, string>> = {
  'debug_get_variable variablesReference required': 'an expression will do in its place',
  'debug_list_variables scope default': 'everything global would fill the answer; local is what is asked for',
  'debug_list_variables maxDepth default': 'three levels would fill the answer',
  'debug_scopes frameId required': 'the frame that was shown last is meant',
  'debug_start launch required': 'a program or something to attach to will do in its place',
  'debug_start wait default': 'every start answers with a snapshot of the first stop',
}

interface Wanted {
  readonly name: string
  readonly isRequired: boolean
  readonly default: string | undefined
  readonly min: string | undefined
  readonly max: string | undefined
  readonly values: readonly string[]
}

function parseParameters(text: string): Wanted[] {
  return text
    .split(' ')
    .filter((part) => part !== '')
    .map((part) => {
      const [, name = '', star, values, def, min, max] =
        /^(\w+)(\*)?(?:\(([\w|]+)\))?(?:=([\w]*))?(?:\[(\d*)\.\.(\d*)\])?$/.exec(part) ?? []
      return {
        name,
        isRequired: star !== undefined,
        default: def,
        min: min === '' ? undefined : min,
        max: max === '' ? undefined : max,
        values: values?.split('|') ?? [],
      }
    })
}

function findTool(name: string): (typeof manifest.tools)[number] | undefined {
  return manifest.tools.find((tool) => tool.name === name || tool.aliases.includes(name))
}

function propertiesOf(input: JsonObject): Readonly<Record<string, JsonObject>> {
  const properties = isJsonObject(input.properties) ? input.properties : {}
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, isJsonObject(schema) ? schema : {}]),
  )
}

/** Each as `tool parameter what`. */
function listDifferences(name: string, wanted: readonly Wanted[]): string[] {
  const input = findTool(name)?.input ?? {}
  const properties = propertiesOf(input)
  const required = Array.isArray(input.required) ? input.required : []
  return wanted.flatMap((one) => {
    const schema = properties[one.name]
    if (schema === undefined) return [`${name} ${one.name} missing`]
    const shown = schema.default === undefined ? undefined : String(schema.default)
    const values = Array.isArray(schema.enum) ? schema.enum : []
    return [
      ...(one.isRequired === required.includes(one.name) ? [] : ['required']),
      ...(one.default === undefined || one.default === shown ? [] : ['default']),
      ...(one.min === undefined || Number(one.min) === schema.minimum ? [] : ['minimum']),
      ...(one.max === undefined || Number(one.max) === schema.maximum ? [] : ['maximum']),
      ...(one.values.every((value) => values.includes(value)) ? [] : ['values']),
    ].map((what) => `${name} ${one.name} ${what}`)
  })
}

describe('of the original', () => {
  test('every tool can be called by its name, and has its parameters, bounds and defaults', () => {
    expect(Object.keys(ORIGINAL).filter((name) => findTool(name) === undefined)).toEqual([])
    const differences = Object.entries(ORIGINAL).flatMap(([name, text]) => listDifferences(name, parseParameters(text)))
    expect(differences.toSorted()).toEqual(Object.keys(DIFFERENT).toSorted())
  })

  test('names of another form are no tools of their own', () => {
    const aliases = Object.keys(ORIGINAL).filter((name) => !manifest.tools.some((tool) => tool.name === name))
    expect(aliases.toSorted()).toEqual([
      'breakpoint_set',
      'debug_get_variable',
      'debug_list_variables',
      'debug_save_variable',
      'debug_set_variable',
      'debug_tracker',
    ])
  })
})

describe('a tool', () => {
  test.each(manifest.tools.map((tool) => [tool.name, tool] as const))(
    '%s has time for its own default, and says what it does to a program',
    (_, tool) => {
      const wait = propertiesOf(tool.input).timeoutMs?.default
      if (typeof wait === 'number') expect(tool.timeoutMs).toBeGreaterThan(wait)
      expect(tool.name).toMatch(/^[a-z]+(?:_[a-z]+)+$/)
      expect(tool.summary.length).toBeLessThanOrEqual(120)
      if (tool.safety.readOnly) expect(tool.safety.destructive).toBe(false)
    },
  )

  test.each(manifest.tools.filter(({ core }) => core).map((tool) => [tool.name, tool] as const))(
    '%s of the short list sends nobody to a tool that is not on it',
    (_, tool) => {
      const said = JSON.stringify([tool.next, tool.errors, tool.summary, tool.whenToUse ?? ''])
      const named = manifest.tools.filter(({ name }) => said.includes(name)).map(({ name }) => name)
      expect(named.filter((name) => !CORE_TOOLS.includes(name))).toEqual([])
    },
  )

  test('of the short list is one of all, and there are about twenty of them', () => {
    const names = manifest.tools.map(({ name }) => name)
    expect(CORE_TOOLS.filter((name) => !names.includes(name))).toEqual([])
    expect(CORE_TOOLS.length).toBeLessThanOrEqual(26)
  })
})
