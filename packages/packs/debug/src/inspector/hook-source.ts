/**
 * The text of the file that every Node process under the debugger loads first, by NODE_OPTIONS: it opens the inspector,
 * says so in the folder where it lies, and waits for us. A thread of a process needs none of it. Where our side has gone (the
 * folder is no longer open) the program simply runs.
 */
export const HOOK_FILE = 'switchboard-debug-hook.cjs'
/** Of its address. */
export const HOOK_PATTERN = `/${HOOK_FILE.replace(/\./g, '\\.')}$`
/** As long as this file is there, somebody looks for announcements. */
export const OPEN_MARK = 'open'
export const ANNOUNCEMENT = /^process-\d+\.json$/
/** Calls of it stand still as long as a breakpoint is set on its line. */
export const HOLD_FUNCTION = 'holdMappedScript'
/** The same for an error that the process is about to die of. */
export const LAST_WORD_FUNCTION = 'tellLastError'
/** Why a process was not held: Node would write the address of its inspector where others read it. */
export const TOLD_BY_STDERR = 'stderr'
/** The property of the global object that leads to `hold` and `watch`. */
export const HOOK_SYMBOL = 'switchboard.debug'

/**
 * Node can say where its inspector listens on standard error, or to whoever asks over HTTP, and not be silent. On standard error
 * it is: the pipe is ours, or leads to the program above. Where it leads to a file that others may read, the process is let be.
 *
 * CommonJS modules are compiled in a way for which the runtime has no "before a script with a source map is run": `hold` gives
 * them one, so that breakpoints in their sources are set in time. It is called on demand, before the program starts.
 */
export const HOOK_SOURCE = `'use strict'
try {
  const { isMainThread } = require('node:worker_threads')
  const { existsSync, fstatSync, renameSync, writeFileSync } = require('node:fs')
  const { join } = require('node:path')
  const inspector = require('node:inspector')
  function ${HOLD_FUNCTION}(path, url) { return [path, url] }
  function ${LAST_WORD_FUNCTION}(error) { return error }
  function watch() {
    process.on('uncaughtExceptionMonitor', (error) => { ${LAST_WORD_FUNCTION}(error) })
  }
  function hold() {
    const { Module } = require('node:module')
    const compile = Module.prototype._compile
    Module.prototype._compile = function (content, path, ...rest) {
      if (typeof content === 'string') {
        const at = content.lastIndexOf('//# sourceMappingURL=')
        if (at >= 0) ${HOLD_FUNCTION}(path, content.slice(at + 21).split(/\\s/, 1)[0])
      }
      return compile.call(this, content, path, ...rest)
    }
  }
  function isReadByOthers() {
    try {
      const stderr = fstatSync(2)
      return process.platform !== 'win32' && stderr.isFile() && (stderr.mode & 0o044) !== 0
    } catch {
      return false
    }
  }
  const state = { hold, watch, waits: false }
  Object.defineProperty(globalThis, Symbol.for('${HOOK_SYMBOL}'), { value: state, enumerable: false, configurable: true })
  if (isMainThread && existsSync(join(__dirname, '${OPEN_MARK}'))) {
    const announce = (more) => {
      const file = join(__dirname, 'process-' + process.pid + '.json')
      writeFileSync(file + '.new', JSON.stringify({ pid: process.pid, parent: process.ppid, title: process.argv[1] ?? '', ...more }))
      state.waits = more.url !== undefined
      renameSync(file + '.new', file)
    }
    if (inspector.url() === undefined) {
      if (isReadByOthers()) announce({ refused: '${TOLD_BY_STDERR}' })
      else inspector.open(0, '127.0.0.1', false)
    }
    if (inspector.url() !== undefined) {
      announce({ url: inspector.url() })
      inspector.waitForDebugger()
      state.waits = false
    }
  }
} catch {}
`

/** Where a breakpoint stops calls of one of the functions. Counted from 0. */
export function findInHook(name: string): { readonly lineNumber: number; readonly columnNumber: number } {
  const lines = HOOK_SOURCE.split('\n')
  const lineNumber = lines.findIndex((line) => line.includes(`function ${name}`))
  return { lineNumber, columnNumber: lines[lineNumber]?.indexOf('return') ?? 0 }
}
