/** The same wish in the words of each: stop at a line, see stack and locals, step, see them again, end. */
import { basename } from 'node:path'
import type { CountingAgent } from './agent.ts'
import { LOCALS, type PreparedProgram } from './languages.ts'

export interface ScenarioResult {
  readonly firstStopMs: number
  readonly totalMs: number
  readonly calls: number
  readonly bytes: number
  /** It stopped at the line that was asked for. */
  readonly isAtLine: boolean
  /** Of the four around the line. */
  readonly locals: number
}

export type Scenario = (agent: CountingAgent, program: PreparedProgram) => Promise<ScenarioResult>

const POLL_LIMIT_MS = 30_000

export const ourScenario: Scenario = async (agent, { program, source, line, nextLine, interpreter, language }) => {
  const measure = createMeasure(agent)
  const stopped = await agent.call('debug_start', {
    program,
    breakpoints: [{ path: source, line }],
    ...(language === 'python' && interpreter !== undefined ? { runtime: interpreter } : {}),
  })
  const firstStopMs = measure.elapsed()
  const stepped = await agent.call('debug_step_over', {})
  await agent.call('debug_stop', {})
  const at = (text: string, wanted: number): boolean =>
    text.split('\n')[0]?.includes(`${basename(source)}:${wanted}`) === true
  return measure.finish({
    firstStopMs,
    isAtLine: at(stopped, line) && at(stepped, nextLine),
    locals: LOCALS.filter((name) => new RegExp(`(?:^|[\\s;+])${name}=`, 'm').test(stopped)).length,
  })
}

const PEER_LANGUAGES: Readonly<Record<string, string>> = { typescript: 'javascript' }

export const peerScenario: Scenario = async (agent, { program, source, line, interpreter, language }) => {
  const measure = createMeasure(agent)
  const created = readJson(
    await agent.call('create_debug_session', {
      language: PEER_LANGUAGES[language] ?? language,
      ...(interpreter === undefined ? {} : { executablePath: interpreter }),
    }),
  )
  const { sessionId } = created
  await agent.call('set_breakpoint', { sessionId, file: source, line })
  const started = readJson(await agent.call('start_debugging', { sessionId, scriptPath: program }))
  if (started.success === false) throw new Error(`start_debugging: ${String(started.message).slice(0, 300)}`)
  let stack = await readStack(agent, sessionId)
  while (stack.length === 0 && measure.elapsed() < POLL_LIMIT_MS) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    stack = await readStack(agent, sessionId)
  }
  const firstStopMs = measure.elapsed()
  const top = stack[0] ?? {}
  const variables = readJson(await agent.call('get_local_variables', { sessionId })).variables
  await agent.call('step_over', { sessionId })
  await agent.call('get_local_variables', { sessionId })
  await agent.call('close_debug_session', { sessionId })
  const names = Array.isArray(variables) ? variables.map(({ name }: { name?: unknown }) => String(name)) : []
  return measure.finish({
    firstStopMs,
    isAtLine: top.line === line && String(top.file ?? '').endsWith(basename(source)),
    locals: LOCALS.filter((name) => names.includes(name)).length,
  })
}

async function readStack(agent: CountingAgent, sessionId: unknown): Promise<Record<string, unknown>[]> {
  const { stackFrames } = readJson(await agent.call('get_stack_trace', { sessionId }))
  return Array.isArray(stackFrames) ? stackFrames : []
}

function createMeasure(agent: CountingAgent) {
  const begun = performance.now()
  const { calls, bytes } = agent
  const elapsed = (): number => performance.now() - begun
  return {
    elapsed,
    finish: (rest: Pick<ScenarioResult, 'firstStopMs' | 'isAtLine' | 'locals'>): ScenarioResult => ({
      ...rest,
      totalMs: elapsed(),
      calls: agent.calls - calls,
      bytes: agent.bytes - bytes,
    }),
  }
}

/** Its answers are JSON in a text. */
function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    throw new Error(`no JSON: ${text.slice(0, 200)}`)
  }
}
