/** What waits to be trusted, or is wrong, in the project that one is in, and in those of open windows. */
import { lookAtProject } from '@switchboard/daemon'
import { switchboardFile } from '@switchboard/daemon/configuration'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { explainProject } from '../../status/project-lines.ts'
import { formatCount } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, ok, warn } from '../finding.ts'

const CURE = 'switchboard trust, in that folder, shows what there is and asks.'

export async function checkProjects(context: DoctorContext): Promise<Finding[]> {
  const { home, paths, cwd, machine } = context
  const look = await context.daemon()
  const read = await context.configuration()
  const config = read === undefined || read instanceof SwitchboardError ? switchboardFile.check({}) : read
  const place = { folder: cwd, userHome: home.userHome, paths, env: machine.env, config }
  const here = await lookAtProject(place)
  const open = look.state === 'running' ? (look.status.projects ?? []) : []
  const all = [...(here === undefined ? [] : [here]), ...open.filter(({ folder }) => folder !== here?.folder)]
  const findings = all.flatMap((project) => explainProject(project).map((line) => warn(line, CURE)))
  if (findings.length > 0) return findings
  return [
    ok(all.length === 0 ? 'no project here names servers' : `nothing waits in ${formatCount(all.length, 'project')}`),
  ]
}
