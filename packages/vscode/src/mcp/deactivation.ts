/** The four steps in which a window takes its server back, in this order and no other; each leaves a line in the log. */
import type { Logger } from '@switchboard/telemetry'

export interface Deactivation {
  readonly registration: { dispose(): void }
  readonly provider: { shutdown(): void; dispose(): void }
  readonly log: Logger
}

export async function takeServerBack({ registration, provider, log }: Deactivation): Promise<void> {
  registration.dispose()
  log.info('ext.deactivate', 'step 1 of 4: registration disposed')
  provider.shutdown()
  log.info('ext.mcp', 'step 2 of 4: provider shut down, no server is offered any more')
  // VS Code has to come round to asking again, and to hearing that there is none.
  await new Promise((resolve) => setTimeout(resolve, 0))
  log.info('ext.deactivate', 'step 3 of 4: yielded one tick')
  provider.dispose()
  log.info('ext.mcp', 'step 4 of 4: provider disposed')
}
