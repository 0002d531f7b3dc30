import { resolve } from 'node:path'
import type { ProjectReport, ProjectServerReport } from '@switchboard/daemon/client'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { confirm } from '../memory/confirm.ts'
import { EXIT } from '../program/exit-code.ts'
import { formatCount, formatPath } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import { askProject } from '../trust/ask-project.ts'
import { askSecrets } from '../trust/ask-secrets.ts'

/** `folder`: of the project, or one below it. */
export async function run(
  context: CommandContext,
  { options, positionals: [folder = '.'] }: CommandInput,
): Promise<number> {
  const { out, io } = context
  return askProject(context, async (projects) => {
    const asked = resolve(io.cwd, folder)
    const project = await projects.show(asked)
    const waiting = project.servers.filter(isWaiting)
    if (waiting.length === 0) {
      if (context.isJson) printJson(context, { ...project, accepted: [] })
      else printProject(context, project)
      return EXIT.ok
    }
    if (!options.flag('yes')) {
      if (!context.isJson) printProject(context, project)
      const question = `Let ${formatCount(waiting.length, 'server')} of this project run as you?`
      if (!(await confirm(context, question, 'trust'))) {
        out.line('Nothing was trusted, and nothing of it runs.')
        return EXIT.failed
      }
    }
    const { accepted, project: now } = await projects.accept(asked, project.mark)
    if (context.isJson) printJson(context, { ...now, accepted })
    else {
      out.line(
        `Trusted: ${accepted.map(toSafeLine).join(', ')}. Windows of ${formatPath(now.folder, context.home.userHome)} get them.`,
      )
      const isKept = !options.flag('yes') && (await askSecrets(context, now))
      printTroubles(context, isKept ? await projects.show(asked) : now)
    }
    return EXIT.ok
  })
}

function isWaiting({ state }: ProjectServerReport): boolean {
  return state === 'new' || state === 'changed'
}

const STATES: Readonly<Record<ProjectServerReport['state'], string>> = {
  new: 'waits for you',
  changed: 'has changed since you trusted it, and waits for you',
  trusted: 'trusted',
  yours: 'the same as in your own configuration, which serves it',
}

function printProject(context: CommandContext, project: ProjectReport): void {
  const { out } = context
  const { style } = out
  const folder = formatPath(project.folder, context.home.userHome)
  if (project.servers.length === 0) out.line(`${folder} names no servers.`)
  else out.line(`${style.bold(folder)} names ${formatCount(project.servers.length, 'server')}:`)
  for (const server of project.servers) {
    const { name, file, shown, before = [] } = server
    const state = isWaiting(server) ? style.yellow(STATES[server.state]) : STATES[server.state]
    out.line()
    out.line(`${style.bold(toSafeLine(name))} (${file}): ${state}`)
    const lines = server.state === 'changed' ? diff(before, shown) : shown.map((line) => `  ${line}`)
    for (const line of lines) out.line(`  ${toSafeLine(line)}`)
  }
  out.line()
  printTroubles(context, project)
}

/** What was seen the last time, and what is there now. */
function diff(before: readonly string[], now: readonly string[]): string[] {
  return [
    ...before.filter((line) => !now.includes(line)).map((line) => `- ${line}`),
    ...now.map((line) => (before.includes(line) ? `= ${line}` : `+ ${line}`)),
  ]
}

function printTroubles({ out }: CommandContext, { problems, servers }: ProjectReport): void {
  for (const problem of problems) out.line(out.style.yellow(toSafeLine(problem)))
  for (const { name, problem } of servers) {
    if (problem !== undefined) out.line(out.style.yellow(`${toSafeLine(name)} does not run: ${toSafeLine(problem)}`))
  }
  if (servers.some(({ file }) => file === '.mcp.json')) {
    out.line(
      out.style.dim('Claude Code runs the servers of .mcp.json by itself: refuse them there, or it has them twice.'),
    )
  }
}
