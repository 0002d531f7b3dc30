import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { switchboardFile } from '@switchboard/daemon/configuration'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import { homePaths } from '@switchboard/protocol/ipc'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type BareContext, printJson } from '../context/command-context.ts'
import { locateHome } from '../context/home.ts'
import { CHECKS } from '../doctor/checks.ts'
import type { DoctorContext } from '../doctor/doctor-context.ts'
import { examine } from '../doctor/examine.ts'
import { formatDiagnosis, formatSummary } from '../doctor/format-diagnosis.ts'
import { type DaemonLook, lookAtDaemon } from '../doctor/look-at-daemon.ts'
import { EXIT, exitCodeOfInterruption } from '../program/exit-code.ts'
import { readInterruption } from '../program/io.ts'
import { VERSION } from '../program/program-version.ts'
import { wrapText } from '../terminal/text-width.ts'

export async function run(context: BareContext, input: CommandInput): Promise<number> {
  const { out, io, isJson } = context
  const doctor = createDoctorContext(context, input)
  const { style, isTTY, width } = out
  const inForm = (text: string): string => out.inForm(text)
  const format = { style, isTTY, userHome: doctor.home.userHome, width, inForm }
  const diagnoses = await examine(CHECKS, doctor, {
    fix: input.options.flag('fix'),
    signal: io.signal,
    onDiagnosis: (diagnosis) => {
      if (!isJson) for (const line of formatDiagnosis(diagnosis, format)) out.line(line)
    },
  })
  const count = (level: string): number => diagnoses.filter((one) => one.level === level).length
  const summary = { ok: count('ok'), warn: count('warn'), error: count('error') }
  if (isJson) printJson(context, { findings: diagnoses, summary })
  else {
    out.line()
    for (const line of wrapText(inForm(formatSummary(diagnoses, style)), width)) out.line(line)
  }
  const interruption = readInterruption(io.signal)
  if (interruption !== undefined) return exitCodeOfInterruption(interruption)
  return summary.error === 0 ? EXIT.ok : EXIT.failed
}

function createDoctorContext({ io }: BareContext, { options }: CommandInput): DoctorContext {
  const home = locateHome(options, io)
  const paths = homePaths(home.directory, sep)
  const { configFile: file, isConfigExplicit } = home
  let daemon: Promise<DaemonLook> | undefined
  let configuration: ReturnType<DoctorContext['configuration']> | undefined
  return {
    home,
    paths,
    machine: { env: io.env, platform: process.platform, home: home.userHome },
    cwd: io.cwd,
    version: VERSION,
    nodeVersion: process.versions.node,
    now: Date.now(),
    daemon: () => (daemon ??= lookAtDaemon(paths)),
    configuration() {
      configuration ??= this.daemon().then(({ state }) =>
        loadConfiguration({ file, env: io.env, isExplicit: isConfigExplicit, isDaemonRunning: state === 'running' }),
      )
      return configuration
    },
  }
}

interface ConfigurationPlace {
  readonly file: string
  readonly env: DoctorContext['machine']['env']
  readonly isExplicit: boolean
  /** Then the daemon knows which variables are set, and we do not: it has the environment of whoever started it. */
  readonly isDaemonRunning: boolean
}

async function loadConfiguration(place: ConfigurationPlace): ReturnType<DoctorContext['configuration']> {
  const { file, env, isExplicit, isDaemonRunning } = place
  try {
    if (!isExplicit && (await stat(file).catch(() => undefined)) === undefined) return undefined
    const unresolvedVariables = isDaemonRunning ? 'keep' : 'refuse'
    return await switchboardFile.load({ file, env, unresolvedVariables, wrongEntries: 'settle' })
  } catch (thrown) {
    return thrown instanceof SwitchboardError ? thrown : toSwitchboardError(thrown)
  }
}
