/** A real server of the three APIs, whose vectors are those of the words: texts with words in common are near. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

/** What it does instead of answering. */
export type Fault =
  | { readonly kind: 'none' }
  /** Takes the request and never answers. */
  | { readonly kind: 'silent' }
  /** Begins an answer that never ends. */
  | { readonly kind: 'endless'; readonly pace: 'drip' | 'flood' }
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  | { readonly kind: 'body'; readonly body: string }
  /** Changes the answer that it would have given. */
  | { readonly kind: 'answer'; readonly change: (vectors: number[][]) => unknown }
  /** Refuses texts that have this in them. */
  | { readonly kind: 'refuses'; readonly text: string }
  | { readonly kind: 'shut' }

export interface Asked {
  readonly path: string
  readonly body: JsonObject
  readonly texts: readonly string[]
  readonly authorization: string | undefined
}

export interface EncoderServer extends AsyncDisposable {
  readonly url: string
  readonly asked: Asked[]
  /** All texts that it was asked for. */
  texts(): string[]
  fail(fault: Fault): void
  /** How long its vectors are. */
  setDimension(dimension: number): void
  setModel(name: string): void
  /** Nothing listens any more, and every connection is cut. */
  stop(): Promise<void>
  /** On the same port. */
  start(): Promise<void>
}

const DEFAULT_DIMENSION = 64

/** A word is a place in it; those that mean the same share one, so that meaning finds what words do not. */
const SYNONYMS: Readonly<Record<string, string>> = {
  automobile: 'car',
  crashed: 'collided',
  quick: 'fast',
  repair: 'fix',
}

export async function startEncoderServer(): Promise<EncoderServer> {
  const asked: Asked[] = []
  let fault: Fault = { kind: 'none' }
  let dimension = DEFAULT_DIMENSION
  let model = 'words'
  let port = 0
  let server: Server | undefined

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (path === '/info') return send(response, 200, JSON.stringify({ model_id: model, model_sha: 'abc' }))
    const body = await readJson(request)
    const texts = readTexts(body)
    asked.push({ path, body, texts, authorization: request.headers.authorization })
    await react(response, path, body, texts)
  }

  async function react(response: ServerResponse, path: string, body: JsonObject, texts: readonly string[]) {
    const vectors = texts.map((text) => toVector(text, dimension))
    switch (fault.kind) {
      case 'silent':
        return
      case 'shut':
        return void response.destroy()
      case 'endless':
        return endless(response, fault.pace)
      case 'status':
        return send(response, fault.status, fault.body ?? JSON.stringify({ error: { message: 'no' } }), fault.headers)
      case 'body':
        return send(response, 200, fault.body)
      case 'answer':
        return send(response, 200, JSON.stringify(fault.change(vectors)))
      case 'refuses': {
        const { text } = fault
        if (texts.some((one) => one.includes(text))) return send(response, 413, JSON.stringify({ error: 'too long' }))
        return send(response, 200, JSON.stringify(toAnswer(path, body, vectors)))
      }
      default:
        send(response, 200, JSON.stringify(toAnswer(path, body, vectors)))
    }
  }

  async function start(): Promise<void> {
    const started = createServer((request, response) => {
      answer(request, response).catch((error: unknown) => send(response, 500, String(error)))
    })
    await new Promise<void>((resolve) => started.listen(port, '127.0.0.1', resolve))
    // Listening on a port, so not a text.
    port = (started.address() as AddressInfo).port
    server = started
  }

  async function stop(): Promise<void> {
    const ended = server
    server = undefined
    if (ended === undefined) return
    ended.closeAllConnections()
    await new Promise((resolve) => ended.close(resolve))
  }

  await start()
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    texts: () => asked.flatMap(({ texts }) => texts),
    fail: (next) => {
      fault = next
    },
    setDimension: (next) => {
      dimension = next
    },
    setModel: (next) => {
      model = next
    },
    start,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

function toVector(text: string, dimension = DEFAULT_DIMENSION): number[] {
  const vector = new Array<number>(dimension).fill(0)
  for (const word of text.toLowerCase().match(/[a-z0-9]+/g) ?? ['.']) {
    const place = hash(SYNONYMS[word] ?? word) % dimension
    vector[place] = (vector[place] ?? 0) + 1
  }
  return vector
}

function hash(word: string): number {
  let value = 7
  for (const character of word) value = (value * 31 + character.charCodeAt(0)) % 1_000_003
  return value
}

function toAnswer(path: string, body: JsonObject, vectors: readonly number[][]): unknown {
  if (path === '/embed') return vectors
  if (path === '/api/embed') return { model: body.model, embeddings: vectors }
  const encode = (vector: number[]) =>
    body.encoding_format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : vector
  const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector) }))
  // In another order: each says where it belongs.
  return { object: 'list', model: body.model, data: data.reverse() }
}

function readTexts({ input, inputs }: JsonObject): string[] {
  const texts = input ?? inputs
  return Array.isArray(texts) ? texts.map(String) : []
}

async function readJson(request: IncomingMessage): Promise<JsonObject> {
  let text = ''
  for await (const part of request) text += String(part)
  const body: unknown = JSON.parse(text)
  return isJsonObject(body) ? body : {}
}

function send(response: ServerResponse, status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}

function endless(response: ServerResponse, pace: 'drip' | 'flood'): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write('[')
  const part = pace === 'flood' ? ' '.repeat(1_048_576) : ' '
  const write = (): void => {
    if (response.destroyed) return
    if (pace === 'drip' || !response.write(part)) response.once('drain', write)
    else setImmediate(write)
  }
  write()
}
