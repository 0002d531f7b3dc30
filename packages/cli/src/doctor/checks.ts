/** The one table of what the doctor looks at, in the order in which it is told. */
import { checkConfiguration } from './checks/check-configuration.ts'
import { checkDaemon } from './checks/check-daemon.ts'
import { checkDiskSpace } from './checks/check-disk-space.ts'
import { checkHomePermissions } from './checks/check-home-permissions.ts'
import { checkHttpPort } from './checks/check-http-port.ts'
import { checkLeftoverProcesses } from './checks/check-leftover-processes.ts'
import { checkLogFolder } from './checks/check-log-folder.ts'
import { checkModeFiles } from './checks/check-mode-files.ts'
import { checkNodeVersion } from './checks/check-node-version.ts'
import { checkProjects } from './checks/check-projects.ts'
import { checkServerReach } from './checks/check-server-reach.ts'
import { checkServers } from './checks/check-servers.ts'
import { checkStaticEntries } from './checks/check-static-entries.ts'
import { checkStore } from './checks/check-store.ts'
import type { Check } from './doctor-context.ts'

export const CHECKS: readonly Check[] = [
  { name: 'version', look: checkNodeVersion },
  { name: 'home', look: checkHomePermissions },
  { name: 'configuration', look: checkConfiguration },
  { name: 'daemon', look: checkDaemon },
  { name: 'http', look: checkHttpPort },
  { name: 'servers', look: checkServers },
  { name: 'reach', look: checkServerReach },
  { name: 'projects', look: checkProjects },
  { name: 'processes', look: checkLeftoverProcesses },
  { name: 'duplicates', look: checkStaticEntries },
  { name: 'modes', look: checkModeFiles },
  { name: 'logs', look: checkLogFolder },
  { name: 'store', look: checkStore },
  { name: 'disk', look: checkDiskSpace },
]
