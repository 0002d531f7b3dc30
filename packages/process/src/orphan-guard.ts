/**
 * Ends our children when we are killed with SIGKILL and can do nothing any more. One tiny process (a POSIX shell, about
 * one megabyte) holds the read end of a pipe; it learns which process groups are ours, and when the pipe ends without
 * a farewell it gives them a second to notice the end of their stdin, then SIGTERM, then SIGKILL. Families (see
 * process-family.ts) are searched for then, and killed wherever their members went.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import { FAMILY_VARIABLE, type ProcessFamily } from './process-family.ts'

const SHELL_GUARD = `
trap '' HUP INT TERM
groups=' '
families=' '
while IFS= read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*) id=\${line#-}
        case $groups in *" $id "*) groups="\${groups%%" $id "*} \${groups#*" $id "}" ;; esac ;;
    @*) families="$families\${line#@} " ;;
    !*) id=\${line#!}
        case $families in *" $id "*) families="\${families%%" $id "*} \${families#*" $id "}" ;; esac ;;
  esac
done
[ -n "\${groups# }\${families# }" ] || exit 0
sleep 1
for id in $groups; do kill -TERM "-$id" 2>/dev/null; done
sleep 1
for id in $groups; do kill -KILL "-$id" 2>/dev/null; done
for mark in $families; do
  for turn in 1 2 3; do
    for file in $(grep -ls "${FAMILY_VARIABLE}=$mark" /proc/[0-9]*/environ 2>/dev/null); do
      id=\${file#/proc/}
      kill -KILL "\${id%/environ}" 2>/dev/null
    done
  done
done
`

const WINDOWS_GUARD = `
const ids = new Set(); let text = '';
process.stdin.on('data', (chunk) => {
  const lines = (text + chunk).split('\\n'); text = lines.pop();
  for (const line of lines) {
    if (line[0] === '+') ids.add(line.slice(1));
    if (line[0] === '-') ids.delete(line.slice(1));
  }
});
process.stdin.on('end', () => {
  for (const id of ids) require('node:child_process').spawnSync('taskkill', ['/PID', id, '/T', '/F']);
});
`

export class OrphanGuard {
  readonly #groups = new Set<number>()
  readonly #families = new Set<string>()
  #guard: ChildProcess | undefined
  #closed = false

  add(pid: number): void {
    this.#groups.add(pid)
    if (this.#closed) return
    if (this.#guard === undefined) this.#spawn()
    else this.#tell(`+${pid}\n`)
  }

  remove(pid: number): void {
    if (this.#groups.delete(pid)) this.#tell(`-${pid}\n`)
  }

  /** Whoever has inherited its mark, in whatever group. */
  addFamily({ mark }: ProcessFamily): void {
    this.#families.add(mark)
    if (this.#guard !== undefined) this.#tell(`@${mark}\n`)
  }

  removeFamily({ mark }: ProcessFamily): void {
    if (this.#families.delete(mark)) this.#tell(`!${mark}\n`)
  }

  /** Groups that are still registered are ended by the guard all the same. */
  async close(): Promise<void> {
    this.#closed = true
    const guard = this.#guard
    if (guard === undefined || guard.exitCode !== null || guard.signalCode !== null) return
    const exited = new Promise((resolve) => guard.once('exit', resolve))
    guard.ref()
    guard.stdin?.end()
    await exited
  }

  #spawn(): void {
    const [command, args] =
      process.platform === 'win32'
        ? [process.execPath, ['-e', WINDOWS_GUARD]]
        : ['/bin/sh', ['-c', SHELL_GUARD, 'switchboard-orphan-guard']]
    // Detached: a Ctrl-C in our terminal must not reach it.
    const guard = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true })
    this.#guard = guard
    guard.once('error', () => this.#onGuardGone(guard, false))
    guard.once('exit', () => this.#onGuardGone(guard, true))
    guard.stdin?.on('error', () => {})
    guard.unref()
    unref(guard.stdin)
    for (const pid of this.#groups) this.#tell(`+${pid}\n`)
    for (const mark of this.#families) this.#tell(`@${mark}\n`)
  }

  /** Somebody killed the guard: a new one is told what it knew. One that could not even start is tried again with the next child. */
  #onGuardGone(guard: ChildProcess, hadStarted: boolean): void {
    if (this.#guard !== guard) return
    this.#guard = undefined
    if (hadStarted && !this.#closed && this.#groups.size + this.#families.size > 0) this.#spawn()
  }

  #tell(text: string): void {
    if (this.#guard?.stdin?.writable) this.#guard.stdin.write(text)
  }
}

function unref(stream: Writable | null): void {
  if (stream !== null && 'unref' in stream && typeof stream.unref === 'function') stream.unref()
}
