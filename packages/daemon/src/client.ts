/** What talks to a daemon, without the daemon: for commands, which must start fast. */
export type { ControlMethod } from './control/control-methods.ts'
export type {
  CallRow,
  DashboardCallAnswer,
  DashboardFailure,
  DashboardOverview,
  DashboardTool,
  DashboardTrace,
  FeedMessage,
  FeedTopics,
  HeldToolRow,
  LatencyPoint,
  LogAsked,
  ServerRow,
  ToolRow,
} from './dashboard/wire.ts'
export type { ConnectionsStatus } from './http/connection-caps.ts'
export { findEndpoint, throwOnForeignEndpoint } from './ipc/endpoint.ts'
export {
  type AttachedStream,
  type ConnectOptions,
  connectIpc,
  type IpcAddress,
  IpcClient,
  type IpcRequestOptions,
} from './ipc/ipc-client.ts'
export type {
  ClosedDoor,
  ConfigurationVerdict,
  DaemonEvent,
  DaemonHealth,
  DaemonState,
  DaemonStatus,
  SwitchboardStatus,
} from './ipc/ipc-results.ts'
export { McpLine, type McpLineOptions } from './ipc/mcp-line.ts'
export { readDaemonInfo } from './lock/info-file.ts'
export type { ProjectReport, ProjectServerReport } from './projects/project-report.ts'
export type { ServerTrust, WaitingReport } from './trust/trust-report.ts'
