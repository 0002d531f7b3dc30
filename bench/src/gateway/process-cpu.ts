/** CPU of processes that are not ours to instrument, from /proc. Elsewhere than on Linux there are no such numbers. */
import { readdirSync, readFileSync } from 'node:fs'
import { descendantsOf } from '@switchboard/testkit'
import { sum } from '../statistics.ts'

/** The unit of /proc/<pid>/stat, which is the same on every Linux that Node runs on. */
const MS_PER_TICK = 10

export interface ProcessGroup {
  /** The gateway itself, with helpers that it started. */
  readonly own: readonly number[]
  readonly upstream: readonly number[]
}

export interface CpuMs {
  readonly own: number
  readonly upstream: number
}

/** Everything at and below the roots; what runs the upstream's program is the upstream. */
export async function findProcessGroup(roots: readonly number[], upstreamProgram: string): Promise<ProcessGroup> {
  const own = new Set(roots)
  const upstream = new Set<number>()
  const command = `${process.execPath} ${upstreamProgram}`
  for (const root of roots) {
    for (const found of await descendantsOf(root)) {
      if (found.command.startsWith(command)) upstream.add(found.pid)
      else own.add(found.pid)
    }
  }
  return { own: [...own], upstream: [...upstream] }
}

export function readCpu({ own, upstream }: ProcessGroup): CpuMs {
  return { own: readAll(own), upstream: readAll(upstream) }
}

function readAll(pids: readonly number[]): number {
  return pids.reduce((total, pid) => total + readCpuMs(pid), 0)
}

function readCpuMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return readThreadsMs(pid) ?? readTicksMs(pid)
}

/** Of its threads, in nanoseconds. Those of Node live as long as their process. Undefined where the kernel does not count. */
function readThreadsMs(pid: number): number | undefined {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return (
      sum(threads.map((id) => Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]))) / 1e6
    )
  } catch {
    return undefined
  }
}

function readTicksMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may hold spaces; what follows its last parenthesis does not.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK
  } catch {
    // It ended meanwhile.
    return 0
  }
}
