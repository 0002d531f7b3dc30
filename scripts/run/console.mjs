// What the set-up prints: one line per step with what it does and how long it took, colour only where a person sees it.

/** A failure we foresaw: shown as its message alone, without a stack. */
export class ExpectedFailure extends Error {
  /**
   * @param {string} message what failed, the value seen and the next step
   * @param {number} exitCode
   */
  constructor(message, exitCode = 1) {
    super(message)
    this.name = 'ExpectedFailure'
    this.exitCode = exitCode
  }
}

const coloured = process.stderr.isTTY === true && !process.env.NO_COLOR

/** @param {string} text */
export const dim = (text) => (coloured ? `\u001B[2m${text}\u001B[22m` : text)

/** @param {string} text */
const red = (text) => (coloured ? `\u001B[31m${text}\u001B[39m` : text)

/** @param {number} milliseconds */
export function formatDuration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`
}

/** Progress goes to stderr, so that the output of the program that follows stays clean. @param {string} text */
export function say(text) {
  process.stderr.write(`${text}\n`)
}

/** @param {string} text */
export function sayFailure(text) {
  process.stderr.write(`${red('failed')} ${text}\n`)
}

/**
 * @template T
 * @param {string} title what the step does, in words
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const started = performance.now()
  say(`• ${title} …`)
  const result = await work()
  say(`  ${dim(`done in ${formatDuration(performance.now() - started)}`)}`)
  return result
}
