export { createSpanId } from '../ids.ts'
export {
  type CallSpan,
  type Hop,
  readTraceparent,
  type SpanAttributes,
  type SpanKind,
  type TraceCarrier,
  type TracedRequest,
  type TraceParent,
  type Tracer,
} from './tracing.ts'
