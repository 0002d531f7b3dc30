/** The tour itself: every step does what it says, looks at what came of it, and fails when that is not so. */
import { execFile } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Backend } from '../backend/backend.ts'
import { waitUntilSettled } from '../backend/run-with-backend.ts'
import type { CommandContext } from '../context/command-context.ts'
import { throwOnInterruption } from '../program/io.ts'
import { programCommand } from '../program/program-command.ts'
import type { DemoHome } from './demo-home.ts'
import { PROGRAM_TEXT } from './demo-home.ts'
import { DemoWindow, type WindowAnswer } from './demo-window.ts'
import { ADD_COMMAND, addNpmServer, NPM_SERVER, waitForNpmServer } from './npm-server.ts'

const execute = promisify(execFile)
const START_MS = 20_000
const LOG_LINES = 8
const LOG_ATTEMPTS = 20
const LOG_PAUSE_MS = 250
/** What the log has of a server that was lost and came back. */
const RECOVERED = ['pool.restart', 'pool.recovered']

/** `title`, then what happens, line by line. */
export interface Stage {
  title(text: string): void
  say(text: string): void
  /** What a window asked, and what it got. */
  show(window: string, asked: string, answer: string): void
}

export async function runDemo(
  context: CommandContext,
  place: DemoHome,
  env: Readonly<Record<string, string | undefined>>,
  stage: Stage,
): Promise<void> {
  const { home, workspace } = place
  const windows: DemoWindow[] = []
  const open = async (name: string): Promise<DemoWindow> => {
    const window = await DemoWindow.open(name, { home, workspace, env, signal: context.io.signal })
    windows.push(window)
    return window
  }
  try {
    stage.title('Two windows, one daemon, two servers')
    const [a, b] = [await open('A'), await open('B')]
    const { openDaemonBackend } = await import('../backend/open-daemon-backend.ts')
    const backend = await openDaemonBackend(context, undefined)
    if (backend === undefined) throw failed('no daemon came up')
    try {
      await tour(context, { a, b, backend, folders: place, env }, stage)
    } finally {
      await backend.close()
    }
  } finally {
    for (const window of windows) await window.close()
  }
}

interface Place {
  readonly a: DemoWindow
  readonly b: DemoWindow
  readonly backend: Backend
  readonly folders: DemoHome
  readonly env: Readonly<Record<string, string | undefined>>
}

async function tour(context: CommandContext, place: Place, stage: Stage): Promise<void> {
  const { a, b, backend, folders, env } = place
  const servers = await waitUntilSettled(context, backend, START_MS)
  for (const { name, state, pid } of servers) stage.say(`${name} is ${state} (process ${pid})`)
  const [ofA, ofB] = [await a.listTools(), await b.listTools()]
  if (ofA.length !== ofB.length) throw failed(`window A has ${ofA.length} tools listed, window B ${ofB.length}`)
  stage.say(`window A has ${ofA.length} tools listed, and so has window B: one process of each server for both`)
  throwOnInterruption(context.io)
  const adding = addNpmServer(folders, env, context.io.signal).catch((error: unknown) => error)
  try {
    await showModes(a, b, stage)
    await showRecovery(a, b, backend, stage)
    throwOnInterruption(context.io)
    await showLog(place, stage)
    await showDebugging(b, stage)
    throwOnInterruption(context.io)
    await showMemory(a, b, stage)
  } finally {
    // Its folder goes when the tour is over.
    await adding
  }
  const failure = await adding
  if (failure !== undefined) throw failed(`switchboard ${ADD_COMMAND.join(' ')}: ${String(failure)}`)
  await showNpm(context, place, stage)
}

async function showModes(a: DemoWindow, b: DemoWindow, stage: Stage): Promise<void> {
  stage.title('Each window has a purpose of its own')
  await expectAnswer(a, 'mode_get_instructions', { mode: 'look' }, stage)
  await expectAnswer(b, 'mode_get_instructions', { mode: 'work' }, stage)
  await expectAnswer(a, 'clock_now', {}, stage)
  const denied = await a.call('ledger_add', { amount: 1 })
  if (!denied.isError || !denied.text.includes('mode_denied'))
    throw failed('a window that only looks could write', denied)
  stage.show('A', 'ledger_add {"amount":1}', firstOf(denied))
  await expectAnswer(b, 'ledger_add', { amount: 30 }, stage)
  await expectAnswer(b, 'ledger_add', { amount: 12 }, stage)
}

async function showRecovery(a: DemoWindow, b: DemoWindow, backend: Backend, stage: Stage): Promise<void> {
  stage.title('A server is killed, and nobody has to care')
  const pid = (await backend.status()).find(({ name }) => name === 'ledger')?.pid
  if (typeof pid !== 'number') throw failed('the ledger has no process')
  stage.say(`kill -9 ${pid}, the process of ledger, with a call right behind it`)
  process.kill(pid, 'SIGKILL')
  const started = performance.now()
  const answer = await a.call('ledger_total')
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (answer.isError || !answer.text.includes('42')) throw failed('the ledger did not come back', answer)
  stage.show('A', 'ledger_total', `${firstOf(answer)}, after ${seconds} s`)
  await expectAnswer(b, 'ledger_total', {}, stage)
}

/** As `switchboard logs` prints it: the lines of all processes by time. */
async function showLog({ folders: { home }, env }: Place, stage: Stage): Promise<void> {
  stage.title('One log of all of it: switchboard logs --grep ledger')
  const [command = '', ...args] = programCommand('logs', '--home', home, '--grep', 'ledger', '--no-color')
  let lines: string[] = []
  // The daemon writes its log in its own time.
  for (let attempt = 0; attempt < LOG_ATTEMPTS && !RECOVERED.every((text) => lines.join().includes(text)); attempt++) {
    if (attempt > 0) await wait(LOG_PAUSE_MS)
    lines = (await execute(command, args, { env: { ...env } })).stdout.trim().split('\n')
  }
  if (!RECOVERED.every((text) => lines.join().includes(text)))
    throw failed(`the log does not tell it: ${lines.join('\n')}`)
  for (const line of lines.slice(-LOG_LINES)) stage.say(line)
}

async function showDebugging(b: DemoWindow, stage: Stage): Promise<void> {
  stage.title('A debug session in one call')
  for (const line of PROGRAM_TEXT.trimEnd().split('\n')) stage.say(line)
  const answer = await b.call('debug_trace_function', { program: 'shop.js', path: 'shop.js', function: 'price' })
  if (answer.isError || !answer.text.includes('NaN')) throw failed('the debugger did not find it', answer)
  stage.show('B', 'debug_trace_function {"program":"shop.js","path":"shop.js","function":"price"}', answer.text)
  stage.say('The second item has no count: it is called cont, in the last line.')
}

async function showMemory(a: DemoWindow, b: DemoWindow, stage: Stage): Promise<void> {
  stage.title('What one window has learned, the other one finds')
  const solution =
    'A field is misspelled, so undefined was multiplied: debug_trace_function shows at which item the sum breaks.'
  await expectAnswer(
    b,
    'remediation_save',
    { errorMessage: 'AssertionError: expected NaN to equal 11 at shop.js:9', solution },
    stage,
  )
  const found = await a.call('remediation_search', {
    errorMessage: 'AssertionError: expected NaN to equal 11 at /srv/other/cart.js:31',
  })
  if (found.isError || !found.text.includes('misspelled')) throw failed('the memory did not find it', found)
  stage.show(
    'A',
    'remediation_search {"errorMessage":"AssertionError: expected NaN to equal 11 at /srv/other/cart.js:31"}',
    found.text,
  )
}

async function showNpm(context: CommandContext, { a, b, backend }: Place, stage: Stage): Promise<void> {
  stage.title('A server from npm, added while all of this ran')
  stage.say(`switchboard ${ADD_COMMAND.join(' ')}`)
  const server = await waitForNpmServer(backend, context.io)
  if (server?.state !== 'ready') {
    const why = server?.reason ?? 'it takes long to fetch'
    stage.say(`It is not up yet (${why}). It comes from the network; the other servers need none.`)
    return
  }
  const own = (await b.listTools()).filter((name) => name.startsWith(`${NPM_SERVER}_`))
  stage.say(
    `${NPM_SERVER} is ready (process ${server.pid}): both windows have its ${own.length} tools, nobody was restarted`,
  )
  await expectAnswer(a, `${NPM_SERVER}_get-sum`, { a: 19, b: 23 }, stage)
}

async function expectAnswer(
  window: DemoWindow,
  tool: string,
  args: Record<string, unknown>,
  stage: Stage,
): Promise<void> {
  const answer = await window.call(tool, args)
  if (answer.isError) throw failed(`${tool} failed`, answer)
  stage.show(window.name, Object.keys(args).length === 0 ? tool : `${tool} ${JSON.stringify(args)}`, firstOf(answer))
}

function firstOf({ text }: WindowAnswer): string {
  return text.split('\n').find((line) => line.trim() !== '') ?? ''
}

function failed(what: string, answer?: WindowAnswer): SwitchboardError {
  return new SwitchboardError(
    'internal',
    `The tour went wrong: ${what}${answer === undefined ? '' : `: ${answer.text}`}`,
    {
      hint: 'switchboard doctor looks at the machine.',
    },
  )
}
