/** From the start of a process until a client has the tools of all its upstreams. */
import { setTimeout as delay } from 'node:timers/promises'
import type { SeededRandom } from '@switchboard/testkit'
import type { Programs } from '../build-programs.ts'
import { RawHttpClient } from '../drivers/raw-http-client.ts'
import { median } from '../statistics.ts'
import type { Contender } from './contender.ts'

export interface StartRow {
  readonly contender: string
  readonly upstreams: number
  /** `again`: in the folder of an earlier run, with what it remembers. */
  readonly kind: 'first' | 'again'
  readonly leastMs: number
  readonly medianMs: number
}

export interface StartOptions {
  readonly programs: Programs
  readonly contenders: readonly Contender[]
  readonly ours: Contender
  readonly sizes: readonly number[]
  readonly repeats: number
  readonly random: SeededRandom
  say(line: string): void
}

interface Start {
  readonly contender: Contender
  readonly upstreams: number
  readonly times: { readonly first: number[]; readonly again: number[] }
}

const OWN_TOOLS = new Set(['debug_get_logs', 'switchboard_status'])
const LISTED_WITHIN_MS = 60_000

export async function measureStarts(options: StartOptions): Promise<StartRow[]> {
  const { programs, contenders, ours, sizes, repeats, random, say } = options
  const starts: Start[] = contenders
    .filter(({ transport }) => transport === 'http')
    .flatMap((contender) =>
      sizes
        .filter((upstreams) => upstreams === 1 || contender.hasManyUpstreams)
        .map((upstreams) => ({ contender, upstreams, times: { first: [], again: [] } })),
    )
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const { contender, upstreams, times } of random.shuffle([...starts])) {
      const folder = await programs.createFolder()
      try {
        times.first.push(await measureStart(contender, programs, upstreams, folder))
        if (contender === ours) times.again.push(await measureStart(contender, programs, upstreams, folder))
      } catch (error) {
        say(`${contender.name} did not start with ${upstreams} upstreams: ${String(error).slice(0, 200)}`)
      }
    }
  }
  return starts.flatMap(({ contender, upstreams, times }) =>
    (['first', 'again'] as const)
      .filter((kind) => times[kind].length > 0)
      .map((kind) => ({
        contender: contender.name,
        upstreams,
        kind,
        leastMs: Math.min(...times[kind]),
        medianMs: median(times[kind]),
      })),
  )
}

async function measureStart(
  contender: Contender,
  programs: Programs,
  upstreams: number,
  folder: string,
): Promise<number> {
  const begun = performance.now()
  await using running = await contender.start({ programs, folder, upstreams })
  const client = new RawHttpClient(running.url)
  try {
    await client.initialize()
    for (;;) {
      const { tools } = (await client.request('tools/list', {})) as { tools: { name: string }[] }
      // Switchboard's own tools are there before any server is.
      const listed = tools.filter(({ name }) => !OWN_TOOLS.has(name)).length
      const elapsed = performance.now() - begun
      if (listed >= upstreams) return elapsed
      if (elapsed > LISTED_WITHIN_MS) throw new Error(`${listed} of ${upstreams} tools after ${elapsed} ms`)
      await delay(5)
    }
  } finally {
    client.close()
  }
}
