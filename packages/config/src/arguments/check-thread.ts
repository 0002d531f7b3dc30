/**
 * A thread that checks arguments against schemas, one check at a time. Whatever takes longer than its deadline, or more
 * memory than it may, is ended with its thread: nothing else can interrupt a regular expression.
 */
import { Worker } from 'node:worker_threads'
import type { JsonObject } from '@switchboard/protocol'
import type { ErrorObject } from 'ajv'
import { ONE_SCHEMA } from './compile-schema.ts'

export interface SchemaCheck {
  /** The same for the same schema. */
  readonly key: number
  readonly schema: JsonObject
  /** The module of Ajv that knows the dialect of the schema. */
  readonly ajv: string
  /** As JSON: to write it takes a tenth of the time that copying many small objects to another thread takes. */
  readonly args: string
}

export type CheckOutcome =
  /** What does not fit; empty: all does. */
  | { readonly errors: readonly ErrorObject[] }
  /** The schema is none that can be used. */
  | { readonly unusable: string }
  /** The check of the arguments did not end by itself. */
  | { readonly ended: string }

export interface CheckDeadlines {
  /** Milliseconds to compile a schema. */
  readonly schema: number
  /** Milliseconds to check arguments. */
  readonly args: number
}

/** More than this are not described. */
const MAX_ERRORS = 100
const MAX_MEMORY_MB = 256
/** Milliseconds until a thread runs, on a machine that has no time. */
const START_DEADLINE = 30_000

type Step = 'begun' | 'compiled'

/** Text, so that it needs no file beside a bundle. Validators are kept as long as the thread. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
const load = require('node:module').createRequire(workerData.from)
const dialects = new Map()
const validators = new Map()
const words = (error) => String(error instanceof Error ? error.message : error)
function dialectOf(ajv) {
  if (!dialects.has(ajv)) {
    const Ajv = load(ajv).default
    const judge = new Ajv(workerData.options)
    judge.validateSchema({}, true)
    dialects.set(ajv, { Ajv, judge })
  }
  return dialects.get(ajv)
}
function compile(schema, { Ajv, judge }) {
  judge.validateSchema(schema, true)
  return new Ajv(workerData.oneSchema).compile(schema)
}
function check({ key, schema, ajv, args }) {
  const dialect = dialectOf(ajv)
  parentPort.postMessage('begun')
  try {
    if (!validators.has(key)) validators.set(key, compile(schema, dialect))
  } catch (error) {
    return { unusable: words(error) }
  }
  parentPort.postMessage('compiled')
  const validate = validators.get(key)
  try {
    return { errors: validate(JSON.parse(args)) ? [] : JSON.parse(JSON.stringify(validate.errors.slice(0, ${MAX_ERRORS}))) }
  } catch (error) {
    return { ended: words(error) }
  }
}
parentPort.on('message', (message) => parentPort.postMessage(check(message)))
`

export class CheckThread {
  readonly #worker: Worker
  readonly #deadlines: CheckDeadlines
  #isEnded = false

  /** `options`: of Ajv. */
  constructor(options: object, deadlines: CheckDeadlines) {
    this.#deadlines = deadlines
    this.#worker = new Worker(THREAD, {
      eval: true,
      workerData: { options, oneSchema: { ...options, ...ONE_SCHEMA }, from: import.meta.url },
      // It needs nothing of what the process was started with, such as a debugger's hooks.
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    })
    // Whoever waits for a check hears of it; between two there is nobody to tell.
    this.#worker.on('error', () => undefined)
    this.#worker.once('exit', () => {
      this.#isEnded = true
    })
    this.#worker.unref()
  }

  /** It checks nothing any more. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Never rejects. */
  check(check: SchemaCheck): Promise<CheckOutcome> {
    const worker = this.#worker
    return new Promise((resolve) => {
      let step: Step | undefined
      let timer: NodeJS.Timeout | undefined
      let timeUp: NodeJS.Immediate | undefined
      const stopWatch = (): void => {
        clearTimeout(timer)
        clearImmediate(timeUp)
      }
      const settle = (outcome: CheckOutcome): void => {
        stopWatch()
        worker.off('message', onMessage).off('error', onError).off('exit', onExit).unref()
        resolve(outcome)
      }
      // Before it has read the arguments, they have no part in it.
      const giveUp = (why: string): void => settle(step === 'compiled' ? { ended: why } : { unusable: why })
      const allow = (ms: number): void => {
        stopWatch()
        timer = setTimeout(() => {
          // Where we ourselves stood still, its answer may be there already, and comes first.
          timeUp = setImmediate(() => {
            this.end()
            giveUp(`it took longer than ${ms / 1000} s`)
          })
        }, ms)
      }
      const onMessage = (message: CheckOutcome | Step): void => {
        if (typeof message === 'object') settle(message)
        else {
          step = message
          allow(step === 'begun' ? this.#deadlines.schema : this.#deadlines.args)
        }
      }
      const onError = (error: Error): void => giveUp(error.message)
      const onExit = (): void => giveUp('its thread ended')
      worker.on('message', onMessage).once('error', onError).once('exit', onExit).ref()
      allow(START_DEADLINE)
      worker.postMessage(check)
    })
  }

  end(): void {
    this.#isEnded = true
    this.#worker.terminate().catch(() => undefined)
  }
}
