/** A window of an agent, as far as Switchboard can tell: a front in a process of its own, and an MCP client on its stdio. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Duplex } from 'node:stream'
import { within } from '@switchboard/base'
import { McpLine } from '@switchboard/daemon/client'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { programCommand } from '../program/program-command.ts'
import { VERSION } from '../program/program-version.ts'

const END_MS = 5_000

export interface WindowOptions {
  readonly home: string
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

export interface WindowAnswer {
  readonly text: string
  readonly isError: boolean
  readonly data: JsonObject
}

export class DemoWindow {
  readonly name: string
  readonly #child: ChildProcessWithoutNullStreams
  readonly #line: McpLine
  readonly #signal: AbortSignal

  private constructor(name: string, child: ChildProcessWithoutNullStreams, line: McpLine, signal: AbortSignal) {
    this.name = name
    this.#child = child
    this.#line = line
    this.#signal = signal
  }

  static async open(name: string, { home, workspace, env, signal }: WindowOptions): Promise<DemoWindow> {
    const [command = '', ...args] = programCommand('mcp', '--home', home, '--workspace', workspace)
    const child = spawn(command, args, { cwd: workspace, env })
    child.stderr.resume()
    const stream = Duplex.from({ readable: child.stdout, writable: child.stdin })
    const clientInfo = { name: `demo-window-${name}`, version: VERSION }
    const ask = () => Promise.reject(new SwitchboardError('invalid_arguments', 'Nobody is asked in the demo'))
    try {
      return new DemoWindow(
        name,
        child,
        await McpLine.open(stream, { clientInfo, capabilities: {}, ask }, signal),
        signal,
      )
    } catch (error) {
      child.kill('SIGKILL')
      throw error
    }
  }

  async listTools(): Promise<string[]> {
    const { tools } = await this.#line.request('tools/list', {}, { signal: this.#signal, timeout: 20_000 })
    return Array.isArray(tools) ? tools.map((tool: { name?: unknown }) => String(tool.name)) : []
  }

  async call(tool: string, args: JsonObject = {}): Promise<WindowAnswer> {
    const options = { signal: this.#signal, timeout: 60_000 }
    const { content, isError, structuredContent } = await this.#line.request(
      'tools/call',
      { name: tool, arguments: args },
      options,
    )
    const texts = Array.isArray(content) ? content.map((part: { text?: unknown }) => String(part.text ?? '')) : []
    return {
      text: texts.join('\n'),
      isError: isError === true,
      data: isJsonObject(structuredContent) ? structuredContent : {},
    }
  }

  async close(): Promise<void> {
    const ended = once(this.#child, 'exit')
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    this.#child.stdin.end()
    await within(ended, END_MS)
    this.#child.kill('SIGKILL')
  }
}
