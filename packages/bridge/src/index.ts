export {
  askBridge,
  type BridgeHealth,
  type BridgeRequest,
  describeHealth,
  readBridgeHealth,
} from './bridge-client.ts'
export { BridgeHost, type BridgeHostOptions, type BridgeHostState } from './bridge-host.ts'
export type { BridgeScript } from './job-runner.ts'
export { BRIDGE_FOLDER, type BridgeCommand, BridgeError, type BridgeFailure } from './layout.ts'
