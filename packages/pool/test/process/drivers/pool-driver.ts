/**
 * A process of its own that runs a pool, to be ended in every way a process can end. argv: JSON of `{ config, timings }`.
 * Prints `ready` once every server has settled. Each line on stdin is the name of a tool to call; its answer is
 * printed. SIGTERM closes the pool and exits with 0.
 */
import { createInterface } from 'node:readline'
import { McpPool, type McpPoolInput, type McpPoolOptions } from '../../../src/index.ts'

interface Plan {
  readonly config: McpPoolInput
  readonly timings?: McpPoolOptions['timings']
}

// Written by the test that starts us.
const { config, timings } = JSON.parse(process.argv[2] ?? '{}') as Plan
const pool = new McpPool(config, timings === undefined ? {} : { timings })
process.on('SIGTERM', async () => {
  await pool.close()
  process.exit(0)
})
pool.start()
await pool.ready()
const lines = createInterface({ input: process.stdin })
lines.on('line', async (tool) => {
  const result = await pool.call(tool)
  process.stdout.write(`${JSON.stringify(result.content)}\n`)
})
// The test is gone: so are we, and the orphan guard does the rest.
lines.on('close', () => process.kill(process.pid, 'SIGKILL'))
process.stdout.write('ready\n')
