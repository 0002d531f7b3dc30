/** The part of the inspector protocol that we use. Lines and columns start at 0 here. */
export interface RemoteObject {
  readonly type: string
  readonly subtype?: string
  readonly className?: string
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly description?: string
  readonly objectId?: string
  readonly preview?: ObjectPreview
}

export interface ObjectPreview {
  readonly type: string
  readonly subtype?: string
  readonly description?: string
  readonly overflow: boolean
  readonly properties: readonly PropertyPreview[]
  readonly entries?: readonly { readonly key?: ObjectPreview; readonly value: ObjectPreview }[]
}

export interface PropertyPreview {
  readonly name: string
  readonly type: string
  readonly subtype?: string
  readonly value?: string
}

export interface PropertyDescriptor {
  readonly name: string
  readonly value?: RemoteObject
  readonly get?: RemoteObject
  readonly set?: RemoteObject
  readonly enumerable?: boolean
  readonly symbol?: RemoteObject
}

export interface GetPropertiesResult {
  readonly result: readonly PropertyDescriptor[]
  readonly internalProperties?: readonly { readonly name: string; readonly value?: RemoteObject }[]
  readonly privateProperties?: readonly { readonly name: string; readonly value?: RemoteObject }[]
}

export interface Location {
  readonly scriptId: string
  readonly lineNumber: number
  readonly columnNumber?: number
}

export interface ProtocolScope {
  readonly type: string
  readonly object: RemoteObject
  readonly name?: string
}

export interface CallFrame {
  readonly callFrameId: string
  readonly functionName: string
  readonly functionLocation?: Location
  readonly location: Location
  readonly scopeChain: readonly ProtocolScope[]
  readonly this: RemoteObject
  readonly returnValue?: RemoteObject
}

export interface StackTrace {
  readonly description?: string
  readonly callFrames: readonly {
    readonly functionName: string
    readonly scriptId: string
    readonly lineNumber: number
    readonly columnNumber: number
  }[]
  readonly parent?: StackTrace
}

export interface Paused {
  readonly callFrames: readonly CallFrame[]
  readonly reason: string
  readonly data?: RemoteObject & { readonly uncaught?: boolean }
  readonly hitBreakpoints?: readonly string[]
  readonly asyncStackTrace?: StackTrace
}

export interface ScriptParsed {
  readonly scriptId: string
  readonly url: string
  readonly endLine: number
  readonly sourceMapURL?: string
}

export interface ExceptionDetails {
  readonly text: string
  readonly scriptId?: string
  readonly lineNumber?: number
  readonly columnNumber?: number
  readonly exception?: RemoteObject
}

export interface EvaluateResult {
  readonly result: RemoteObject
  readonly exceptionDetails?: ExceptionDetails
}

interface EvaluateParams {
  expression: string
  objectGroup?: string
  silent?: boolean
  generatePreview?: boolean
  returnByValue?: boolean
  throwOnSideEffect?: boolean
  timeout?: number
}

type Nothing = Record<string, never>

/** Method → what it takes and gives. */
export interface Methods {
  'Debugger.enable': { params: Nothing; result: unknown }
  'Debugger.pause': { params: Nothing; result: unknown }
  'Debugger.resume': { params: Nothing; result: unknown }
  'Debugger.stepOver': { params: Nothing; result: unknown }
  'Debugger.stepInto': { params: Nothing; result: unknown }
  'Debugger.stepOut': { params: Nothing; result: unknown }
  'Debugger.setAsyncCallStackDepth': { params: { maxDepth: number }; result: unknown }
  'Debugger.setBlackboxPatterns': { params: { patterns: string[] }; result: unknown }
  'Debugger.setPauseOnExceptions': { params: { state: 'none' | 'uncaught' | 'all' }; result: unknown }
  'Debugger.setInstrumentationBreakpoint': { params: { instrumentation: string }; result: { breakpointId: string } }
  'Debugger.setBreakpointByUrl': {
    params: { lineNumber: number; columnNumber?: number; urlRegex: string; condition?: string }
    result: { breakpointId: string; locations: readonly Location[] }
  }
  'Debugger.removeBreakpoint': { params: { breakpointId: string }; result: unknown }
  'Debugger.getPossibleBreakpoints': {
    params: { start: Location; end?: Location }
    result: { locations: readonly Location[] }
  }
  'Debugger.getScriptSource': { params: { scriptId: string }; result: { scriptSource: string } }
  'Debugger.evaluateOnCallFrame': { params: EvaluateParams & { callFrameId: string }; result: EvaluateResult }
  'Debugger.setVariableValue': {
    params: { scopeNumber: number; variableName: string; newValue: CallArgument; callFrameId: string }
    result: unknown
  }
  'Runtime.evaluate': {
    params: EvaluateParams & { awaitPromise?: boolean; replMode?: boolean; includeCommandLineAPI?: boolean }
    result: EvaluateResult
  }
  'Runtime.compileScript': {
    params: { expression: string; sourceURL: string; persistScript: boolean }
    result: { exceptionDetails?: ExceptionDetails }
  }
  'Runtime.callFunctionOn': {
    params: {
      functionDeclaration: string
      objectId: string
      arguments?: readonly CallArgument[]
      silent?: boolean
      returnByValue?: boolean
      generatePreview?: boolean
      objectGroup?: string
    }
    result: EvaluateResult
  }
  'Runtime.getExceptionDetails': {
    params: { errorObjectId: string }
    result: { exceptionDetails?: ExceptionDetails }
  }
  'Runtime.getProperties': {
    params: { objectId: string; ownProperties: boolean; generatePreview: boolean }
    result: GetPropertiesResult
  }
  'Runtime.releaseObjectGroup': { params: { objectGroup: string }; result: unknown }
  'Runtime.addBinding': { params: { name: string }; result: unknown }
  'Runtime.runIfWaitingForDebugger': { params: Nothing; result: unknown }
  'NodeRuntime.notifyWhenWaitingForDisconnect': { params: { enabled: boolean }; result: unknown }
  'NodeWorker.enable': { params: { waitForDebuggerOnStart: boolean }; result: unknown }
  'NodeWorker.sendMessageToWorker': { params: { message: string; sessionId: string }; result: unknown }
}

export interface CallArgument {
  readonly value?: unknown
  readonly unserializableValue?: string
  readonly objectId?: string
}

/** Event → what it carries. */
export interface Events {
  'Debugger.scriptParsed': ScriptParsed
  'Debugger.scriptFailedToParse': ScriptParsed
  'Debugger.paused': Paused
  'Debugger.resumed': unknown
  'Debugger.breakpointResolved': { readonly breakpointId: string; readonly location: Location }
  'Runtime.bindingCalled': { readonly name: string; readonly payload: string }
  'NodeRuntime.waitingForDisconnect': unknown
  'NodeWorker.attachedToWorker': {
    readonly sessionId: string
    readonly workerInfo: { readonly workerId: string; readonly title: string; readonly url: string }
  }
  'NodeWorker.detachedFromWorker': { readonly sessionId: string }
  'NodeWorker.receivedMessageFromWorker': { readonly sessionId: string; readonly message: string }
}
