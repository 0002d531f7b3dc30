import { resolve } from 'node:path'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandInput } from '../command-line/command-spec.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { type CommandContext, printJson } from '../context/command-context.ts'
import { startInBackground } from '../daemon-process/start-in-background.ts'
import { stopDaemon } from '../daemon-process/stop-daemon.ts'
import { findInstallation } from '../install/find-installation.ts'
import { readPackage } from '../install/read-package.ts'
import { runNpm } from '../install/run-npm.ts'
import { EXIT } from '../program/exit-code.ts'
import { VERSION } from '../program/program-version.ts'
import { Spinner } from '../terminal/spinner.ts'

const command = 'upgrade'

export async function run(context: CommandContext, { options }: CommandInput): Promise<number> {
  const { io, out, err, isJson } = context
  const given = options.text('from')
  if (given === undefined)
    throw new UsageError('Nothing says what to upgrade to.', {
      command,
      hint: 'Give the file: --from switchboard-<version>.tgz',
    })
  const file = resolve(io.cwd, given)
  const { version, isChecked } = await readPackage(file)
  if (compareVersions(version, VERSION) < 0 && !options.flag('yes')) {
    throw new UsageError(`${file} is ${version}, which is older than this one (${VERSION}).`, {
      command,
      hint: 'Say --yes to go back to it.',
    })
  }
  const installation = findInstallation()
  if (installation.kind !== 'global') throw createPlaceError(installation.kind, installation.folder)
  const stopped = await stopDaemon(context, { force: false })
  const spinner = new Spinner(err, () => `installing ${version} …`)
  const { isWell, said } = await runNpm(
    io,
    ['install', '--global', '--prefix', installation.prefix, '--offline', file],
    io.cwd,
  ).finally(() => spinner.stop())
  const isRestarted = stopped.kind === 'stopped'
  // By the new program, or by the old one where npm has left it.
  if (isRestarted) await startInBackground(context)
  if (!isWell) {
    throw new SwitchboardError('internal', `npm could not install ${file}: ${said.split('\n').slice(-3).join(' ')}`, {
      hint: `This version (${VERSION}) goes on. To do it by hand: npm install -g ${file}`,
    })
  }
  if (isJson) printJson(context, { ok: true, from: VERSION, to: version, checked: isChecked, restarted: isRestarted })
  else {
    out.line(`${out.style.green('installed')} ${version} in place of ${VERSION}, in ${installation.prefix}`)
    out.line(
      out.style.dim(
        isChecked ? '  its checksum is that of SHA256SUMS' : '  there was no SHA256SUMS to compare it with',
      ),
    )
    if (isRestarted) out.line(out.style.dim('  the daemon was started again; windows connect to it by themselves'))
  }
  return EXIT.ok
}

function createPlaceError(kind: 'clone' | 'other', folder: string): SwitchboardError {
  const hint =
    kind === 'clone'
      ? 'Here it is: git pull, then npm start.'
      : 'Update what has brought it, such as the extension of VS Code.'
  return new SwitchboardError('invalid_arguments', `This command was not installed by npm i -g: it is ${folder}.`, {
    hint,
  })
}

function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split(/[.+-]/).map(Number))
  for (let index = 0; index < 3; index++) {
    const difference = (a?.[index] ?? 0) - (b?.[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
