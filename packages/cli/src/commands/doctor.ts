import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { loadPoolConfig } from '@switchboard/pool'
import { homePaths, SwitchboardError, toSwitchboardError } from '@switchboard/protocol'
import type { CommandInput } from '../command-line/command-spec.ts'
import { type BareContext, printJson } from '../context/command-context.ts'
import { locateHome } from '../context/home.ts'
import { CHECKS } from '../doctor/checks.ts'
import type { DoctorContext } from '../doctor/doctor-context.ts'
import { examine } from '../doctor/examine.ts'
import { formatDiagnosis, formatSummary } from '../doctor/format-diagnosis.ts'
import { type DaemonLook, lookAtDaemon } from '../doctor/look-at-daemon.ts'
import { EXIT, exitCodeOfInterruption } from '../exit-code.ts'
import { readInterruption } from '../io.ts'
import { VERSION } from '../version.ts'

export async function run(context: BareContext, input: CommandInput): Promise<number> {
  const { out, io, isJson } = context
  const doctor = createDoctorContext(context, input)
  const format = { style: out.style, isTTY: out.isTTY, userHome: doctor.home.userHome, width: out.width }
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
    out.line(formatSummary(diagnoses, out.style))
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
    configuration: () => (configuration ??= loadConfiguration(file, io.env, isConfigExplicit)),
  }
}

async function loadConfiguration(
  file: string,
  env: DoctorContext['machine']['env'],
  isExplicit: boolean,
): ReturnType<DoctorContext['configuration']> {
  try {
    if (!isExplicit && (await stat(file).catch(() => undefined)) === undefined) return undefined
    return await loadPoolConfig({ file, env })
  } catch (thrown) {
    return thrown instanceof SwitchboardError ? thrown : toSwitchboardError(thrown)
  }
}
