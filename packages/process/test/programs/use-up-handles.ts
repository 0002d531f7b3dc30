/** Opens files until there are only so many handles left, and tells what becomes of a child then, and afterwards. */
import { closeSync, openSync } from 'node:fs'
import { spawnChild, TreeStop } from '@switchboard/process'

const left = Number(process.argv[2])
const opened: number[] = []
// A tree that is stopped meanwhile needs no handles either.
const victim = spawnChild(command('setInterval(() => {}, 1000)'))
if (!victim.spawned) throw new Error('The first child was not started')
const { child, family } = victim
const exited = new Promise((resolve) => child.once('exit', resolve))

for (;;) {
  try {
    opened.push(openSync('/dev/null', 'r'))
  } catch {
    break
  }
}
for (let count = 0; count < left; count++) closeSync(opened.pop() ?? -1)

const without = spawnChild(command(''))
const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null
const tree = { pid: child.pid ?? 0, exited, hasExited, endInput: () => child.stdin.end() }
await new TreeStop(tree, { input: 0, terminate: 500 }, family).done
const stopped = hasExited()

for (const handle of opened) closeSync(handle)
const afterwards = spawnChild(command(''))
if (afterwards.spawned) await new Promise((resolve) => afterwards.child.once('exit', resolve))
const { reason = '', message = '' } = without.spawned ? {} : without.problem
process.stdout.write(
  JSON.stringify({
    without: { spawned: without.spawned, reason, message },
    stopped,
    afterwards: { spawned: afterwards.spawned },
  }),
)

function command(code: string) {
  return { command: process.execPath, args: ['-e', code], cwd: undefined, env: {}, inheritEnv: true }
}
