export { daemonEndpoint, type HomePaths, homePaths, localEndpointOptions } from './home-paths.ts'
export {
  type AttachParams,
  type AttachResult,
  type AttachRole,
  COMMAND_CLIENT,
  DASHBOARD_CLIENT,
  type DaemonInfo,
  IPC_METHODS,
  IPC_VERSION,
  type IpcMethod,
  PROGRESS_METHOD,
  REPLACED_METHOD,
  STOPPING_METHOD,
} from './ipc.ts'
