/**
 * What an agent debugs through VS Code: the other end of a debug adapter's wire. Requests of the agent's engine become what the
 * editor's own debugger does (`startDebugging`, breakpoints of the editor, requests to the session), and what happens there is told
 * as an adapter would tell it. So the person sees everything, and can go on by hand.
 *
 * 1. A stop is told before anything that is asked because of it is answered.
 * 2. A thread that goes on is told before it can stop again, whoever let it go on.
 * 3. `terminated` or `closed` is the last that is told of a target.
 */
import { within } from '@switchboard/base'
import type { BridgeChannel } from '@switchboard/bridge'
import type { JsonObject } from '@switchboard/protocol'
import * as vscode from 'vscode'
import type { AgentBreakpoints } from './agent-breakpoints.ts'
import {
  type DapMessage,
  describeFailure,
  readNumber,
  readObject,
  readObjects,
  readText,
  withPlainPaths,
} from './dap-messages.ts'
import { withoutChatter, withoutMarks } from './launcher-output.ts'
import { Member } from './member.ts'
import type { SessionListener } from './session-tracker.ts'
import { AgentTarget } from './target.ts'

export interface RunOptions {
  /** Whose breakpoints hold in it. */
  readonly owner: string
  readonly breakpoints: AgentBreakpoints
  readonly channel: BridgeChannel
  /** The person's: it can be looked at, and nothing else. */
  readonly isReadOnly: boolean
  /** Makes VS Code start it. Rejects with why it did not. */
  begin(run: AgentRun): Promise<void>
  /** Of the program, where it can be told. */
  readExitCode(): number | undefined
}

/** In which VS Code tells an adapter of a breakpoint that was set in the editor, and the adapter answers. */
const SETTLE_MS = 3_000
const FAREWELL_MS = 5_000
const RESUMING: ReadonlySet<string> = new Set([
  'continue',
  'next',
  'stepIn',
  'stepOut',
  'stepBack',
  'reverseContinue',
  'goto',
])
const READING: ReadonlySet<string> = new Set(['stackTrace', 'scopes', 'variables', 'evaluate', 'exceptionInfo'])
const NOT_YOURS = 'This debug session is the person’s: it can be looked at, and only they go on with it'

export class AgentRun implements SessionListener {
  readonly #options: RunOptions
  readonly #targets = new Map<number, AgentTarget>()
  readonly #members = new Map<string, { readonly member: Member; readonly target: AgentTarget }>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #begun = Promise.withResolvers<true>()
  readonly #refused = Promise.withResolvers<never>()
  readonly #changed = new Set<() => void>()
  readonly #own = new Set<string>()
  readonly #main: AgentTarget
  #root: vscode.DebugSession | undefined
  #launch: JsonObject | undefined
  /** Nobody stops at exceptions unless the agent says so, whatever the person has chosen for their own. */
  #filters: JsonObject = { filters: [] }
  #functions: readonly JsonObject[] = []
  #isEnding = false
  #hasDied = false
  #exitCode: number | undefined

  constructor(options: RunOptions) {
    this.#options = options
    this.#main = this.#addTarget()
    this.#refused.promise.catch(() => undefined)
    options.channel.onMessage = (message) => void this.#handle(readObject(message))
  }

  /** When nothing is left of it in VS Code. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get owner(): string {
    return this.#options.owner
  }

  /** When VS Code has a session for it. */
  get begun(): Promise<true> {
    return this.#begun.promise
  }

  /** A session begins that belongs to it. */
  adopt(session: vscode.DebugSession): void {
    const parent = session.parentSession === undefined ? undefined : this.#members.get(session.parentSession.id)
    this.#root ??= session
    this.#begun.resolve(true)
    // It was given up while VS Code was starting it.
    if (this.#isEnding) void vscode.debug.stopDebugging(session)
    const isJavaScript = /^(?:pwa-|node)/.test(session.type)
    const isLauncher = isJavaScript && session.configuration.__pendingTargetId === undefined
    const member = new Member(session, isLauncher)
    const target = this.#targetFor(session, parent)
    target.members.push(member)
    this.#members.set(session.id, { member, target })
    const pid = /\[(\d+)\]$/.exec(session.name)?.[1]
    if (isJavaScript && !isLauncher && pid !== undefined && target.main === member) {
      target.tell('process', { name: session.name, systemProcessId: Number(pid) })
    }
  }

  /** It stood already when the agent came. */
  tellStop(session: vscode.DebugSession, body: JsonObject): void {
    const found = this.#members.get(session.id)
    if (found !== undefined) this.#onStopped(found.member, found.target, body)
  }

  onRequest(session: vscode.DebugSession, message: DapMessage): void {
    const found = this.#members.get(session.id)
    if (found === undefined || message.type !== 'request') return
    const { member, target } = found
    const { owner, breakpoints, isReadOnly } = this.#options
    const command = readText(message.command) ?? ''
    member.noteRequest(message)
    if (RESUMING.has(command)) this.#onResume(member, target, readObject(message.arguments), command)
    if (isReadOnly) return
    switch (command) {
      case 'setBreakpoints':
        member.rewriteBreakpoints(message, owner, breakpoints)
        break
      case 'setExceptionBreakpoints':
        message.arguments = { ...this.#filters, filterOptions: [] }
        break
      case 'setFunctionBreakpoints': {
        const theirs = readObjects(readObject(message.arguments).breakpoints)
        message.arguments = { breakpoints: [...theirs, ...this.#functions] }
        break
      }
      case 'disconnect':
      case 'terminate':
        if (session === this.#root) this.#isEnding = true
    }
  }

  onMessage(session: vscode.DebugSession, message: DapMessage): void {
    const found = this.#members.get(session.id)
    if (found === undefined) return
    const { member, target } = found
    if (message.type === 'event') {
      const body = readObject(message.body)
      this.#onEvent(member, target, readText(message.event) ?? '', { ...body })
      // The person does not read our marks.
      if (message.event === 'output' && typeof body.output === 'string') body.output = withoutMarks(body.output)
    }
    if (message.type !== 'response') return
    member.answer(message)
    if (message.command === 'setBreakpoints') this.#onBreakpointsSet(member, target, message)
    const isStart = message.command === 'launch' || message.command === 'attach' || message.command === 'initialize'
    if (isStart && message.success === false) this.#refused.reject(new Error(describeFailure(message)))
  }

  onBroken(session: vscode.DebugSession): void {
    if (session === this.#root && !this.#isEnding && !this.#main.hasEnded) this.#hasDied = true
  }

  onEnd(session: vscode.DebugSession): void {
    const found = this.#members.get(session.id)
    if (found !== undefined) {
      found.member.hasEnded = true
      if (found.target !== this.#main && found.target.live.length === 0) this.#endTarget(found.target)
    }
    if (session !== this.#root) return
    this.#refused.reject(new Error('It ended before it had begun'))
    for (const target of this.#targets.values()) this.#endTarget(target)
    this.#finish()
  }

  /** Ends it in VS Code: the program too, if it was started. */
  async stop(): Promise<void> {
    this.#isEnding = true
    if (this.#options.isReadOnly || this.#root === undefined) this.#finish()
    else await within(Promise.resolve(vscode.debug.stopDebugging(this.#root)), FAREWELL_MS)
    await within(this.ended, FAREWELL_MS)
    this.#finish()
  }

  #finish(): void {
    this.#ended.resolve()
  }

  #addTarget(): AgentTarget {
    const target = new AgentTarget(this.#targets.size, (message) => this.#options.channel.send(message))
    this.#targets.set(target.number, target)
    return target
  }

  /** js-debug: a worker is a thread of its process, any other one a process of its own. */
  #targetFor(session: vscode.DebugSession, parent: { member: Member; target: AgentTarget } | undefined): AgentTarget {
    if (parent === undefined || (parent.member.isLauncher && this.#main.main === undefined)) return this.#main
    if (/^\[worker\b/i.test(session.name)) return parent.target
    const child = this.#addTarget()
    parent.target.tell('switchboardChild', { target: child.number, name: session.name })
    return child
  }

  #onEvent(member: Member, target: AgentTarget, event: string, body: JsonObject): void {
    const threadId = readNumber(body.threadId)
    if (threadId !== undefined) target.noteThread(threadId, member)
    switch (event) {
      case 'stopped':
        this.#onStopped(member, target, body)
        break
      case 'continued':
        if (body.allThreadsContinued === true || (threadId !== undefined && member.stopped.has(threadId))) {
          this.#tellContinued(member, target, body)
        }
        break
      case 'thread':
        if (body.reason === 'exited' && threadId !== undefined && member.stopped.delete(threadId)) {
          this.#hasDied ||= !this.#isEnding && member === this.#main.main
        }
        target.tell(event, body)
        break
      case 'breakpoint': {
        const state = member.updateBreakpoint(readObject(body.breakpoint))
        if (state !== undefined && (state.verified || member === target.main)) {
          target.tell(event, { reason: 'changed', breakpoint: state })
        }
        break
      }
      case 'output': {
        const said = member.isLauncher ? withoutChatter(body) : body
        if (said !== undefined) target.tell(event, said)
        break
      }
      case 'process':
        target.tell(event, body)
        break
      case 'exited':
        this.#exitCode = readNumber(body.exitCode) ?? this.#exitCode
        break
      case 'terminated':
        if (member.session === this.#root) this.#endTarget(target)
        else if (target !== this.#main && member === target.main) this.#endTarget(target)
    }
  }

  #onStopped(member: Member, target: AgentTarget, body: JsonObject): void {
    const { ids, isForeign } = member.readHits(body)
    const threadId = readNumber(body.threadId) ?? 0
    const { breakpoints, owner, isReadOnly } = this.#options
    if (isForeign && !isReadOnly) {
      goOn(member, threadId)
      return
    }
    const isUnclear = body.hitBreakpointIds === undefined && /breakpoint/.test(readText(body.reason) ?? '')
    if (isUnclear && !isReadOnly && breakpoints.hasOthersThan(owner)) {
      void this.#isAtForeign(member, threadId).then((isSo) =>
        isSo ? goOn(member, threadId) : this.#tellStopped(member, target, body, ids),
      )
    } else this.#tellStopped(member, target, body, ids)
  }

  /** Where the adapter does not say which breakpoint it was. */
  async #isAtForeign(member: Member, threadId: number): Promise<boolean> {
    const asked = member.ask('stackTrace', { threadId, startFrame: 0, levels: 1 })
    const { stackFrames } = readObject(withPlainPaths(await asked.catch(() => ({}))))
    const [top] = readObjects(stackFrames)
    const path = readText(readObject(top?.source).path) ?? ''
    const line = readNumber(top?.line) ?? 0
    const { breakpoints, owner } = this.#options
    const isOwn = breakpoints.of(owner, path).some((wish) => wish.line === line)
    return !isOwn && breakpoints.isAnyAgents(path, line) && breakpoints.isShownByUs(path, line)
  }

  #tellStopped(member: Member, target: AgentTarget, body: JsonObject, ids: readonly number[]): void {
    member.stopped.add(readNumber(body.threadId) ?? 0)
    const { description, ...rest } = body
    const isPlain = typeof description === 'string' && description.startsWith('Paused on')
    const isStatement = description === 'Paused on debugger statement'
    target.tell('stopped', {
      ...(isPlain ? rest : body),
      ...(isStatement ? { reason: 'debugger statement' } : {}),
      ...(body.hitBreakpointIds === undefined ? {} : { hitBreakpointIds: ids }),
    })
  }

  /** The person, or VS Code itself, lets it go on. What we asked for the agent knows. */
  #onResume(member: Member, target: AgentTarget, args: JsonObject, command: string): void {
    if (this.#own.delete(keyOf(member, command, args))) return
    const threadId = readNumber(args.threadId)
    if (threadId !== undefined && member.stopped.has(threadId)) this.#tellContinued(member, target, { threadId })
  }

  #tellContinued(member: Member, target: AgentTarget, body: JsonObject): void {
    member.stopped.clear()
    target.tell('continued', body)
  }

  #onBreakpointsSet(member: Member, target: AgentTarget, message: DapMessage): void {
    const states = member.acceptBreakpoints(message)
    if (member.isLauncher) return
    for (const state of states) if (state.verified) target.tell('breakpoint', { reason: 'changed', breakpoint: state })
    for (const look of this.#changed) look()
  }

  #endTarget(target: AgentTarget): void {
    if (target.hasEnded) return
    target.open()
    if (target === this.#main) {
      const code = this.#exitCode ?? this.#options.readExitCode()
      this.#hasDied ||= (target.main?.stopped.size ?? 0) > 0 && !this.#isEnding
      if (this.#hasDied) {
        target.close('somebody has killed the program')
        return
      }
      if (code !== undefined && !this.#isEnding) target.tell('exited', { exitCode: code })
    }
    target.hasEnded = true
    target.tell('terminated')
  }

  async #handle(packet: JsonObject): Promise<void> {
    const target = this.#targets.get(readNumber(packet.target) ?? -1)
    const request = readObject(packet.message)
    if (target === undefined || request.type !== 'request') return
    try {
      const answer = await this.#answer(target, readText(request.command) ?? '', readObject(request.arguments), request)
      if (answer !== 'later') target.respond(request, { body: answer })
    } catch (error) {
      target.respond(request, { failure: error })
    }
  }

  async #answer(target: AgentTarget, command: string, args: JsonObject, request: JsonObject): Promise<unknown> {
    switch (command) {
      case 'launch':
      case 'attach':
        this.#launch = target === this.#main ? request : this.#launch
        return target === this.#main ? 'later' : {}
      case 'setBreakpoints':
        return this.#setBreakpoints(target, args)
      case 'setExceptionBreakpoints':
        this.#filters = args
        return this.#options.isReadOnly ? {} : this.#askAll(target, command, args)
      case 'setFunctionBreakpoints':
        this.#functions = readObjects(args.breakpoints)
        return this.#options.isReadOnly ? {} : this.#askAll(target, command, args)
      case 'configurationDone':
        return this.#configurationDone(target, request)
      case 'threads':
        return { threads: (await this.#askEach(target, command, args)).flatMap(({ threads }) => readObjects(threads)) }
      case 'disconnect':
        return this.#disconnect(target, args)
      case 'cancel':
        return {}
      default:
        return this.#pass(target, command, args)
    }
  }

  /** How long a start may take nobody knows: it may build the program first. */
  #configurationDone(target: AgentTarget, request: JsonObject): 'later' {
    target.respond(request, {})
    target.open()
    const launch = this.#launch
    if (target !== this.#main || launch === undefined) return 'later'
    const begun = this.#options.begin(this)
    begun.catch(() => undefined)
    Promise.race([begun, this.#refused.promise]).then(
      () => target.respond(launch, {}),
      (error: unknown) => target.respond(launch, { failure: error }),
    )
    return 'later'
  }

  async #setBreakpoints(target: AgentTarget, args: JsonObject): Promise<unknown> {
    const path = readText(readObject(args.source).path) ?? ''
    if (this.#options.isReadOnly) {
      return { breakpoints: readObjects(args.breakpoints).map(() => ({ verified: false, message: NOT_YOURS })) }
    }
    const wishes = this.#options.breakpoints.set(this.#options.owner, path, readObjects(args.breakpoints))
    await this.#options.breakpoints.remembered
    const ids = wishes.map(({ id }) => id)
    const isTold = (): boolean => target.live.every(({ told }) => isSameSet(told.get(path) ?? [], ids))
    await this.#wait(isTold, SETTLE_MS)
    const states = target.main?.states
    return { breakpoints: ids.map((id) => states?.get(id) ?? { id, verified: false }) }
  }

  async #disconnect(target: AgentTarget, { terminateDebuggee }: JsonObject): Promise<unknown> {
    if (this.#options.isReadOnly) {
      this.#finish()
      return {}
    }
    const isChild = target !== this.#main
    const session = isChild ? target.main?.session : this.#root
    if (session === undefined || target.main?.hasEnded === true) {
      if (!isChild) await this.stop()
      return {}
    }
    this.#isEnding ||= !isChild && !target.hasEnded
    if (terminateDebuggee === true && session.configuration.request === 'attach') {
      await session.customRequest('disconnect', { terminateDebuggee: true })
    }
    if (!isChild) await this.stop()
    else if (!target.hasEnded) await vscode.debug.stopDebugging(session)
    return {}
  }

  async #pass(target: AgentTarget, command: string, args: JsonObject): Promise<unknown> {
    if (this.#options.isReadOnly && !READING.has(command)) throw new Error(NOT_YOURS)
    const member = target.memberFor(args)
    if (member === undefined) throw new Error('VS Code has no session for it any more')
    if (command === 'continue') {
      // One word lets all threads of a program go on, also where each of them is a session.
      for (const other of target.live)
        for (const threadId of other.stopped) if (other !== member) void this.#resume(other, command, { threadId })
    }
    return RESUMING.has(command) ? this.#resume(member, command, args) : this.#ask(target, member, command, args)
  }

  async #resume(member: Member, command: string, args: JsonObject): Promise<unknown> {
    const key = keyOf(member, command, args)
    const stood = [...member.stopped]
    this.#own.add(key)
    member.stopped.clear()
    try {
      return await member.ask(command, args)
    } catch (error) {
      for (const threadId of stood) member.stopped.add(threadId)
      throw error
    } finally {
      this.#own.delete(key)
    }
  }

  async #ask(target: AgentTarget, member: Member, command: string, args: JsonObject): Promise<JsonObject> {
    const body = readObject(withPlainPaths(await member.ask(command, args)))
    target.learn(member, body)
    return body
  }

  /** One that has ended meanwhile has nothing to say. */
  async #askEach(target: AgentTarget, command: string, args: JsonObject): Promise<JsonObject[]> {
    return Promise.all(target.live.map((member) => this.#ask(target, member, command, args).catch(() => ({}))))
  }

  async #askAll(target: AgentTarget, command: string, args: JsonObject): Promise<JsonObject> {
    const [first] = await this.#askEach(target, command, args)
    return first ?? {}
  }

  async #wait(isTrue: () => boolean, limit: number): Promise<void> {
    if (isTrue()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = (): void => {
      if (isTrue()) resolve()
    }
    this.#changed.add(look)
    await within(promise, limit)
    this.#changed.delete(look)
  }
}

function goOn({ session }: Member, threadId: number): void {
  void session.customRequest('continue', { threadId }).then(undefined, () => undefined)
}

function keyOf({ session }: Member, command: string, { threadId }: JsonObject): string {
  return `${session.id} ${command} ${String(threadId)}`
}

function isSameSet(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((id) => other.includes(id))
}
