/**
 * How an adapter differs from the letter of the protocol, as data: what its own `capabilities` do not tell, or tell
 * wrongly. One object for each engine; the session reads it and has no branch on a language's name.
 */
import type { ExceptionInfo, ExceptionMode, Place } from '../engine/debug-session.ts'
import type { JsonMembers } from '../json-values.ts'
import type { LogPiece } from './log-marks.ts'

export interface DapTraits {
  readonly language: string
  /** The adapter's filters for each mode it can do. A mode that is not here is not supported. */
  readonly exceptionFilters: Readonly<Partial<Record<ExceptionMode, readonly string[]>>>
  /** Functions whose call means a failure, by mode, where no filter does. */
  readonly panicFunctions?: Readonly<Partial<Record<ExceptionMode, readonly string[]>>>
  /** Yields what was thrown, in the frame of such a function. */
  readonly panicValue?: { readonly expression: string; toMessage(value: string): string }
  /** Such a frame catches the failures of all that it calls; the program itself may lie in one, too. */
  readonly isCatching?: (functionName: string) => boolean
  /** Of a stop at a failure that the debugger makes whatever it was told, by what it says of it. */
  readonly isForcedStop?: (text: string) => boolean
  /**
   * `range`: start and count are honoured; `indexed`: only together with the filter `indexed`; `none`: ignored, we cut
   * ourselves, with the help of `sliceExpression` where a list is long.
   */
  readonly paging: 'range' | 'indexed' | 'none'
  /** An expression for a part of a collection, and how the parts are called; undefined: fetch it whole. */
  sliceExpression?(expression: string, type: string, start: number, count: number): Slice | undefined
  /** How to get at the parts of a text, of which the adapter shows only the beginning. */
  textSlice?(expression: string, type: string): TextSlice | undefined
  /** The text that the adapter takes for a hit condition; undefined: we count the stops ourselves. */
  hitCondition?(operator: string, count: number): string | undefined
  /**
   * Where the debugger passes over a condition that it cannot evaluate: one that holds then, if what it names is not there
   * or it is no expression, and does not hold if it fails for the values of the moment. The first time that it does, it
   * prints why, on a line that begins with the mark.
   */
  wrapCondition?(condition: string, mark: string): string
  /** Breakpoints are set in an editor: they are sent with what a person reads there, too. */
  readonly showsBreakpoints?: boolean
  readonly logpoints: 'native' | 'emulated'
  /**
   * Where the debugger prints texts without their quotes, or drops a message in which one expression fails: the message
   * that prints all values as `evaluate` shows them, on one line.
   */
  wrapLogMessage?(pieces: readonly LogPiece[]): string
  readonly setVariable: 'native' | 'assignment' | 'native-or-assignment'
  /** A list with nothing but this element, whose first element the adapter can assign to. */
  elementSlice?(expression: string, index: number): string
  /** A variable that was set is still shown with its old value until the program goes on. */
  readonly keepsOldValues?: boolean
  /** An expression for a child, where the adapter gives none. */
  childExpression?(
    parent: { expression: string | undefined; type: string | undefined },
    name: string,
  ): string | undefined
  /** The request that makes files of libraries steppable, where breakpoints in them are refused otherwise. */
  readonly libraries?: {
    isLibrary(path: string): boolean
    open(paths: readonly string[]): { readonly command: string; readonly args: object }
    /** An expression for the path of the caller, in a frame of that file: the debugger does not show those that it passes over. */
    callerOf(path: string): string
  }
  readonly functionBreakpoints?: boolean
  /** Why breakpoints of this program are not bound, where that is known. */
  readonly unboundReason?: string
  readonly children?: boolean
  /** Breakpoints that were taken away are still hit. */
  readonly keepsRemovedBreakpoints?: boolean
  /** Where a stop's breakpoint was asked for, when the event tells it in words only. */
  readHitPlace?(body: JsonMembers): Place | undefined
  /** The adapter's standard output is the program's. */
  readonly outputOnStdout?: boolean
  /** And its standard error too. Lines that it wrote itself are left out. */
  readonly errorsOnStderr?: { isOwnLine(line: string): boolean }
  /** Program output arrives through a terminal: its lines end with CR LF. */
  readonly hasTerminalOutput?: boolean
  /** What the debugger says about itself on the console, and nobody asked for. */
  readonly isChatter?: (line: string) => boolean
  /** Once the program has ended or is being ended, what comes as `stderr` is the debugger's own: it may break down then. */
  readonly endsWithOwnErrors?: boolean
  /** Console lines that tell how the program ended, where no event does. */
  readExitCode?(consoleLine: string): number | undefined
  /** `totalFrames` is a guess. */
  readonly guessesTotalFrames?: boolean
  readonly hidesVariable?: (name: string) => boolean
  readonly frameName?: (name: string) => string
  /** Where the debugger shows values otherwise than the one that the language has headless. */
  readonly tidyValue?: (value: string, type: string) => string
  readonly evaluateContext?: (context: 'watch' | 'repl' | 'hover') => string
  /** Failures are told as results: the expression is wrapped so that they can be told apart. */
  readonly evaluateWrap?: { wrap(expression: string): string; isWrapped(result: string): boolean }
  /** How the debugger itself can be made to end an evaluation that takes too long, and how it then tells. */
  readonly evaluateLimit?: { set(seconds: number): string; isOver(message: string): boolean }
  /** A wish to pause is forgotten now and then, and can be told again without harm. */
  readonly losesPauses?: boolean
  /** A stop that we asked for is told as a signal, with this text. */
  readonly isPauseSignal?: (text: string) => boolean
  /** What is to be done before a session with a program that we attached to ends, so that it really runs on, or ends. */
  readonly beforeDetach?: {
    /** The debugger forgets that it was told to kill unless the program stands at that moment. */
    readonly standsForKill?: boolean
    /** In the program: forgets the breakpoints, where the debugger would stop at them for nobody. */
    readonly evaluate?: string
    /** The debugger leaves it standing where it stands. */
    readonly continues?: boolean
  }
  /** A stop with this text means that there is no program any more. */
  readonly isGone?: (text: string) => boolean
  /** After a step out the program still stands at the end of the function: one step more. */
  readonly stepsOutToEnd?: boolean
  /**
   * An expression that yields `<identity> True` when the exception at hand comes out of a deeper frame: the same one is
   * told again in every frame that it passes.
   */
  readonly exceptionKey?: string
  /** From what was told at the stop, where the request `exceptionInfo` is not known or not helpful. */
  readException?(stop: StopWords, outputTail: string): ExceptionInfo | undefined
  /** Expressions for where a text is wrong that could not be compiled, at the stop for that; undefined: it is another failure. */
  syntaxPlace?(type: string): { readonly path: string; readonly line: string; readonly column: string } | undefined
  /** The debuggee is the very process that we started. */
  readonly adapterIsProgram?: boolean
}

/** What an adapter says of a stop. */
export interface StopWords {
  readonly reason: string
  readonly text: string
  readonly description: string
}

export interface TextSlice {
  /** Whether the adapter shows less than all of it. */
  isCut(value: string): boolean
  /** It counts bytes, not characters. */
  readonly isInBytes?: boolean
  /** An expression for how long it is. */
  readonly length: string
  /** An expression for the characters from one to before another. */
  piece(start: number, end: number): string
  /** Characters that are shown of such a piece; what is longer is asked for in several. */
  readonly most: number
}

export interface Slice {
  readonly expression: string
  /** Children of the slice are numbered from 0; these are their names and expressions in the whole. */
  nameOf?(index: number): string
  expressionOf?(index: number): string
}
