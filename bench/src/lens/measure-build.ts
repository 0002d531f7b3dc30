/** The whole index of a folder, made by the daemon: how long, what calls notice of it, and what it is good for afterwards. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DaemonBench, measureBeside } from '../index/daemon-bench.ts'
import { median, percentile } from '../statistics.ts'

export interface BuildFigures {
  readonly buildSeconds: number
  readonly rescanSeconds: number
  /** Until a word that was just written is found. */
  readonly editMs: readonly number[]
  readonly searchP50Ms: number
  readonly searchP99Ms: number
  readonly idleP50Ms: number
  readonly busyP50Ms: number
  /** Of the daemon: resident. */
  readonly idleMB: number
  readonly peakMB: number
}

export interface BuildOptions {
  /** What is looked for. */
  readonly names: readonly string[]
  readonly edits: number
}

/** Of one call; it is made again until nothing is left to do. */
const WAIT_MS = 100_000
const MAX_WAITS = 30
const EDIT_TRIES = 100

export async function measureBuild(
  bench: DaemonBench,
  folder: string,
  { names, edits }: BuildOptions,
): Promise<BuildFigures> {
  const { burst, call } = bench
  const rebuild = async (): Promise<number> => {
    const begun = performance.now()
    for (let wait = 0; wait < MAX_WAITS; wait++) {
      const { text } = await call('lens_rebuild', { timeoutMs: WAIT_MS }, folder)
      if (/"idle":true/.test(text)) return (performance.now() - begun) / 1_000
    }
    throw new Error(`The index of ${folder} is not there after ${(MAX_WAITS * WAIT_MS) / 1_000} s.`)
  }
  const before = await burst()
  const { result: buildSeconds, busyMs: busyP50Ms, idleMB, peakMB } = await measureBeside(bench, rebuild)
  const after = await burst()
  const rescanSeconds = await rebuild()
  const times: number[] = []
  for (const name of names) {
    const { durationMs, text } = await call('lens_search', { query: name }, folder)
    if (!text.includes(name)) throw new Error(`${name} is in ${folder}, and was not found: ${text.slice(0, 500)}`)
    times.push(durationMs)
  }
  const editMs: number[] = []
  for (let edit = 0; edit < edits; edit++) editMs.push(await measureEdit(call, folder, edit))
  return {
    buildSeconds,
    rescanSeconds,
    editMs,
    searchP50Ms: percentile(times, 0.5),
    searchP99Ms: percentile(times, 0.99),
    idleP50Ms: median([before, after]),
    busyP50Ms,
    idleMB,
    peakMB,
  }
}

/** The time that a command takes to start is in it: an agent's own call is quicker. */
async function measureEdit(call: DaemonBench['call'], folder: string, edit: number): Promise<number> {
  const word = `wordthatnobodywrote${edit}`
  const begun = performance.now()
  await writeFile(join(folder, 'edited.txt'), `${word}\n`)
  for (let attempt = 0; attempt < EDIT_TRIES; attempt++) {
    const { text } = await call('lens_search', { query: word, in: 'text' }, folder)
    if (/"total":1\b/.test(text)) return performance.now() - begun
  }
  throw new Error(`An edit of ${folder} is not found after ${EDIT_TRIES} searches.`)
}
