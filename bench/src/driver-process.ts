/** The benchmark's end of a driver: starts it, commands it, ends it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { BatchRequest, BatchResult, DriverMessage, DriverSetup } from './drivers/driver-protocol.ts'

export interface StartDriverOptions {
  readonly program: string
  readonly setup: DriverSetup
  /** Where a CPU profile of it is written when it ends. */
  readonly profileFolder?: string | undefined
}

export class DriverProcess implements AsyncDisposable {
  /** Numbers the profiles: two drivers may be of one kind. */
  static #started = 0
  readonly #child: ChildProcess

  private constructor(child: ChildProcess) {
    this.#child = child
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Undefined: what it would measure is not installed. */
  static async start({ program, setup, profileFolder }: StartDriverOptions): Promise<DriverProcess | undefined> {
    const profile =
      profileFolder === undefined
        ? []
        : [
            '--cpu-prof',
            `--cpu-prof-dir=${profileFolder}`,
            `--cpu-prof-name=${setup.kind}-${++DriverProcess.#started}.cpuprofile`,
          ]
    const child = fork(program, [JSON.stringify(setup)], { execArgv: profile, serialization: 'advanced' })
    const driver = new DriverProcess(child)
    const message = await driver.#receive()
    if (message.type === 'ready') return driver
    await driver[Symbol.asyncDispose]()
    if (message.type === 'failed' && message.missing) return undefined
    throw new Error(`The driver ${setup.kind} did not start: ${JSON.stringify(message)}`)
  }

  async run(request: BatchRequest): Promise<BatchResult> {
    const answer = this.#receive()
    this.#child.send(request)
    const message = await answer
    if (message.type === 'ran') return message.result
    throw new Error(`A batch of ${request.calls} calls failed: ${JSON.stringify(message)}`)
  }

  /** It ends its server first. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exited = once(this.#child, 'exit')
    if (this.#child.connected) this.#child.disconnect()
    await exited
  }

  #receive(): Promise<DriverMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<DriverMessage>()
    const onExit = (code: number | null, signal: string | null): void => {
      this.#child.off('message', onMessage)
      reject(new Error(`A driver ended in the middle of its work (code ${code}, signal ${signal}).`))
    }
    // Only our own driver is at the other end of the channel.
    const onMessage = (message: unknown): void => {
      this.#child.off('exit', onExit)
      resolve(message as DriverMessage)
    }
    this.#child.once('message', onMessage)
    this.#child.once('exit', onExit)
    return promise
  }
}
