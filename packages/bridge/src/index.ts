export {
  askBridge,
  type BridgeHealth,
  type BridgeRequest,
  type BridgeTalk,
  describeHealth,
  readBridgeHealth,
  talkToBridge,
} from './bridge-client.ts'
export { BridgeHost, type BridgeHostOptions, type BridgeHostState } from './bridge-host.ts'
export type { BridgeChannel, BridgeDialogue, BridgeScript } from './job-runner.ts'
export { BRIDGE_FOLDER, type BridgeCommand, BridgeError, type BridgeFailure } from './layout.ts'
