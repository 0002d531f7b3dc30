import { expect, it } from 'vitest'
import { findCodeProblems, type PackSources } from '../../src/generate/find-code-problems.ts'
import { formatProblem } from '../../src/meta/meta-problem.ts'
import { readToolMeta } from '../../src/meta/read-tool-meta.ts'

const META = `alias: time.convert
category: time
summary: Convert a time
result: query
timeout: 1s
safety: {read_only: true, destructive: false, idempotent: true}
requires: [session]
errors:
  - {code: E_NO_SUCH_TIME, retryable: false, hint: Give another.}
`

function problemsOf(code: string, rest: Partial<PackSources> = {}, meta = META): string[] {
  const reading = readToolMeta('tools/time.meta.yaml', meta)
  if (reading.problems !== undefined) throw new Error(reading.problems.map(formatProblem).join('\n'))
  const tool = { ...reading, code: { file: 'tools/time.ts', text: code } }
  return findCodeProblems({ tools: [tool], others: [], common: [], internal: [], ...rest }).map(formatProblem)
}

const DECLARED = "throw new ToolError('E_NO_SUCH_TIME', 'no')\n"

it('a code that a tool declares, requires or has in common is no problem', () => {
  const code = `${DECLARED}
throw new ToolError(
  'E_NO_SESSION', 'gone')
throw new ToolError("E_COMMON", 'x')
throw new ToolError('E_TIMEOUT', 'late')
if (error.code === 'E_SOMEBODY_ELSES') return
`
  expect(problemsOf(code, { common: ['E_COMMON'] })).toEqual([])
})

it('a code that a tool throws without declaring it is told with its line and column', () => {
  expect(problemsOf(`${DECLARED}if (late)\n  throw new ToolError('E_LATE', 'late')\n`)).toEqual([
    'tools/time.ts:3:9 throws E_LATE, which tools/time.meta.yaml does not declare',
  ])
})

it('a code that is thrown elsewhere in the pack must be declared by somebody', () => {
  const others = [
    { file: 'a.ts', text: "throw new ToolError('E_NO_SUCH_TIME', '')\nthrow new ToolError('E_NOT_PAUSED', '')\n" },
    { file: 'b.ts', text: "\nthrow new ToolError('E_HIDDEN', '')\nthrow new ToolError('E_LOST', '')\n" },
  ]
  expect(problemsOf(DECLARED, { others, internal: ['E_HIDDEN'] })).toEqual([
    'b.ts:3:7 throws E_LOST, which no tool of the pack declares',
  ])
})

it('a declared code that nothing throws is told where it is declared', () => {
  expect(problemsOf('export function run() {}\n')).toEqual([
    'tools/time.meta.yaml:9:6 errors[0].code: E_NO_SUCH_TIME is thrown nowhere in this pack',
  ])
})

it('a hint of its own for what the tool requires, or for what may happen to every tool, needs no code that throws it', () => {
  const meta = META.replace('E_NO_SUCH_TIME', 'E_NO_SESSION').concat(
    '  - {code: E_TIMEOUT, retryable: true, hint: Wait longer.}\n',
  )
  expect(problemsOf('export function run() {}\n', {}, meta)).toEqual([])
})
