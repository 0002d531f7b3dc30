export { daemonEndpoint, type HomePaths, homePaths, localEndpointOptions } from './home-paths.ts'
export {
  type AttachParams,
  type AttachResult,
  type AttachRole,
  COMMAND_CLIENT,
  DASHBOARD_CLIENT,
  type DaemonInfo,
  FRONT_TIMES_METHOD,
  IPC_METHODS,
  IPC_VERSION,
  type IpcMethod,
  PROGRESS_METHOD,
  REPLACED_METHOD,
  STOPPING_METHOD,
  TIMES_WANTED_METHOD,
} from './ipc.ts'
