/** A server that may use our own files is a way for every agent to them. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import { describeExposure, findHomeExposures } from '../../config/find-home-exposures.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, ok, warn } from '../finding.ts'

export async function checkServerReach(context: DoctorContext): Promise<Finding[]> {
  const config = await context.configuration()
  if (config === undefined || config instanceof SwitchboardError) return []
  const enabled = config.servers.filter((server) => server.enabled)
  const findings = enabled.flatMap((server) =>
    findHomeExposures(server, context.home).map((exposure) =>
      warn(
        describeExposure(server, exposure),
        `Give it the folder that it is meant for: change ${exposure.key} of ${server.name} in ${context.home.configFile}.`,
      ),
    ),
  )
  if (findings.length > 0) return findings
  return [ok("no server is given what is Switchboard's own")]
}
