import type { ToolOutcome } from '@switchboard/toolkit'
import { type DebugContext, pathsOf } from '../debug-host.ts'
import type { TestListData, TestListParams } from '../generated/types.ts'
import { readTestFile } from '../single-test/test-file.ts'

export function run({ path }: TestListParams, context: DebugContext): ToolOutcome<TestListData> {
  const paths = pathsOf(context)
  const { framework, path: file, tests } = readTestFile(paths.resolveFile(path), paths)
  const shown = tests.map(({ names, line, endLine, isSuite, isParametrised }) => ({
    name: names.join(' > '),
    line,
    endLine,
    ...(isSuite ? { suite: true } : {}),
    ...(isParametrised ? { parametrised: true } : {}),
  }))
  const rows = shown
    .filter(({ suite }) => suite !== true)
    .map(({ name, line, parametrised }) => `${line} ${name}${parametrised ? ' (parametrised)' : ''}`)
  const head = `${rows.length} tests of ${framework} in ${paths.show(file)}`
  return { data: { framework, path: paths.show(file), tests: shown }, text: [head, ...rows].join('\n') }
}
