/** Protobuf, as much of it as the messages of OTLP need: `schema.ts` says which member is written how. */
import { MESSAGES, type MessageName, type WireType } from './schema.ts'

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const FIXED32 = 5

/** A growing piece of memory; lengths are written once what they count is known. */
class Writer {
  #buffer = Buffer.allocUnsafe(16 * 1024)
  #at = 0

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#at)
  }

  message(name: MessageName, value: object): void {
    const shape = MESSAGES[name]
    // Of plain objects that were made for this: nothing is inherited.
    for (const key in value) {
      const member: unknown = value[key as keyof typeof value]
      const field = shape[key]
      if (field === undefined || member === undefined) continue
      const [number, type] = field
      if (!Array.isArray(member)) this.#field(number, type, member)
      else if (type === 'fixed64s' || type === 'doubles') this.#packed(number, type, member)
      else for (const item of member) this.#field(number, type, item)
    }
  }

  #field(number: number, type: WireType, value: unknown): void {
    switch (type) {
      case 'string':
        this.#text(number, String(value), 'utf8')
        break
      case 'hex':
        this.#text(number, String(value), 'hex')
        break
      case 'bool':
        this.#tag(number, VARINT)
        this.#varint(value === true ? 1 : 0)
        break
      case 'enum':
        this.#tag(number, VARINT)
        this.#varint(Number(value))
        break
      case 'int64':
        this.#tag(number, VARINT)
        this.#varint64(BigInt.asUintN(64, BigInt(String(value))))
        break
      case 'fixed32':
        this.#tag(number, FIXED32)
        this.#reserve(4)
        this.#at = this.#buffer.writeUInt32LE(Number(value), this.#at)
        break
      case 'fixed64':
        this.#tag(number, FIXED64)
        this.#fixed64(value)
        break
      case 'double':
        this.#tag(number, FIXED64)
        this.#double(value)
        break
      case 'fixed64s':
      case 'doubles':
        this.#packed(number, type, [value])
        break
      default:
        // Whatever has the type of a message is an object: `messages.ts`.
        this.#nested(number, () => this.message(type, value as object))
    }
  }

  #packed(number: number, type: 'fixed64s' | 'doubles', values: readonly unknown[]): void {
    this.#nested(number, () => {
      for (const value of values) {
        if (type === 'fixed64s') this.#fixed64(value)
        else this.#double(value)
      }
    })
  }

  /** The length goes before what it counts: four bytes are kept for it, which hold more than a batch ever has. */
  #nested(number: number, write: () => void): void {
    this.#tag(number, BYTES)
    this.#reserve(4)
    const start = this.#at
    this.#at += 4
    write()
    const length = this.#at - start - 4
    for (let index = 0; index < 3; index++) this.#buffer[start + index] = ((length >> (7 * index)) & 127) | 128
    this.#buffer[start + 3] = (length >> 21) & 127
  }

  #text(number: number, text: string, encoding: 'utf8' | 'hex'): void {
    this.#tag(number, BYTES)
    const length = Buffer.byteLength(text, encoding)
    this.#varint(length)
    this.#reserve(length)
    this.#at += this.#buffer.write(text, this.#at, encoding)
  }

  #tag(number: number, wire: number): void {
    this.#varint((number << 3) | wire)
  }

  /** Of tags, lengths and the like: below 2³¹. */
  #varint(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 127) {
      this.#buffer[this.#at++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#buffer[this.#at++] = rest
  }

  #varint64(value: bigint): void {
    this.#reserve(10)
    let rest = value
    while (rest > 127n) {
      this.#buffer[this.#at++] = Number(rest & 127n) | 128
      rest >>= 7n
    }
    this.#buffer[this.#at++] = Number(rest)
  }

  #fixed64(value: unknown): void {
    this.#reserve(8)
    this.#at = this.#buffer.writeBigUInt64LE(BigInt(String(value)), this.#at)
  }

  #double(value: unknown): void {
    this.#reserve(8)
    this.#at = this.#buffer.writeDoubleLE(Number(value), this.#at)
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#at + bytes))
    this.#buffer.copy(grown, 0, 0, this.#at)
    this.#buffer = grown
  }
}

export function writeProtobuf(name: MessageName, value: object): Buffer {
  const writer = new Writer()
  writer.message(name, value)
  return writer.bytes()
}
