/**
 * Who is alive, for killing whole trees. Linux reads /proc, which needs no child process; other systems ask `ps`, and Windows
 * what it has (windows-table.ts). A zombie is not alive: it only waits to be collected by whoever inherited it.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { errorCode } from '@switchboard/base'
import { shareNext } from './share-next.ts'
import { listFromWindows } from './windows-table.ts'

export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  /** 0 on Windows, which has none. */
  readonly group: number
  /** 0 where the system does not tell. */
  readonly session: number
  /** Differs when a pid has been given to another process; empty where the system does not tell. */
  readonly started: string
}

const READ_AT_ONCE = 100

/** Rejects when it cannot be told, for want of handles. Closing fifty servers reads the table once or twice, not fifty times. */
export const listProcesses: () => Promise<ProcessEntry[]> = shareNext(() => {
  if (process.platform === 'win32') return listFromWindows()
  return process.platform === 'linux' ? listFromProc() : listFromPs()
})

/** Undefined: nobody can tell just now, for want of handles. */
export function lookForProcesses(): Promise<ProcessEntry[] | undefined> {
  return listProcesses().catch(() => undefined)
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

/** When it began, in the words of the system; empty where that cannot be told, and for one that has gone. */
export function readStart(pid: number): string {
  try {
    return process.platform === 'linux' ? (readStat(String(pid))?.started ?? '') : ''
  } catch {
    return ''
  }
}

function readStat(pid: string): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The program's name stands in parentheses and may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    const [parent, group, session] = [Number(fields[1]), Number(fields[2]), Number(fields[3])]
    return { pid: Number(pid), parent, group, session, started: fields[19] ?? '' }
  } catch (error) {
    throwUnlessGone(error)
    return undefined
  }
}

/** It has gone meanwhile, or is somebody else's. Anything else (no handle left) says nothing about who is alive. */
export function throwUnlessGone(error: unknown): void {
  const code = errorCode(error)
  if (code !== 'ENOENT' && code !== 'ESRCH' && code !== 'EACCES' && code !== 'EPERM') throw error
}

function listFromPs(): Promise<ProcessEntry[]> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], { maxBuffer: 16 * 1024 * 1024 }, (error, stdout) => {
      if (error) return reject(error)
      resolve(parsePsTable(stdout))
    })
  })
}

/** Of `ps -o pid=,ppid=,pgid=,stat=,lstart=`. */
export function parsePsTable(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [pid, parent, group, state, ...started] = line.trim().split(/\s+/)
    if (pid === undefined || state === undefined || state.startsWith('Z')) return []
    return { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0, started: started.join(' ') }
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
