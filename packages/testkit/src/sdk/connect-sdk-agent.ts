import { connectV1 } from './connect-v1.ts'
import { connectV2 } from './connect-v2.ts'
import type { SdkAgent, SdkAgentOptions, SdkClient, SdkTarget } from './sdk-agent.ts'

export async function connectSdkAgent(
  client: SdkClient,
  target: SdkTarget,
  options: SdkAgentOptions = {},
): Promise<SdkAgent> {
  return client === 'v1' ? connectV1(target, options) : connectV2(client, target, options)
}
