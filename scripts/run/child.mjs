// Child processes in the foreground. Owns which signals are passed on: a terminal sends Ctrl-C to every process of the
// foreground group, so the child already has it, and a second one would mean "stop at once" to it. Other signals, and
// every signal without a terminal, reach only us and are passed on once. We then wait for the child's own orderly end, but
// not for that of a step of the set-up: npm goes on for minutes, and what it leaves half done is done again.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { ExpectedFailure, say } from './console.mjs'

/** For a step of the set-up to end by itself. */
const stepGraceMs = 500

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
 * Runs the command of a clone, which ends when we are killed and can pass no signal on: it is told whom to watch
 * (packages/cli/src/program/run-on-process.ts). Where Node can (22.15, not on Windows) we become it, and a shell of npm's that
 * dies without telling is what it watches.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv }} options
 * @returns {Promise<number>}
 */
export function becomeOrRun(command, args, { cwd, env }) {
  if (process.execve === undefined || process.platform === 'win32') {
    return runInForeground(command, args, { cwd, env: { ...env, SWITCHBOARD_LAUNCHER: String(process.pid) } })
  }
  process.chdir(cwd)
  const watched = process.env.npm_lifecycle_event === undefined ? {} : { SWITCHBOARD_LAUNCHER: String(process.ppid) }
  return process.execve(command, [command, ...args], { ...env, ...watched })
}

/**
 * Runs a command with our standard streams and resolves with its exit code.
 *
 * @param {string} command
 * @param {readonly string[]} args
 * `isStep`: one of the set-up, which a signal ends, whatever it makes of it.
 *
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, shell?: boolean, stdin?: 'inherit' | 'ignore', stdoutToStderr?: boolean, isStep?: boolean }} [options]
 * @returns {Promise<number>}
 */
export function runInForeground(command, args, options = {}) {
  const { stdin = 'inherit', stdoutToStderr = false, isStep = false, ...spawnOptions } = options
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...spawnOptions,
      stdio: [stdin, stdoutToStderr ? process.stderr : 'inherit', 'inherit'],
    })
    const hasTerminal = Boolean(process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY)
    const forwarded = new Set()
    /** @type {NodeJS.Timeout | undefined} */
    let ending
    const endStep = () => {
      if (ending !== undefined) return void child.kill('SIGKILL')
      say('\nstopping …')
      ending = setTimeout(() => child.kill('SIGKILL'), stepGraceMs)
    }
    /** @param {NodeJS.Signals} signal */
    const onSignal = (signal) => {
      if (isStep) endStep()
      if (forwarded.has(signal) || !shouldForwardSignal(signal, { platform: process.platform, hasTerminal })) return
      forwarded.add(signal)
      child.kill(signal)
    }
    for (const signal of forwardedSignals) process.on(signal, onSignal)
    const watch = watchShell(() => onSignal('SIGTERM'))
    const release = () => {
      clearInterval(watch)
      clearTimeout(ending)
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
