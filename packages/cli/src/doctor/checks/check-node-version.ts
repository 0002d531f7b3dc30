import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok } from '../finding.ts'

/** The `engines` of the package; a test compares them. */
export const NODE_FLOOR = '22.18'

export async function checkNodeVersion({ nodeVersion, version }: DoctorContext): Promise<Finding[]> {
  if (isAtLeast(nodeVersion, NODE_FLOOR)) return [ok(`Switchboard ${version} on Node ${nodeVersion}`)]
  return [
    error(`Node ${nodeVersion} is too old: ${NODE_FLOOR} or newer is needed`, 'Install a newer Node (nodejs.org).'),
  ]
}

function isAtLeast(version: string, floor: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = floor.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}
