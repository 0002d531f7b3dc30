// Child processes in the foreground. Owns which signals are passed on: a terminal sends Ctrl-C to every process of the
// foreground group, so the child already has it, and a second one would mean "stop at once" to it. Other signals, and
// every signal without a terminal, reach only us and are passed on once. We then wait for the child's own orderly end.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ExpectedFailure } from './console.mjs'

const forwardedSignals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/**
 * @param {NodeJS.Signals} signal
 * @param {{ platform: NodeJS.Platform, hasTerminal: boolean }} place
 */
export function shouldForwardSignal(signal, place) {
  // On Windows a forwarded signal is a hard kill, and the console has told the child already.
  if (place.platform === 'win32') return false
  return !(signal === 'SIGINT' && place.hasTerminal)
}

/** @param {number | null} code @param {NodeJS.Signals | null} signal */
export function toExitCode(code, signal) {
  if (code !== null) return code
  return 128 + (signal ? (constants.signals[signal] ?? 0) : 0)
}

/**
 * npm passes a signal on to the shell that it runs a script in, and the shell dies of it without telling anybody: that it
 * is gone is all we notice. Whoever starts us without npm may leave us behind on purpose.
 *
 * @param {() => void} onGone
 */
function watchShell(onGone) {
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return undefined
  const shell = process.ppid
  return setInterval(() => {
    if (process.ppid !== shell) onGone()
  }, 500).unref()
}

/**
 * Runs a command with our standard streams and resolves with its exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, stdin?: 'inherit' | 'ignore', stdoutToStderr?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function runInForeground(command, args, options = {}) {
  const { stdin = 'inherit', stdoutToStderr = false, ...spawnOptions } = options
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...spawnOptions,
      stdio: [stdin, stdoutToStderr ? process.stderr : 'inherit', 'inherit'],
    })
    const hasTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
    const forwarded = new Set()
    /** @param {NodeJS.Signals} signal */
    const onSignal = (signal) => {
      if (forwarded.has(signal) || !shouldForwardSignal(signal, { platform: process.platform, hasTerminal })) return
      forwarded.add(signal)
      child.kill(signal)
    }
    for (const signal of forwardedSignals) process.on(signal, onSignal)
    const watch = watchShell(() => onSignal('SIGTERM'))
    const release = () => {
      clearInterval(watch)
      for (const signal of forwardedSignals) process.off(signal, onSignal)
    }
    child.once('error', (error) => {
      release()
      reject(new ExpectedFailure(`Could not run ${command}: ${error.message}`))
    })
    child.once('exit', (code, signal) => {
      release()
      resolve(toExitCode(code, signal))
    })
  })
}
