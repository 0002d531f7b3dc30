import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject, SwitchboardError } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type BareContext, printJson } from '../context/command-context.ts'
import { EXIT } from '../exit-code.ts'
import { UsageError } from '../usage-error.ts'

const COMMAND = 'dev new-tool'
const SCRIPT = join('scripts', 'new-tool.mjs')

export async function run(context: BareContext, { positionals }: CommandInput): Promise<number> {
  const [pack = '', alias = ''] = positionals
  const { cwd, signal } = context.io
  const root = findClone(cwd)
  if (root === undefined) {
    throw new UsageError(`${cwd} is not in a clone of Switchboard, and only there a tool can be added.`, {
      hint: 'Clone the repository and run this inside of it.',
      command: COMMAND,
    })
  }
  const outcome = await runScript(root, [pack, alias], signal)
  if (outcome.ok !== true) {
    const { message, hint } = outcome
    throw new UsageError(String(message), { hint: typeof hint === 'string' ? hint : '', command: COMMAND })
  }
  const name = String(outcome.name)
  const files = Array.isArray(outcome.files) ? outcome.files.map(String) : []
  if (context.isJson) {
    printJson(context, { tool: name, root, files })
    return EXIT.ok
  }
  const { out } = context
  for (const file of files) out.line(`${out.style.green('wrote')} ${file}`)
  out.line()
  out.line(`It works as it is, and is called ${out.style.bold(name)}. Next:`)
  out.line(`  1. Say in ${files[0]} what it takes, gives and fails with (docs/toolkit.md).`)
  out.line('  2. npm run generate, which checks that and writes the types.')
  out.line(`  3. Write it in ${files[1]}, and what it must do in ${files[2]}.`)
  out.line(`  4. npm run build, then: switchboard call ${name} '{"message":"hello"}'`)
  return EXIT.ok
}

/** The nearest folder upwards that is the root of Switchboard's own repository. */
function findClone(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isClone(folder)) return folder
    if (dirname(folder) === folder) return undefined
  }
}

function isClone(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(folder, SCRIPT))) return false
  try {
    const value: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
    return isJsonObject(value) && value.name === 'switchboard-workspace'
  } catch {
    return false
  }
}

/** In a process of its own, which reads the sources of the clone: its toolkit, not ours, knows what a pack is there. */
async function runScript(root: string, args: readonly string[], signal: AbortSignal): Promise<Record<string, unknown>> {
  const argv = ['--conditions=switchboard-source', join(root, SCRIPT), root, ...args]
  const { error, stdout, stderr } = await new Promise<{ error: Error | null; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(process.execPath, argv, { cwd: root, signal, windowsHide: true }, (failure, output, errors) =>
        resolve({ error: failure, stdout: output, stderr: errors }),
      )
    },
  )
  signal.throwIfAborted()
  if (error === null) {
    const outcome: unknown = JSON.parse(stdout)
    if (isJsonObject(outcome)) return outcome
  }
  const reason = stderr.split('\n').find((line) => /^\w*Error\b/.test(line)) ?? error?.message ?? 'it said nothing'
  throw new SwitchboardError('internal', `${SCRIPT} failed: ${reason}`, {
    hint: 'Is the clone set up? Run npm run build in it, which installs what is missing.',
    cause: error,
  })
}
