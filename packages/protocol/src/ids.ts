/** Ids that are made here. Randomness of trace ids comes from the platform's `crypto`; nothing is stored. */
import { readTraceparent } from './tracing/tracing.ts'

const INSTANCE_ID = /^[0-9a-z]{4}-[0-9a-f]{6}$/

/** Of each half of a byte, as a character. */
const HEX = Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const decoder = new TextDecoder()

/** Asking the platform for a few bytes costs more than all the rest of a small call; so many are fetched at once. */
const bytes = new Uint8Array(1024)
const characters = new Uint8Array(2 * bytes.length)
let digits = ''
let used = 0

function randomHex(count: number): string {
  if (used + 2 * count > digits.length) {
    digits = fetchDigits()
    used = 0
  }
  const start = used
  used += 2 * count
  return digits.slice(start, used)
}

/** Decoded as one text: joined from its digits it would be the most garbage that a call leaves behind. */
function fetchDigits(): string {
  crypto.getRandomValues(bytes)
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0
    characters[2 * index] = HEX[byte >> 4] ?? 0
    characters[2 * index + 1] = HEX[byte & 15] ?? 0
  }
  return decoder.decode(characters)
}

/**
 * Four characters of base-36 time (milliseconds, its last four digits), a dash, six hex digits: `tt79-6f854d`. It tells windows
 * apart and is no secret, so the engine's own random numbers will do: `crypto` would cost every front two megabytes.
 */
export function createInstanceId(now: number = Date.now()): string {
  const digits = Math.floor(Math.random() * 0x1000000).toString(16)
  return `${now.toString(36).slice(-4).padStart(4, '0')}-${digits.padStart(6, '0')}`
}

export function isInstanceId(value: unknown): value is string {
  return typeof value === 'string' && INSTANCE_ID.test(value)
}

/** A W3C trace id: 32 hex digits. */
export function createTraceId(): string {
  return randomHex(16)
}

/** A W3C `traceparent` for one hop of a trace. */
export function createTraceparent(traceId: string): string {
  return `00-${traceId}-${createSpanId()}-01`
}

/** A W3C span id: 16 hex digits. */
export function createSpanId(): string {
  return randomHex(8)
}

/** Of a `traceparent`; undefined: it is none. */
export function readTraceId(traceparent: unknown): string | undefined {
  return readTraceparent(traceparent)?.traceId
}
