/**
 * The tools that ask the client something. Each is written once, as questions and answers of the modern era; for a
 * legacy client the SDK turns the questions into requests of its own. Four of them may ask by such requests themselves, as
 * tools of the legacy era do (the SDK's own conformance server among them): those fail for a client of the modern era.
 */
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { say } from './plain-tools.ts'

/** The server signs what it lets the client carry. Every request may meet a new server object, hence one key for all. */
const stateCodec = createRequestStateCodec<{ step: number }>({ key: 'reference-server-state-key-of-32-bytes-or-more' })
export const verifyState = stateCodec.verify

type FormSchema = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']

function textForm(...names: string[]): FormSchema {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]))
  return { type: 'object', properties, required: names }
}

const CONFIRMATION: FormSchema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }

const DEFAULTS: FormSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'A name', default: 'John Doe' },
    age: { type: 'integer', description: 'An age', default: 30 },
    score: { type: 'number', description: 'A score', default: 95.5 },
    status: { type: 'string', description: 'A status', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', description: 'Whether it was verified', default: true },
  },
  required: [],
}

const TITLED = [
  { const: 'value1', title: 'First Option' },
  { const: 'value2', title: 'Second Option' },
  { const: 'value3', title: 'Third Option' },
]
const UNTITLED = ['option1', 'option2', 'option3']

const ENUMS: FormSchema = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: UNTITLED },
    titledSingle: { type: 'string', oneOf: TITLED },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: UNTITLED } },
    titledMulti: { type: 'array', items: { anyOf: TITLED } },
  },
  required: [],
}

export function ask(message: string, requestedSchema: FormSchema): InputRequest {
  return inputRequired.elicit({ message, requestedSchema })
}

function sample(text: string, maxTokens: number): InputRequest {
  return inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens })
}

type Questions = Record<string, InputRequest>

/** The answers to all questions as one text, or the questions when an answer is missing or not of the right kind. */
export function collect(context: ServerContext, questions: Questions): { answers: string } | { open: Questions } {
  const views = Object.keys(questions).map((key) => inputResponse(context.mcpReq.inputResponses, key))
  if (views.some((view) => view.kind === 'missing')) return { open: questions }
  return { answers: JSON.stringify(views) }
}

type Answer = CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>

/** How those four ask. */
export type AskingStyle = 'questions' | 'requests'

export function registerAskingTools(server: McpServer, style: AskingStyle): void {
  const define = (name: string, description: string, run: (context: ServerContext) => Answer) =>
    server.registerTool(name, { description }, run)
  const defineQuestions = (name: string, description: string, questions: Questions, hasState = false) =>
    define(name, description, async (context) => {
      const found = collect(context, questions)
      if ('answers' in found) return say(`${hasState ? 'state-ok ' : ''}${found.answers}`)
      const state = hasState ? { requestState: await stateCodec.mint({ step: 1 }) } : {}
      return inputRequired({ inputRequests: found.open, ...state })
    })

  defineQuestions('test_input_required_result_elicitation', 'Asks for a name.', {
    user_name: ask('What is your name?', textForm('name')),
  })
  defineQuestions('test_input_required_result_sampling', 'Asks the model.', {
    capital_question: sample('What is the capital of France?', 100),
  })
  defineQuestions('test_input_required_result_list_roots', 'Asks for the roots.', {
    client_roots: inputRequired.listRoots(),
  })
  const confirmation = { confirm: ask('Please confirm', CONFIRMATION) }
  defineQuestions('test_input_required_result_request_state', 'Has the client carry its state.', confirmation, true)
  defineQuestions('test_input_required_result_tampered_state', 'Signs the state it hands out.', confirmation, true)
  const three = {
    user_name: ask('What is your name?', textForm('name')),
    greeting: sample('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  }
  defineQuestions('test_input_required_result_multiple_inputs', 'Asks three things at once.', three, true)
  defineQuestions('test_streaming_elicitation', 'Asks in the course of a call.', {
    detail: ask('Which one?', textForm('choice')),
  })
  defineQuestions('test_missing_capability', 'Needs a client that samples.', { answer: sample('Say something', 10) })
  const putQuestions = style === 'questions' ? answerOrAsk : request
  define('test_elicitation_sep1034_defaults', 'Asks with defaults.', (context) =>
    putQuestions(context, { defaults: ask('Please review the values', DEFAULTS) }, 'Values'),
  )
  define('test_elicitation_sep1330_enums', 'Asks with every kind of enumeration.', (context) =>
    putQuestions(context, { enums: ask('Please choose', ENUMS) }, 'Choice'),
  )
  define('test_input_required_result_multi_round', 'Asks twice, one after the other.', takeTwoRounds)
  define('test_input_required_result_capabilities', 'Asks only what the client can answer.', (context) => {
    const { sampling, elicitation } = readCapabilities(context, server)
    const possible: Questions = {
      ...(sampling === undefined ? {} : { sampled: sample('Say hello', 20) }),
      ...(elicitation === undefined ? {} : { elicited: ask('Say hello', textForm('greeting')) }),
    }
    const found = collect(context, possible)
    return 'answers' in found ? say(found.answers) : inputRequired({ inputRequests: found.open })
  })
  const takes = (name: string) =>
    fromJsonSchema<Record<string, string>>({
      type: 'object',
      properties: { [name]: { type: 'string' } },
      required: [name],
    })
  server.registerTool(
    'test_sampling',
    { description: 'Passes a prompt to the model of the client.', inputSchema: takes('prompt') },
    ({ prompt = '' }, context) => putQuestions(context, { sampled: sample(prompt, 100) }, 'LLM response'),
  )
  server.registerTool(
    'test_elicitation',
    { description: 'Passes a message to the user.', inputSchema: takes('message') },
    ({ message = '' }, context) =>
      putQuestions(context, { elicited: ask(message, textForm('username', 'email')) }, 'User response'),
  )
}

function answerOrAsk(
  context: ServerContext,
  questions: Questions,
  label: string,
): CallToolResult | InputRequiredResult {
  const found = collect(context, questions)
  return 'answers' in found ? say(`${label}: ${found.answers}`) : inputRequired({ inputRequests: found.open })
}

async function request(context: ServerContext, questions: Questions, label: string): Promise<CallToolResult> {
  const answers = await Promise.all(
    Object.values(questions).map(({ method, params = {} }) => context.mcpReq.send({ method, params })),
  )
  return say(`${label}: ${JSON.stringify(answers)}`)
}

async function takeTwoRounds(context: ServerContext): Promise<CallToolResult | InputRequiredResult> {
  const step = context.mcpReq.requestState<{ step: number }>()?.step ?? 0
  const first = { step1: ask('Step 1: What is your name?', textForm('name')) }
  const second = { step2: ask('Step 2: What is your favorite color?', textForm('color')) }
  if (step === 0 || (step === 1 && 'open' in collect(context, first))) {
    return inputRequired({ inputRequests: first, requestState: await stateCodec.mint({ step: 1 }) })
  }
  const found = collect(context, second)
  if ('answers' in found && step === 2) return say(found.answers)
  return inputRequired({ inputRequests: second, requestState: await stateCodec.mint({ step: 2 }) })
}

/** Modern: of this very request. Legacy: of the connection. */
function readCapabilities(context: ServerContext, server: McpServer): ClientCapabilities {
  const envelope: Record<string, unknown> = { ...context.mcpReq.envelope }
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY]
  // The SDK has checked the envelope against the schema of the protocol.
  if (declared !== undefined) return declared as ClientCapabilities
  return server.server.getClientCapabilities() ?? {}
}
