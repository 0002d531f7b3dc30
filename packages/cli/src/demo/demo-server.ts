/**
 * The two small servers of the tour, which need nothing but this program: `clock` tells the time, `ledger` adds amounts and keeps
 * them in its folder, so that they survive it. They speak MCP on stdio, as any server does.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readForeignBytes, writeFileAtomically } from '@switchboard/base'
import {
  classifyMessage,
  createFailure,
  createSuccess,
  isJsonObject,
  type JsonObject,
  type RequestId,
} from '@switchboard/protocol'
import type { Io } from '../program/io.ts'
import { VERSION } from '../program/program-version.ts'

export const DEMO_SERVERS = ['clock', 'ledger'] as const
export type DemoServer = (typeof DEMO_SERVERS)[number]

interface DemoTool {
  readonly description: string
  readonly properties: JsonObject
  readonly isReading: boolean
  run(args: JsonObject, folder: string): Promise<string>
}

const METHOD_NOT_FOUND = -32_601

const TOOLS: Readonly<Record<DemoServer, Readonly<Record<string, DemoTool>>>> = {
  clock: {
    now: {
      description: 'The time of this machine.',
      properties: {},
      isReading: true,
      run: async () => new Date().toISOString(),
    },
  },
  ledger: {
    add: {
      description: 'Adds an amount to the ledger.',
      properties: { amount: { type: 'number', description: 'what is added' } },
      isReading: false,
      async run({ amount }, folder) {
        const amounts = [...(await readAmounts(folder)), Number(amount)]
        await writeFileAtomically(join(folder, 'ledger.json'), JSON.stringify(amounts))
        return `added ${amount}; the total is ${sum(amounts)}`
      },
    },
    total: {
      description: 'The total of the ledger.',
      properties: {},
      isReading: true,
      run: async (_args, folder) => `the total is ${sum(await readAmounts(folder))} (process ${process.pid})`,
    },
  },
}

async function readAmounts(folder: string): Promise<number[]> {
  const text = await readForeignBytes(join(folder, 'ledger.json'), { maxBytes: 1024 * 1024 }).then(String, () => '[]')
  const value: unknown = JSON.parse(text)
  return Array.isArray(value) ? value.map(Number) : []
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0)
}

/** Resolves when its client is gone. */
export async function serveDemo(
  name: DemoServer,
  { stdin, stdout, cwd }: Pick<Io, 'stdin' | 'stdout' | 'cwd'>,
): Promise<void> {
  for await (const line of createInterface({ input: stdin })) {
    const message: unknown = JSON.parse(line)
    if (!isJsonObject(message) || classifyMessage(message) !== 'request') continue
    const id = message.id as RequestId // A request has one.
    const params = isJsonObject(message.params) ? message.params : {}
    const result = await answer(name, String(message.method), params, cwd)
    const reply =
      result === undefined
        ? createFailure(id, { code: METHOD_NOT_FOUND, message: `The demo knows no ${String(message.method)}` })
        : createSuccess(id, result)
    stdout.write(`${JSON.stringify(reply)}\n`)
  }
}

/** Undefined: it is none of its methods. */
async function answer(
  name: DemoServer,
  method: string,
  params: JsonObject,
  folder: string,
): Promise<JsonObject | undefined> {
  const tools = TOOLS[name]
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: params.protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: `switchboard-demo-${name}`, version: VERSION },
      }
    case 'ping':
      return {}
    case 'tools/list':
      return {
        tools: Object.entries(tools).map(([tool, { description, properties, isReading }]) => ({
          name: tool,
          description,
          inputSchema: { type: 'object', properties, required: Object.keys(properties) },
          annotations: { readOnlyHint: isReading },
        })),
      }
    case 'tools/call': {
      const tool = tools[String(params.name)]
      if (tool === undefined) return undefined
      const text = await tool.run(isJsonObject(params.arguments) ? params.arguments : {}, folder)
      return { content: [{ type: 'text', text }] }
    }
    default:
      return undefined
  }
}
