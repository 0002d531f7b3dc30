/** The public SDKs' own clients, both generations behind one face: what an agent does, whoever wrote it. */
import type { JsonObject } from '@switchboard/protocol'

/** The first generation; the second as it is by default, as it negotiates, and bound to the modern era. */
export type SdkClient = 'v1' | 'v2 legacy' | 'v2 auto' | 'v2 pinned'

export type SdkTarget =
  | { readonly transport: 'stdio'; readonly command: SdkCommand }
  /** `headers`: sent with every request, over HTTP. */
  | {
      readonly transport: 'http' | 'sse' | 'websocket'
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
    }

export interface SdkCommand {
  readonly command: string
  readonly args: string[]
  readonly env?: Record<string, string>
}

export type LogLevel = 'debug' | 'info' | 'warning' | 'error'

export interface SdkCallOptions {
  readonly onprogress?: (progress: { progress: number; total?: number | undefined }) => void
  readonly signal?: AbortSignal
  /** The least severe log messages that the call wants to hear; legacy agents set it for their session. */
  readonly logLevel?: LogLevel
}

export type CompletionRef = { type: 'ref/prompt'; name: string } | { type: 'ref/resource'; uri: string }

export interface Question {
  readonly method: string
  readonly params: JsonObject
}

export interface SdkAgent {
  readonly version: string | undefined
  /** What it was asked. */
  readonly asked: Question[]
  /** The same as far as words go: the message of an elicitation, the text of a sampling request, or `roots`. */
  readonly questions: string[]
  /** What log messages said, in order. */
  readonly logs: unknown[]
  /** Names of lists and URIs of resources that were said to have changed. */
  readonly changes: string[]
  serverCapabilities(): JsonObject
  instructions(): string | undefined
  toolNames(): Promise<string[]>
  resourceUris(): Promise<string[]>
  templates(): Promise<string[]>
  promptNames(): Promise<string[]>
  call(name: string, args?: JsonObject, options?: SdkCallOptions): Promise<JsonObject>
  read(uri: string): Promise<JsonObject>
  prompt(name: string, args: Record<string, string>): Promise<JsonObject>
  complete(ref: CompletionRef, argument: { name: string; value: string }): Promise<string[]>
  /** From here on it hears of changes of the lists and of this resource. */
  follow(uri: string): Promise<void>
  unfollow(): Promise<void>
  /** Ends its session first, where it has one. */
  close(): Promise<void>
}

export const CAPABILITIES = { sampling: {}, elicitation: { form: {}, url: {} }, roots: {} }

export interface SdkAgentOptions {
  /** In everything it answers, so that a mix-up shows. Default: `agent`. */
  readonly name?: string
  /** What it says it can be asked. Default: everything. */
  readonly capabilities?: Partial<typeof CAPABILITIES>
}

/** What an agent of that name answers. */
export function answersOf(name: string) {
  return {
    sampling: {
      model: 'none',
      role: 'assistant' as const,
      content: { type: 'text' as const, text: `${name} sampled` },
    },
    elicitation: { action: 'accept' as const, content: { answer: `${name} elicited` } },
    roots: { roots: [{ uri: `file:///${name}`, name }] },
  }
}

/** What one agent was asked and heard, and the answers that it gives. */
export class AskedAgent {
  readonly asked: Question[] = []
  readonly questions: string[] = []
  readonly logs: unknown[] = []
  readonly changes: string[] = []
  readonly #answers: ReturnType<typeof answersOf>

  constructor(name: string) {
    this.#answers = answersOf(name)
  }

  sample(request: { method: string; params: object }) {
    this.#note(request)
    return this.#answers.sampling
  }

  elicit(request: { method: string; params: object }) {
    this.#note(request)
    // Of a visit to a URL nothing comes back but that it is done.
    const isVisit = 'mode' in request.params && request.params.mode === 'url'
    return isVisit ? { action: 'accept' as const } : this.#answers.elicitation
  }

  roots(request: { method: string; params?: object | undefined }) {
    this.#note(request)
    return this.#answers.roots
  }

  #note({ method, params }: { method: string; params?: object | undefined }): void {
    const question = { method, params: { ...params } }
    this.asked.push(question)
    this.questions.push(readWords(question))
  }
}

function readWords({ method, params }: Question): string {
  if (method === 'roots/list') return 'roots'
  if (method === 'elicitation/create') return String(params.message)
  // The fixture asks with one message of one text.
  const messages = params.messages as { content: { text?: string } }[]
  return messages.map(({ content }) => String(content.text)).join()
}

/** What the clients of both generations have in common. */
export interface AnyClient {
  getServerCapabilities(): object | undefined
  getInstructions(): string | undefined
  listTools(): Promise<{ tools: { name: string }[] }>
  listResources(): Promise<{ resources: { uri: string }[] }>
  listResourceTemplates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  readResource(params: { uri: string }): Promise<JsonObject>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<JsonObject>
  complete(params: {
    ref: CompletionRef
    argument: { name: string; value: string }
  }): Promise<{ completion: { values: string[] } }>
}

type Common =
  | 'asked'
  | 'questions'
  | 'logs'
  | 'changes'
  | 'serverCapabilities'
  | 'instructions'
  | 'toolNames'
  | 'resourceUris'
  | 'templates'
  | 'promptNames'
  | 'read'
  | 'prompt'
  | 'complete'

export function createCommon(client: AnyClient, conversation: AskedAgent): Pick<SdkAgent, Common> {
  return {
    asked: conversation.asked,
    questions: conversation.questions,
    logs: conversation.logs,
    changes: conversation.changes,
    serverCapabilities: () => ({ ...client.getServerCapabilities() }),
    instructions: () => client.getInstructions(),
    toolNames: async () => (await client.listTools()).tools.map(({ name }) => name),
    resourceUris: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    templates: async () =>
      (await client.listResourceTemplates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    promptNames: async () => (await client.listPrompts()).prompts.map(({ name }) => name),
    read: (uri) => client.readResource({ uri }),
    prompt: (name, args) => client.getPrompt({ name, arguments: args }),
    complete: async (ref, argument) => (await client.complete({ ref, argument })).completion.values,
  }
}
