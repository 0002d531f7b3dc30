import { basename } from 'node:path'

/**
 * How to run npm on a given Node: the npm that started us, else the one on PATH.
 *
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 * @param {NodeJS.Platform} platform
 * @returns {{ command: string, args: string[], shell: boolean }}
 */
export function npmCommand(node, environment = process.env, platform = process.platform) {
  const started = environment.npm_execpath
  // npx, pnpm and yarn set the variable too, to their own file.
  if (started && /^npm-cli\.c?js$/.test(basename(started))) return { command: node, args: [started], shell: false }
  // On Windows npm is a .cmd file, which only a shell can run.
  return { command: 'npm', args: [], shell: platform === 'win32' }
}
