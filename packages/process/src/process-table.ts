/**
 * Who is alive, for killing whole trees. Linux reads /proc, which needs no child process; other systems ask `ps`.
 * A zombie is not alive: it only waits to be collected by whoever inherited it.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'

export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** Differs when a pid has been given to another process; empty where the system does not tell. */
  readonly started: string
}

const READ_AT_ONCE = 100

let shared: Promise<ProcessEntry[]> | undefined

/** Callers that ask while a listing is under way get the same one: closing fifty servers reads the table once, not fifty times. */
export function listProcesses(): Promise<ProcessEntry[]> {
  shared ??= (process.platform === 'linux' ? listFromProc() : listFromPs()).finally(() => {
    shared = undefined
  })
  return shared
}

/** These files are made when they are read, from memory: waiting for each would take ten times as long as reading it. */
async function listFromProc(): Promise<ProcessEntry[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const entries: ProcessEntry[] = []
  for (const [index, pid] of pids.entries()) {
    // So that many processes keep nobody else waiting.
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate()
    const entry = readStat(pid)
    if (entry !== undefined) entries.push(entry)
  }
  return entries
}

function readStat(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid: Number(pid), parent: Number(fields[1]), group: Number(fields[2]), started: fields[19] ?? '' }
  } catch {
    return undefined
  }
}

function listFromPs(): Promise<ProcessEntry[]> {
  if (process.platform === 'win32') return Promise.resolve([])
  return new Promise((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
      if (error) return resolve([])
      resolve(parsePsTable(stdout))
    })
  })
}

/** Of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePsTable(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/)
    if (pid === undefined || state === undefined || state.startsWith('Z')) return []
    return { pid: Number(pid), parent: Number(parent), group: Number(group), started: started.join(' ') }
  })
}

export function selectDescendants(entries: readonly ProcessEntry[], root: number): ProcessEntry[] {
  const children = Map.groupBy(entries, (entry) => entry.parent)
  const found: ProcessEntry[] = []
  const queue = [root]
  for (let pid = queue.shift(); pid !== undefined; pid = queue.shift()) {
    for (const child of children.get(pid) ?? []) {
      found.push(child)
      queue.push(child.pid)
    }
  }
  return found
}
