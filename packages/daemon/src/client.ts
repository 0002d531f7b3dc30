/** What talks to a daemon, without the daemon: for commands, which must start fast. */
export { findEndpoint, throwOnForeignEndpoint } from './ipc/endpoint.ts'
export {
  type AttachedStream,
  type ConnectOptions,
  connectIpc,
  type IpcAddress,
  IpcClient,
  type RequestOptions,
} from './ipc/ipc-client.ts'
export type { ClosedDoor, DaemonEvent, DaemonHealth, DaemonState, DaemonStatus } from './ipc/ipc-results.ts'
export { readDaemonInfo } from './lock/info-file.ts'
