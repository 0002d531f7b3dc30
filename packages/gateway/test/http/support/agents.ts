/** Every client of the SDKs on every transport that it speaks, so that one suite can be every agent in turn. */
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'

/** From the URL of a gateway to a connected agent. */
export const AGENTS: Readonly<Record<string, (url: string) => Promise<SdkAgent>>> = {
  'SDK 1 over Streamable HTTP': (url) => connectSdkAgent('v1', { transport: 'http', url: `${url}/mcp` }),
  'SDK 1 over HTTP+SSE': (url) => connectSdkAgent('v1', { transport: 'sse', url: `${url}/sse` }),
  'SDK 1 over WebSocket': (url) =>
    connectSdkAgent('v1', { transport: 'websocket', url: `${url.replace('http', 'ws')}/ws` }),
  'SDK 2 in the legacy era': (url) => connectSdkAgent('v2 legacy', { transport: 'http', url: `${url}/mcp` }),
  'SDK 2 in the era it finds': (url) => connectSdkAgent('v2 auto', { transport: 'http', url: `${url}/mcp` }),
  'SDK 2 pinned to the modern era': (url) => connectSdkAgent('v2 pinned', { transport: 'http', url: `${url}/mcp` }),
}
