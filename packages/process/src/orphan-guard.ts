/**
 * Ends our children when we are killed with SIGKILL and can do nothing any more. One tiny process (a POSIX shell, about
 * one megabyte) holds the read end of a pipe; it learns which process groups and families are ours, and when the pipe ends
 * without a farewell it gives them a second to notice the end of their stdin, then SIGTERM, then SIGKILL. Families (see
 * process-family.ts) are searched for then, wherever their members went: by mark, and on Linux by session as well, unless they are
 * guests in somebody else's. On Windows it is a Node (windows-guard.ts).
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { Writable } from 'node:stream'
import type { ProcessFamily } from './process-family.ts'
import { FAMILY_VARIABLE } from './process-marks.ts'
import { readStart } from './process-table.ts'
import { WINDOWS_GUARD } from './windows-guard.ts'

/**
 * Groups are words `<pid>:<start>`: where the start is known, a leader with another one is somebody else by now. busybox's
 * grep stops at the first NUL, so the text between them is made lines for it.
 */
const SHELL_GUARD = `
trap '' HUP INT TERM
LC_ALL=C; export LC_ALL
groups=' '
families=' '
guests=' '
while IFS= read -r line; do
  case $line in
    +*) groups="$groups\${line#+} " ;;
    -*) id=\${line#-}
        case $groups in *" $id "*) groups="\${groups%%" $id "*} \${groups#*" $id "}" ;; esac ;;
    @*) families="$families\${line#@} " ;;
    =*) guests="$guests\${line#=} " ;;
    !*) id=\${line#!}
        case $families in *" $id "*) families="\${families%%" $id "*} \${families#*" $id "}" ;; esac
        case $guests in *" $id "*) guests="\${guests%%" $id "*} \${guests#*" $id "}" ;; esac ;;
  esac
done
[ -n "\${groups# }\${families# }\${guests# }" ] || exit 0

stat_of() { read -r stat <"/proc/$1/stat" && stat=\${stat##*) }; } 2>/dev/null

is_ours() {
  start=\${1#*:}
  [ -n "$start" ] && stat=$(cat "/proc/\${1%%:*}/stat" 2>/dev/null) || return 0
  set -- \${stat##*) }
  [ "\${20}" = "$start" ]
}

marked() {
  marks=
  for mark in $1; do marks="$marks\${marks:+|}$mark"; done
  [ -n "$marks" ] || return
  pattern="${FAMILY_VARIABLE}=[0-9a-f.]*($marks)"
  if [ ! -d /proc/self ]; then
    ps -A -E -ww -o pid=,command= | while read -r id text; do
      printf '%s\\n' "$text" | grep -qE "$pattern" && echo "$id"
    done
  elif grep --version | grep -q GNU; then
    grep -alE "$pattern" /proc/[0-9]*/environ | while IFS=/ read -r _ _ id _; do echo "$id"; done
  else
    for file in /proc/[0-9]*/environ; do
      tr '\\000' '\\n' <"$file" | grep -qE "^$pattern" || continue
      id=\${file#/proc/}
      echo "\${id%/environ}"
    done
  fi
} 2>/dev/null

members() {
  found=$(marked "$families")
  echo $found $(marked "$guests")
  [ -d /proc/self ] || return
  sessions=' '
  for group in $groups; do is_ours "$group" && sessions="$sessions\${group%%:*} "; done
  for id in $found; do
    stat_of "$id" || continue
    set -- $stat
    sessions="$sessions$4 "
  done
  for file in /proc/[0-9]*/stat; do
    id=\${file#/proc/}
    stat_of "\${id%/stat}" || continue
    set -- $stat
    case $1 in Z|X) continue ;; esac
    case $sessions in *" $4 "*) echo "\${id%/stat}" ;; esac
  done
}

end() {
  for group in $groups; do is_ours "$group" && kill "-$1" "-\${group%%:*}"; done
  for id in $2; do kill "-$1" "$id"; done
} 2>/dev/null

sleep 1
end TERM "$(members)"
sleep 1
for turn in 1 2 3 4 5 6 7 8 9 10; do
  found=$(members)
  end KILL "$found"
  [ -n "$found" ] || exit 0
  sleep 0.1 2>/dev/null || sleep 1
done
`

export class OrphanGuard {
  readonly #groups = new Map<number, string>()
  /** By mark: how the guard is told of it. */
  readonly #families = new Map<string, string>()
  #guard: ChildProcess | undefined
  #closed = false

  /** A process group, by its number. */
  add(pid: number): void {
    const group = `${pid}:${readStart(pid)}`
    this.#groups.set(pid, group)
    this.#begin(`+${group}\n`)
  }

  remove(pid: number): void {
    const group = this.#groups.get(pid)
    if (this.#groups.delete(pid)) this.#tell(`-${group}\n`)
  }

  /** Its first process's group, and whoever has inherited its mark, in whatever group. */
  addFamily({ mark, first, isGuest }: ProcessFamily): void {
    const line = `${isGuest ? '=' : '@'}${mark}\n`
    this.#families.set(mark, line)
    this.#begin(line)
    if (first !== undefined) this.add(first.pid)
  }

  removeFamily({ mark, first }: ProcessFamily): void {
    if (this.#families.delete(mark)) this.#tell(`!${mark}\n`)
    if (first !== undefined) this.remove(first.pid)
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

  /** The first that is added starts the guard, which is told of all. */
  #begin(text: string): void {
    if (this.#closed) return
    if (this.#guard === undefined) this.#spawn()
    else this.#tell(text)
  }

  #spawn(): void {
    const [command, args] =
      process.platform === 'win32'
        ? [process.execPath, ['-e', WINDOWS_GUARD]]
        : ['/bin/sh', ['-c', SHELL_GUARD, 'switchboard-orphan-guard']]
    let guard: ChildProcess
    try {
      // Detached: a Ctrl-C in our terminal must not reach it.
      guard = spawn(command, args, { stdio: ['pipe', 'ignore', 'ignore'], detached: true, windowsHide: true })
    } catch {
      // No memory, or no more processes: it is tried again with the next child.
      return
    }
    this.#guard = guard
    guard.on('error', () => this.#onGuardGone(guard, false))
    guard.once('exit', () => this.#onGuardGone(guard, true))
    guard.stdin?.on('error', () => {})
    guard.unref()
    unref(guard.stdin)
    for (const group of this.#groups.values()) this.#tell(`+${group}\n`)
    for (const line of this.#families.values()) this.#tell(line)
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
