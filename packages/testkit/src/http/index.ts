export type { SseEvent } from './event-reader.ts'
export { type Exchange, exchange, openStream, type RawRequest, type RawStream } from './exchange.ts'
export {
  type Answer,
  connectAgent,
  ERAS,
  type Era,
  failureOf,
  type HttpAgent,
  openSession,
} from './http-agent.ts'
export { callTool, createCall, JSON_HEADERS, modern } from './messages.ts'
