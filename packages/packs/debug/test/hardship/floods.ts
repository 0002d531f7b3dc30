/** 100 MB of output: memory stays bounded, nothing waits for ever, what was not kept is counted. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import type { HardshipBench } from './hardship-bench.ts'

/** What is kept of a session is far less; the rest of the test runner is in it. */
const MOST_KEPT = 64 * 1024 * 1024
/** With garbage that nobody has collected yet. */
const MOST_GROWTH = 400 * 1024 * 1024
const FLOOD_BYTES = 100 * 1024 * 1024

export function declareFloods({ call, start, mark, file, floods, isQuick }: HardshipBench): void {
  test.each(floods)(
    'of a flood on %s, as %s, the end is kept and the rest counted; a pause and a breakpoint work in it',
    async (stream, shape) => {
      const before = measureMemory()
      await start(['flood', stream, shape], { wait: false })
      const printed = async (): Promise<number> => bytesOf((await call('dap_summary')).data.metrics)
      await expect.poll(printed, { timeout: 30_000 }).toBeGreaterThan(10_000)
      const paused = await call('debug_pause', { timeoutMs: 50_000 })
      expect(paused.data).toMatchObject({ event: 'stopped' })
      const added = await call('breakpoint_add', { path: file, line: mark('flooded') })
      expect(added.text).toContain('bound')
      if (isQuick) {
        const hit = await call('debug_continue', { timeoutMs: 55_000 })
        expect(hit.data).toMatchObject({ event: 'stopped', reason: 'breakpoint', line: mark('flooded') })
      } else expect((await call('debug_continue', { timeoutMs: 1_000 })).data).toMatchObject({ event: 'running' })
      // Some debuggers tell of the stop before the last of the output.
      const least = isQuick ? FLOOD_BYTES : 1_000_000
      await expect.poll(printed, { timeout: 30_000 }).toBeGreaterThanOrEqual(least)
      const summary = await call('dap_summary', { compact: true })
      expect(summary.data).toMatchObject({ health: { truncated: true } })
      expect(summary.text).toMatch(/MB printed/)
      expect((await call('debug_stop')).text.length).toBeLessThan(500)
      const after = measureMemory()
      expect(after.kept - before.kept).toBeLessThan(MOST_KEPT)
      expect(after.resident - before.resident).toBeLessThan(MOST_GROWTH)
    },
  )
}

function bytesOf(metrics: unknown): number {
  return typeof metrics === 'object' && metrics !== null && 'bytes' in metrics ? Number(metrics.bytes) : 0
}

function measureMemory(): { readonly kept: number; readonly resident: number } {
  const resident = process.memoryUsage().rss
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect === 'function') collect()
  const { heapUsed, external } = process.memoryUsage()
  return { kept: heapUsed + external, resident }
}
