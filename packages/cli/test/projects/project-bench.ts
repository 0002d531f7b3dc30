/** Folders of projects, windows that are in them (the SDKs' clients over `switchboard mcp`), and the command of a person. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  createTemporaryDirectory,
  type JournalEntry,
  PROGRAM,
  readJournal,
  runOnTerminal,
  startProgram,
  type TemporaryDirectory,
  type TerminalStep,
  textOfAnswer,
  waitFor,
} from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent, type SdkClient } from '@switchboard/testkit/sdk'
import { type FrontBench, useFrontBench } from '../front/support/front-bench.ts'

export interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export class ProjectBench {
  readonly front: FrontBench

  constructor(front: FrontBench) {
    this.front = front
  }

  async folder(): Promise<TemporaryDirectory> {
    const folder = await createTemporaryDirectory('switchboard-project-')
    this.front.defer(() => folder.remove())
    return folder
  }

  async write(folder: TemporaryDirectory, file: string, content: unknown): Promise<void> {
    const path = folder.file(...file.split('/'))
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  }

  /** `.mcp.json` with these servers. */
  servers(folder: TemporaryDirectory, servers: Readonly<Record<string, unknown>>): Promise<void> {
    return this.write(folder, '.mcp.json', { mcpServers: servers })
  }

  async window(workspace: string, client: SdkClient = 'v1', options: readonly string[] = []): Promise<SdkAgent> {
    const command = {
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--workspace', workspace, ...options],
      env: this.front.env(),
    }
    const agent = await connectSdkAgent(client, { transport: 'stdio', command }, { name: 'project-test' })
    this.front.defer(() => agent.close())
    return agent
  }

  /** An agent of the same daemon over HTTP, in no folder. */
  async http(): Promise<SdkAgent> {
    const { daemon } = JSON.parse((await this.run(['status', '--json'], this.front.home.path)).out)
    const target = { transport: 'http', url: `${daemon.http.url}/mcp` } as const
    const agent = await connectSdkAgent('v1', target, { name: 'project-test' })
    this.front.defer(() => agent.close())
    return agent
  }

  /** As a person types it in that folder. */
  async run(argv: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<Ended> {
    const options = {
      home: this.front.home.path,
      cwd,
      env: { SWITCHBOARD_HTTP_PORT: '0', ...env },
      stdin: 'ended' as const,
    }
    const program = startProgram(argv, options)
    return { code: await program.ended, out: program.out(), err: program.err() }
  }

  /** The same with something on its input. */
  async pipe(argv: readonly string[], input: string, cwd: string): Promise<Ended> {
    const program = startProgram(argv, { home: this.front.home.path, cwd, env: { SWITCHBOARD_HTTP_PORT: '0' } })
    program.child.stdin.end(input)
    return { code: await program.ended, out: program.out(), err: program.err() }
  }

  /** The same at a terminal, where somebody types. */
  onTerminal(argv: readonly string[], cwd: string, steps: readonly TerminalStep[]) {
    return runOnTerminal([process.execPath, PROGRAM, ...argv], steps, { cwd, env: this.front.env(), columns: 120 })
  }

  async trust(folder: TemporaryDirectory): Promise<void> {
    const { code, err } = await this.run(['trust', '--yes'], folder.path)
    if (code !== 0) throw new Error(`trust ended with ${code}: ${err}`)
  }

  /** Waits until the window lists the tool. */
  async until(agent: SdkAgent, tool: string): Promise<void> {
    await waitFor(async () => (await agent.toolNames()).includes(tool), {
      what: `${tool} to be listed`,
      timeout: 20_000,
    })
  }

  async untilGone(agent: SdkAgent, tool: string): Promise<void> {
    await waitFor(async () => !(await agent.toolNames()).includes(tool), {
      what: `${tool} to be gone`,
      timeout: 20_000,
    })
  }

  /** What a fixture of that name was started as, in order. */
  async starts(name: string): Promise<JournalEntry[]> {
    return (await readJournal(this.front.journal(name))).filter(({ event }) => event === 'start')
  }

  /** The folder and the names of the variables of a running fixture. */
  async environment(agent: SdkAgent, tool: string): Promise<{ cwd: string; names: string[] }> {
    return JSON.parse(textOfAnswer({ result: await agent.call(tool) }))
  }
}

export function useProjects(): ProjectBench {
  return new ProjectBench(useFrontBench())
}

export function below(folder: TemporaryDirectory, ...parts: string[]): string {
  return join(folder.path, ...parts)
}
