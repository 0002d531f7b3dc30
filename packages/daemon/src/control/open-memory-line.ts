import { type Duplex, duplexPair } from 'node:stream'
import type { AttachParams } from '@switchboard/protocol/ipc'
import type { SwitchboardControl } from './switchboard-control.ts'

/** Attached as on the daemon's socket, without one: every line is MCP. Rejects with what speaks against it. */
export async function openMemoryLine(control: SwitchboardControl, params: AttachParams): Promise<Duplex> {
  const [near, far] = duplexPair()
  // As with a socket: when one end is gone, so is the other.
  near.once('close', () => far.destroy())
  far.once('close', () => near.destroy())
  await control.attach(
    { ...params },
    {
      get isOpen() {
        return !far.destroyed
      },
      accept: () => far,
      drop: () => void far.destroy(),
    },
  )
  return near
}
