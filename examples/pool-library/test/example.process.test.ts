import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const sources = fileURLToPath(new URL('../src', import.meta.url))

async function runExample(): Promise<string[]> {
  const args = ['--conditions=switchboard-source', join(sources, 'main.ts')]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return stdout.trimEnd().split('\n')
}

it('runs to its end, prints what its README shows, and leaves no server behind', async () => {
  const lines = await runExample()
  expect(lines).toEqual([
    'clock is ready',
    'tool clock_now: The time in a time zone',
    'tool clock_countdown: Counts down',
    expect.stringMatching(/^the time is \d\d:\d\d:\d\d$/),
    'step 1 of 3',
    'step 2 of 3',
    'step 3 of 3',
    'Lift-off',
    expect.stringMatching(/^cancelled: clock \(countdown\): /),
    expect.stringMatching(/^invalid_arguments: .*format is not a parameter \(known: zone\)/),
    expect.stringMatching(/^not_installed: .*"no-such-program-anywhere" was not found.*\(Install it with: /),
    expect.stringMatching(/^clock: ready, pid \d+, era legacy, calls 4, failed 2$/),
    expect.stringMatching(/^missing: not_installed, pid none, era unknown, calls 1, failed 1$/),
  ])
  const pid = Number(/pid (\d+)/.exec(lines.join('\n'))?.[1])
  expect(() => process.kill(pid, 0)).toThrow(expect.objectContaining({ code: 'ESRCH' }))
  const shown = readFileSync(fileURLToPath(new URL('../README.md', import.meta.url)), 'utf8')
  for (const line of lines.slice(0, 9).filter((text) => !text.startsWith('the time is'))) expect(shown).toContain(line)
})

it('imports nothing but the pool, its own files and what Node.js brings', () => {
  const files = readdirSync(sources).filter((name) => name.endsWith('.ts'))
  const statement = /^(?:import|export|\}) .*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'/gm
  const specifiers = files.flatMap((name) =>
    [...readFileSync(join(sources, name), 'utf8').matchAll(statement)].map(([, a, b, c]) => a ?? b ?? c ?? ''),
  )
  expect(specifiers).toContain('@switchboard/pool')
  expect(specifiers.filter((name) => !/^(?:@switchboard\/pool$|node:|\.\/)/.test(name))).toEqual([])
})
