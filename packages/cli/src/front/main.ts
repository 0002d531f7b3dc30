/**
 * The front as a program of its own: one small file, because every window of every agent keeps one running. The version is asked
 * of it too, for it is loaded in no time.
 */
import type { Io } from '../program/io.ts'
import { answerVersion } from '../program/program-version.ts'
import { runOnProcess } from '../program/run-on-process.ts'
import { readFrontArguments } from './front-arguments.ts'
import { type PreparedFront, prepareFront, runFront } from './run-front.ts'

/** An agent that no longer reads does not keep us. */
const OUTPUT_GRACE_MS = 1_000

/**
 * `node`: for the daemon, where this process is run by one that is too old for it. The front itself is content with Node 20.16,
 * so that a window needs no second process: test/program/old-node.process.test.ts.
 *
 * Runs the front and ends the process, unless this command line is not for it, or cannot be run: then it returns, nothing has
 * happened yet, and the whole command takes over and says what is wrong. @public for bin/switchboard.mjs, which loads the bundle.
 */
export async function runFrontProgram({ node }: { node?: string } = {}): Promise<void> {
  const argv = process.argv.slice(2)
  const version = answerVersion(argv)
  if (version !== undefined) {
    await runOnProcess(async (_argv, io) => {
      io.stdout.write(version)
      return 0
    })
  }
  const prepared = await prepare(argv, { env: process.env, cwd: process.cwd() })
  if (prepared === undefined) return
  saveMemory()
  await runOnProcess(async (_argv, io) => {
    const code = await runFront(prepared, io, node)
    setTimeout(() => process.exit(code), OUTPUT_GRACE_MS)
    return code
  })
}

/**
 * The optimizing compilers take ten megabytes once they run, and what they would make faster is a few microseconds of work a
 * line. This is only their threshold: nothing else of the engine hangs on it.
 */
function saveMemory(): void {
  process.getBuiltinModule('node:v8').setFlagsFromString('--max-optimized-bytecode-size=0')
}

/** The same for a program that is running already. Undefined: not for the front. */
export async function tryFront(argv: readonly string[], io: Io): Promise<number | undefined> {
  const prepared = await prepare(argv, io)
  return prepared === undefined ? undefined : runFront(prepared, io)
}

async function prepare(argv: readonly string[], io: Pick<Io, 'env' | 'cwd'>): Promise<PreparedFront | undefined> {
  const options = readFrontArguments(argv)
  if (options === undefined) return undefined
  try {
    return await prepareFront(options, io)
  } catch {
    // The command meets the same mistake and reports it as it reports all mistakes.
    return undefined
  }
}
