/** The one table of what the doctor looks at, in the order in which it is told. */
import { checkConfiguration } from './checks/configuration.ts'
import { checkDaemon } from './checks/daemon.ts'
import { checkDiskSpace } from './checks/disk-space.ts'
import { checkHomePermissions } from './checks/home-permissions.ts'
import { checkHttpPort } from './checks/http-port.ts'
import { checkLeftoverProcesses } from './checks/leftover-processes.ts'
import { checkLogFolder } from './checks/log-folder.ts'
import { checkModeFiles } from './checks/mode-files.ts'
import { checkNodeVersion } from './checks/node-version.ts'
import { checkServers } from './checks/servers.ts'
import { checkStaticEntries } from './checks/static-entries.ts'
import type { Check } from './doctor-context.ts'

export const CHECKS: readonly Check[] = [
  { name: 'version', look: checkNodeVersion },
  { name: 'home', look: checkHomePermissions },
  { name: 'configuration', look: checkConfiguration },
  { name: 'daemon', look: checkDaemon },
  { name: 'http', look: checkHttpPort },
  { name: 'servers', look: checkServers },
  { name: 'processes', look: checkLeftoverProcesses },
  { name: 'duplicates', look: checkStaticEntries },
  { name: 'modes', look: checkModeFiles },
  { name: 'logs', look: checkLogFolder },
  { name: 'disk', look: checkDiskSpace },
]
