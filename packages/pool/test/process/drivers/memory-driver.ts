/**
 * A process of its own that runs a pool against an ugly server and measures what stays in memory.
 * argv: JSON of `{ config, rounds: [{ tool, args }] }`. Prints one JSON line: the growth and the peak in bytes, and what
 * the calls came to.
 */
import { SwitchboardError } from '@switchboard/protocol/errors'
import { McpPool, type McpPoolInput } from '../../../src/index.ts'

interface Plan {
  readonly config: McpPoolInput
  readonly rounds: readonly { readonly tool: string; readonly args: Record<string, unknown> }[]
}

// Written by the test that starts us.
const { config, rounds } = JSON.parse(process.argv[2] ?? '{}') as Plan
const collect = globalThis.gc
if (collect === undefined) throw new Error('Run with --expose-gc.')

const pool = new McpPool(config)
pool.start()
await pool.ready()
await pool.call('a_echo', { text: 'warm' })
collect()
const before = process.memoryUsage().rss
let peak = before
const sampler = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss)
}, 20)

const outcomes: string[] = []
for (const { tool, args } of rounds) {
  try {
    await pool.call(tool, args)
    outcomes.push('ok')
  } catch (error) {
    outcomes.push(error instanceof SwitchboardError ? error.code : String(error))
  }
}
clearInterval(sampler)
const last = await pool.call('a_echo', { text: 'still answered' })
collect()
const after = process.memoryUsage().rss
const [status] = pool.status()
const strayOutput = status?.counters?.strayOutput ?? 0
await pool.close()
process.stdout.write(
  `${JSON.stringify({ growth: after - before, peak: peak - before, outcomes, last, strayOutput })}\n`,
)
