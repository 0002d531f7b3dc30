import type { ProjectReport } from '@switchboard/daemon/client'
import { formatCount } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'

/** What a person should do something about in a project, a line each; nothing where all is well. */
export function explainProject({ folder, servers, problems }: ProjectReport): string[] {
  const waiting = servers.filter(({ state }) => state === 'new' || state === 'changed').length
  const place = `project ${toSafeLine(folder)}`
  const wait = `${formatCount(waiting, 'server')} of it ${waiting === 1 ? 'waits' : 'wait'} to be trusted`
  return [
    ...(waiting === 0 ? [] : [`${place}: ${wait}; "switchboard trust" there shows what would run`]),
    ...problems.map((problem) => `${place}: ${toSafeLine(problem)}`),
    ...servers.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [`${place}: ${toSafeLine(name)} does not run: ${toSafeLine(problem)}`],
    ),
  ]
}
