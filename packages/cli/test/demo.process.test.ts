/** The tour, as anybody takes it; and that nothing is left of it, whenever it ends. */

import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  PROGRAM,
  type TemporaryDirectory,
  watchProgram,
} from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'

let place: TemporaryDirectory
beforeEach(async () => {
  place = await createTemporaryDirectory('switchboard-tour-')
})
afterEach(async () => {
  await expectNoProcessLeft(place.path, 20_000)
  // Neither its own folder nor a home of the person.
  expect(readdirSync(place.path)).toEqual([])
  await place.remove()
})

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:9'

function start(args: readonly string[] = [], more: Readonly<Record<string, string>> = {}) {
  const { SWITCHBOARD_HOME: _home, ...inherited } = process.env
  const env = { ...inherited, ...more, HOME: place.path, USERPROFILE: place.path, TMPDIR: place.path, NO_COLOR: '1' }
  return watchProgram(spawn(process.execPath, [PROGRAM, 'demo', ...args], { env, cwd: place.path }))
}

test('every step happens, and nothing is left', { timeout: 120_000 }, async () => {
  const { ended, out, err } = start(['--json'])
  expect(await ended, err() + out()).toBe(0)
  const { steps } = JSON.parse(out()) as { steps: { title: string; lines: string[] }[] }
  expect(steps.map(({ lines }) => lines.join('\n'))).toEqual([
    expect.stringMatching(/clock is ready[\s\S]+ledger is ready/),
    expect.stringMatching(/mode_denied[\s\S]+the total is 42/),
    expect.stringMatching(/kill -9 \d+[\s\S]+the total is 42/),
    expect.stringContaining('pool.recovered'),
    expect.stringContaining('NaN'),
    expect.stringContaining('misspelled'),
    // As it is where npm has a network, and where it has none.
    expect.stringMatching(/The sum of 19 and 23 is 42|It is not up yet/),
  ])
})

test('without a network only the server from npm is missing', { timeout: 120_000 }, async () => {
  const { ended, out, err } = start(['--json'], { npm_config_registry: NOWHERE })
  expect(await ended, err() + out()).toBe(0)
  const { steps } = JSON.parse(out()) as { steps: { title: string; lines: string[] }[] }
  expect(steps.at(-1)?.lines).toEqual([
    expect.stringContaining('switchboard server add everything -- npx -y'),
    expect.stringContaining('It is not up yet'),
  ])
})

test('Ctrl-C ends it and takes everything away', { timeout: 120_000 }, async () => {
  const program = start()
  await program.waitForText('ledger is ready', { timeout: 60_000 })
  program.child.kill('SIGINT')
  expect(await program.ended).not.toBe(0)
})
