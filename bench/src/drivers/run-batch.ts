import type { BatchRequest, BatchResult } from './driver-protocol.ts'

/** So many callers that each make one call after the other. Every answer is checked: a fast wrong one is no result. */
export async function runBatch(echo: (text: string) => Promise<string>, request: BatchRequest): Promise<BatchResult> {
  const { calls, concurrency, bytes, maxMs = Number.POSITIVE_INFINITY } = request
  const text = 'x'.repeat(bytes)
  const latencies = new Float64Array(calls)
  let next = 0
  let end = Number.POSITIVE_INFINITY
  const work = async (): Promise<void> => {
    while (next < calls && performance.now() < end) {
      const index = next++
      const begun = performance.now()
      const answer = await echo(text)
      latencies[index] = performance.now() - begun
      if (answer.length !== bytes) throw new Error(`Sent ${bytes} bytes to echo, received ${answer.length}.`)
    }
  }
  const cpu = process.cpuUsage()
  const begun = performance.now()
  end = begun + maxMs
  await Promise.all(Array.from({ length: Math.min(concurrency, calls) }, work))
  const elapsedMs = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  return { latencies: latencies.subarray(0, next), elapsedMs, cpuMs: (user + system) / 1000 }
}
