/** A client that counts what an agent pays: calls, and the bytes of text it has to read. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

export interface AgentServer {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const CALL_TIMEOUT_MS = 90_000

export class CountingAgent implements AsyncDisposable {
  readonly #client: Client
  #calls = 0
  #bytes = 0

  private constructor(client: Client) {
    this.#client = client
  }

  static async connect({ command, args, cwd, env }: AgentServer): Promise<CountingAgent> {
    const client = new Client({ name: 'bench', version: '1.0.0' })
    const known = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined)
    await client.connect(
      new StdioClientTransport({
        command,
        args: [...args],
        cwd,
        env: { ...Object.fromEntries(known), ...env },
        stderr: 'ignore',
      }),
      { timeout: CALL_TIMEOUT_MS },
    )
    return new CountingAgent(client)
  }

  get calls(): number {
    return this.#calls
  }

  get bytes(): number {
    return this.#bytes
  }

  /** Tokens of the list of tools, by four characters each. */
  async countListTokens(): Promise<number> {
    const { tools } = await this.#client.listTools()
    return Math.round(JSON.stringify(tools).length / 4)
  }

  async call(name: string, args: Record<string, unknown>): Promise<string> {
    this.#calls++
    const result = await this.#client.callTool({ name, arguments: args }, undefined, { timeout: CALL_TIMEOUT_MS })
    const blocks = Array.isArray(result.content) ? result.content : []
    const text = blocks
      .map((block: { text?: unknown }) => (typeof block.text === 'string' ? block.text : ''))
      .join('\n')
    this.#bytes += Buffer.byteLength(text)
    if (result.isError === true) throw new Error(`${name}: ${text.slice(0, 300)}`)
    return text
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close()
  }
}
