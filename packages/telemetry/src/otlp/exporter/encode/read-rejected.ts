/** How much of an export the collector has not taken, though it answered with success; undefined: all of it was taken. */
import { isJsonObject } from '@switchboard/protocol'

export interface Rejected {
  readonly count: number
  readonly reason: string
}

/** Whatever the answer is: what cannot be read says nothing. */
export function readRejected(body: Buffer, contentType: string): Rejected | undefined {
  try {
    return contentType.includes('json') ? readJson(body) : readProtobuf(body)
  } catch {
    return undefined
  }
}

function readJson(body: Buffer): Rejected | undefined {
  const answer: unknown = JSON.parse(body.toString())
  const partial = isJsonObject(answer) ? answer.partialSuccess : undefined
  if (!isJsonObject(partial)) return undefined
  const count = Number(partial.rejectedSpans ?? partial.rejectedDataPoints ?? 0)
  return count > 0 ? { count, reason: String(partial.errorMessage ?? '') } : undefined
}

/** `{1: {1: int64, 2: string}}`, of both signals alike. */
function readProtobuf(body: Buffer): Rejected | undefined {
  const partial = readFields(body).get(1)
  if (!Buffer.isBuffer(partial)) return undefined
  const fields = readFields(partial)
  const count = Number(fields.get(1) ?? 0)
  const reason = fields.get(2)
  return count > 0 ? { count, reason: Buffer.isBuffer(reason) ? reason.toString() : '' } : undefined
}

function readFields(bytes: Buffer): Map<number, number | Buffer> {
  const fields = new Map<number, number | Buffer>()
  let at = 0
  const varint = (): number => {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = bytes.readUInt8(at++)
      value += (byte & 127) * 2 ** shift
      if (byte < 128) break
    }
    return value
  }
  while (at < bytes.length) {
    const tag = varint()
    if ((tag & 7) === 0) fields.set(tag >> 3, varint())
    else if ((tag & 7) === 2) {
      const length = varint()
      fields.set(tag >> 3, bytes.subarray(at, at + length))
      at += length
    } else return fields
  }
  return fields
}
