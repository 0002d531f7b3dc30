/** What the socket knows of files where no pack looks at them. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type FileWork, NEVER_RAN } from '@switchboard/toolkit'

const NOTHING = { pending: 0, running: 0, failed: 0 } as const

export const NO_WORK: FileWork = {
  isIdle: true,
  counts: () => NOTHING,
  recentActivity: () => NEVER_RAN,
  enqueue: async () => {
    throw new SwitchboardError('index_unavailable', 'Nothing in this daemon looks at files')
  },
  awaitIdle: async () => ({ idle: true, timed_out: false, queue: NOTHING, recent_activity: NEVER_RAN }),
}
