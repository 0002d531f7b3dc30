/**
 * Marks in the environment of processes, which everything below a process inherits, wherever it goes. Linux shows them in
 * /proc and macOS in `ps -E`, to the same user; other systems do not.
 */
import { execFile } from 'node:child_process'
import { closeSync, openSync, readSync } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { listProcesses, type ProcessEntry, throwUnlessGone } from './process-table.ts'
import { shareNext } from './share-next.ts'

/** Who started it, and when: see owned-processes.ts. */
export const OWNER_VARIABLE = 'SWITCHBOARD_OWNER'
/** The families that it belongs to, the innermost last: see process-family.ts. */
export const FAMILY_VARIABLE = 'SWITCHBOARD_FAMILY'

const READ_AT_ONCE = 50
/** An environment is small. One that is made huge is made so by somebody who could have emptied it as well. */
const MOST_BYTES = 256 * 1024

export interface Marks {
  readonly family: string
  readonly owner: string
}

export interface MarkedProcesses {
  readonly entries: readonly ProcessEntry[]
  /** By pid; only of those that bear any. */
  readonly marks: ReadonlyMap<number, Marks>
}

/** Undefined: nobody can tell just now, for want of handles. */
export function lookForMarked(): Promise<MarkedProcesses | undefined> {
  return listMarked().catch(() => undefined)
}

/** Everybody, and who bears which marks. Rejects when it cannot be told, for want of handles. */
export const listMarked: () => Promise<MarkedProcesses> = shareNext(async () => {
  const entries = await listProcesses()
  const marks = new Map<number, Marks>()
  if (process.platform === 'darwin') {
    for (const [pid, text] of await listEnvironments()) note(marks, pid, readMarks(text, ' '))
  }
  if (process.platform !== 'linux') return { entries, marks }
  const buffer = Buffer.allocUnsafe(MOST_BYTES)
  for (const [index, { pid }] of entries.entries()) {
    // So that many processes keep nobody else waiting.
    if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate()
    note(marks, pid, readMarks(readEnvironment(pid, buffer), '\0'))
  }
  return { entries, marks }
})

function note(all: Map<number, Marks>, pid: number, marks: Marks | undefined): void {
  if (marks !== undefined) all.set(pid, marks)
}

/** `separator`: what stands before and after every variable. */
export function readMarks(environment: string, separator: string): Marks | undefined {
  const read = (name: string): string => {
    const wanted = `${separator}${name}=`
    const at = `${separator}${environment}`.indexOf(wanted)
    if (at < 0) return ''
    const rest = environment.slice(at + wanted.length - separator.length)
    const end = rest.indexOf(separator)
    return end < 0 ? rest.trimEnd() : rest.slice(0, end)
  }
  const [family, owner] = [read(FAMILY_VARIABLE), read(OWNER_VARIABLE)]
  return family === '' && owner === '' ? undefined : { family, owner }
}

/** At once, as the table itself is read: waiting for each file takes longer than reading it. */
function readEnvironment(pid: number, buffer: Buffer): string {
  let file: number | undefined
  try {
    file = openSync(`/proc/${pid}/environ`, 'r')
    let filled = 0
    for (let count = -1; count !== 0 && filled < buffer.length; filled += count) {
      count = readSync(file, buffer, filled, buffer.length - filled, filled)
    }
    return buffer.toString('latin1', 0, filled)
  } catch (error) {
    throwUnlessGone(error)
    return ''
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function listEnvironments(): Promise<[pid: number, text: string][]> {
  return new Promise((resolve, reject) => {
    execFile('ps', ['-A', '-E', '-ww', '-o', 'pid=,command='], { maxBuffer: 64 * 1024 * 1024 }, (error, stdout) => {
      if (error) return reject(error)
      resolve(stdout.split('\n').map((line): [number, string] => [Number.parseInt(line, 10), line]))
    })
  })
}
