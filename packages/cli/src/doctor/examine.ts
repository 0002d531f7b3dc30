/** Runs the checks one after the other and, when asked to, the cures of what they found. A check that fails is a finding. */
import { errorMessage } from '@switchboard/base'
import type { Check, DoctorContext } from './doctor-context.ts'
import { error, type Finding, type FindingLevel } from './finding.ts'

/** A finding as it is told. */
export interface Diagnosis {
  readonly check: string
  readonly level: FindingLevel
  readonly message: string
  readonly cure?: string
  readonly fixable: boolean
  /** Cured just now: `message` says how, and the level is ok. */
  readonly fixed?: true
}

export interface ExamineOptions {
  readonly fix: boolean
  readonly signal: AbortSignal
  /** As soon as each is known. */
  onDiagnosis?(diagnosis: Diagnosis): void
}

export async function examine(
  checks: readonly Check[],
  context: DoctorContext,
  { fix, signal, onDiagnosis }: ExamineOptions,
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = []
  for (const { name, look } of checks) {
    if (signal.aborted) break
    const findings = await look(context).catch((thrown: unknown) => [
      error(`this could not be looked at: ${errorMessage(thrown)}`, 'Please report it, with the output of --verbose.'),
    ])
    for (const finding of findings) {
      if (signal.aborted) break
      const diagnosis = fix && finding.fix !== undefined ? await cure(name, finding) : tell(name, finding)
      diagnoses.push(diagnosis)
      onDiagnosis?.(diagnosis)
    }
  }
  return diagnoses
}

async function cure(check: string, finding: Finding): Promise<Diagnosis> {
  try {
    const message = await finding.fix?.()
    return { check, level: 'ok', message: message ?? finding.message, fixable: true, fixed: true }
  } catch (thrown) {
    const told = tell(check, finding)
    return { ...told, message: `${told.message} (could not be cured: ${errorMessage(thrown)})` }
  }
}

function tell(check: string, { level, message, cure: advice, fix }: Finding): Diagnosis {
  return { check, level, message, ...(advice === undefined ? {} : { cure: advice }), fixable: fix !== undefined }
}
