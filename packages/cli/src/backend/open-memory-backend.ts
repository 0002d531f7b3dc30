import { SwitchboardControl } from '@switchboard/daemon'
import type { SwitchboardConfig } from '@switchboard/daemon/configuration'
import { IPC_VERSION } from '@switchboard/protocol/ipc'
import type { CommandContext } from '../context/command-context.ts'
import { createSwitchboardOptions } from '../context/switchboard-options.ts'
import { VERSION } from '../program/program-version.ts'
import type { Backend } from './backend.ts'
import { MemoryLink } from './memory-link.ts'
import type { BackendOptions } from './run-with-backend.ts'
import { SwitchboardBackend } from './switchboard-backend.ts'
import { throwOnUnknownServer } from './unknown-server.ts'

/** Rejects with `invalid_configuration`, or `unknown_server` for an `only` that is not configured. */
export async function openMemoryBackend(context: CommandContext, options: BackendOptions): Promise<Backend> {
  const { only, watch = false } = options
  const control = await SwitchboardControl.open({
    ...createSwitchboardOptions(context),
    isWatched: watch,
    attachResult: { protocol: IPC_VERSION, pid: process.pid, epoch: 0, version: VERSION },
    ...(only === undefined ? {} : { adapt: (config) => limitTo(config, only) }),
  })
  return new SwitchboardBackend(context, new MemoryLink(control))
}

/** The others are still known, so that names stay what they are; nobody waits for them. */
function limitTo(config: SwitchboardConfig, only: string): SwitchboardConfig {
  throwOnUnknownServer(
    only,
    [...config.servers, ...config.misconfigured].map(({ name }) => name),
  )
  const servers = config.servers.map((server) =>
    server.name === only ? server : { ...server, start: 'lazy' as const },
  )
  return { ...config, servers }
}
