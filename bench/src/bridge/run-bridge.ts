/** The benchmark `bridge`: what a trivial command to a VS Code window takes, one at a time, twenty at once, and with a large text. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { askBridge } from '@switchboard/bridge'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { describeLoad, describeMachine } from '../machine.ts'
import { percentile } from '../statistics.ts'
import type { BridgeReport, BridgeRow } from './report.ts'
import { judgeTargets } from './targets.ts'

export interface BridgeOptions {
  readonly quick: boolean
  say(line: string): void
}

const WINDOW = fileURLToPath(new URL('window.ts', import.meta.url))
const NEVER = new AbortController().signal
const LARGE = 1_000_000
const CASES = [
  { name: 'one at a time', atOnce: 1, letters: 10, commands: 2_000 },
  { name: 'twenty at once', atOnce: 20, letters: 10, commands: 4_000 },
  { name: 'one at a time, 1 MB there and back', atOnce: 1, letters: LARGE, commands: 200 },
]
const QUICK_COMMANDS = 20
/** So that both sides are compiled before it counts. */
const WARM_UP = 100

export async function runBridge({ quick, say }: BridgeOptions): Promise<BridgeReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  await using folder = await createTemporaryDirectory('switchboard-bench-bridge-')
  await using _window = await openWindow(folder.path)
  await measure(folder.path, 1, 10, quick ? 1 : WARM_UP)
  const rows: BridgeRow[] = []
  for (const { name, atOnce, letters, commands } of CASES) {
    say(name)
    const count = quick ? QUICK_COMMANDS : commands
    const times = await measure(folder.path, atOnce, letters, count)
    rows.push({
      name,
      commands: count,
      p50Ms: percentile(times, 0.5),
      p99Ms: percentile(times, 0.99),
      mostMs: Math.max(...times),
    })
  }
  return { machine, loadBefore, loadAfter: describeLoad(), quick, rows, targets: judgeTargets(rows) }
}

/** Milliseconds of every command, whose answer is checked. */
async function measure(workspace: string, atOnce: number, letters: number, commands: number): Promise<number[]> {
  const times: number[] = []
  const text = 'x'.repeat(letters)
  let next = 0
  const askInTurn = async (): Promise<void> => {
    while (next < commands) {
      const n = next++
      const begun = performance.now()
      const answer = await askBridge({
        workspace,
        scriptName: 'echo',
        params: { n, text },
        timeout: 60_000,
        signal: NEVER,
      })
      times.push(performance.now() - begun)
      if (JSON.stringify(answer) !== JSON.stringify({ n, text })) throw new Error(`Command ${n} has another's answer`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, askInTurn))
  return times
}

async function openWindow(workspace: string): Promise<AsyncDisposable> {
  const child = spawn(process.execPath, ['--conditions=switchboard-source', WINDOW, workspace], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const [state] = await once(createInterface({ input: child.stdout }), 'line')
  if (state !== 'owner') throw new Error(`The window does not own the folder: it is ${state}`)
  return {
    [Symbol.asyncDispose]: async () => {
      child.stdin.end()
      await exited
    },
  }
}
