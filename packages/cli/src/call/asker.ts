/**
 * Answers what a server asks in the middle of a call. Roots: the working directory. A form or a page: the person at
 * the terminal; where there is none it is declined. A model: there is none here.
 */
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { AskRequest, AskRequests, AskResponses, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandContext } from '../context/command-context.ts'
import { toSafeLine, toSafeText } from '../terminal/safe-text.ts'
import { fillForm } from './fill-form.ts'
import type { ProgressDisplay } from './progress-display.ts'
import { TerminalPrompt } from './terminal-prompt.ts'

export class Asker {
  readonly #context: CommandContext
  readonly #display: ProgressDisplay
  /** Questions are put one after the other: there is one keyboard. */
  #last: Promise<unknown> = Promise.resolve()
  #prompt: TerminalPrompt | undefined

  constructor(context: CommandContext, display: ProgressDisplay) {
    this.#context = context
    this.#display = display
  }

  async answer(requests: AskRequests): Promise<AskResponses> {
    const answers: Record<string, JsonObject> = {}
    for (const [key, request] of Object.entries(requests)) {
      const next = this.#last.then(() => this.#answerOne(request))
      this.#last = next.catch(() => undefined)
      answers[key] = await next
    }
    return answers
  }

  /** The call is over: nobody waits for the answer any more. */
  close(): void {
    this.#prompt?.close()
  }

  async #answerOne({ method, params = {} }: AskRequest): Promise<JsonObject> {
    switch (method) {
      case 'roots/list': {
        const { cwd } = this.#context.io
        return { roots: [{ uri: pathToFileURL(cwd).href, name: basename(cwd) }] }
      }
      case 'elicitation/create':
        return this.#elicit(params)
      default: {
        const what = method === 'sampling/createMessage' ? 'a model (sampling)' : method
        this.#note(`declined: the server asked for ${what}, which a terminal does not have`)
        throw new SwitchboardError(
          'ask_unsupported',
          `The switchboard command cannot answer ${method}: it has no model`,
        )
      }
    }
  }

  async #elicit(params: JsonObject): Promise<JsonObject> {
    const { io, err } = this.#context
    const message = typeof params.message === 'string' ? params.message : 'The server asks for something.'
    if (io.stdin.isTTY !== true || !err.isTTY) {
      this.#note(`declined: the server asks "${toSafeLine(message)}", and there is no terminal to ask on`)
      return { action: 'decline' }
    }
    this.#display.pause()
    const prompt = new TerminalPrompt(io, err)
    this.#prompt = prompt
    try {
      err.line(`${err.style.bold(err.style.cyan('?'))} ${err.style.bold(toSafeText(message))}`)
      return params.mode === 'url'
        ? await visitPage(prompt, params.url)
        : await fillForm(prompt, params.requestedSchema)
    } finally {
      prompt.close()
      this.#prompt = undefined
      this.#display.resume()
    }
  }

  #note(text: string): void {
    const { err } = this.#context
    this.#display.pause()
    err.line(err.style.yellow(text))
    this.#display.resume()
  }
}

/** The address is shown, never opened: a person decides where to go. */
async function visitPage(prompt: TerminalPrompt, url: unknown): Promise<JsonObject> {
  prompt.say(`  It wants you to open: ${toSafeLine(String(url))}`)
  const answer = await prompt.ask('  Open it in your browser, then answer here. Done? [y/N] ')
  if (answer === undefined) return { action: 'cancel' }
  return { action: /^y(?:es)?$/i.test(answer.trim()) ? 'accept' : 'decline' }
}
