export { connectSdkAgent } from './connect-sdk-agent.ts'
export { answersOf, type SdkAgent, type SdkAgentOptions, type SdkClient, type SdkTarget } from './sdk-agent.ts'
