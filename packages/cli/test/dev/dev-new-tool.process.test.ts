import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { main } from '../../src/main.ts'
import { createTestIo } from '../run-main.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
let clone: TemporaryDirectory

/** As much of a clone as the command looks at, with our own toolkit in it. */
beforeEach(async () => {
  clone = await createTemporaryDirectory()
  writeFileSync(join(clone.path, 'package.json'), '{"name":"switchboard"}')
  cpSync(join(ROOT, 'scripts'), join(clone.path, 'scripts'), { recursive: true })
  mkdirSync(join(clone.path, 'packages/packs/clock/src'), { recursive: true })
  writeFileSync(join(clone.path, 'packages/packs/clock/src/pack.yaml'), '{}')
  symlinkSync(join(ROOT, 'packages/toolkit'), join(clone.path, 'packages/toolkit'), 'junction')
})
afterEach(() => clone.remove())

async function run(args: readonly string[], cwd = clone.path) {
  const io = createTestIo({ cwd })
  const code = await main(['dev', 'new-tool', ...args], io)
  return { code, out: io.stdout.plain, err: io.stderr.plain }
}

describe('switchboard dev new-tool', () => {
  it('writes the pair from anywhere in the clone, and says what to do next', async () => {
    const { code, out, err } = await run(['clock', 'alarm.set'], join(clone.path, 'packages/packs'))
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toMatchInlineSnapshot(`
      "wrote packages/packs/clock/src/tools/alarm-set.meta.yaml
      wrote packages/packs/clock/src/tools/alarm-set.ts
      wrote packages/packs/clock/test/tools/alarm-set.test.ts

      It works as it is, and is called alarm_set. Next:
        1. Say in packages/packs/clock/src/tools/alarm-set.meta.yaml what it takes, gives and fails with (docs/toolkit.md).
        2. npm run generate, which checks that and writes the types.
        3. Write it in packages/packs/clock/src/tools/alarm-set.ts, and what it must do in packages/packs/clock/test/tools/alarm-set.test.ts.
        4. npm run build, then: switchboard call alarm_set '{"message":"hello"}'
      "
    `)
    expect(readFileSync(join(clone.path, 'packages/packs/clock/src/tools/alarm-set.ts'), 'utf8')).toContain(
      'AlarmSetParams',
    )
  })

  it('says the same as JSON', async () => {
    const { out } = await run(['clock', 'alarm.set', '--json'])
    expect(JSON.parse(out)).toMatchObject({ tool: 'alarm_set', files: Array(3).fill(expect.any(String)) })
  })

  it('refuses a name that is there, and changes nothing', async () => {
    await run(['clock', 'alarm.set'])
    const path = join(clone.path, 'packages/packs/clock/src/tools/alarm-set.ts')
    const mine = "export function run() {\n  throw new ToolError('E_EMPTY_MESSAGE', 'mine')\n}\n"
    writeFileSync(path, mine)
    const { code, err } = await run(['clock', 'alarm.set'])
    expect(code).toBe(2)
    expect(err).toContain('The pack clock has a tool alarm_set already')
    expect(readFileSync(path, 'utf8')).toBe(mine)
  })

  it('refuses an unknown pack with those that exist', async () => {
    const { code, err } = await run(['clocks', 'alarm.set'])
    expect(code).toBe(2)
    expect(err).toContain('error: There is no pack "clocks"; did you mean "clock"?\nhint:  Packs: clock.')
  })

  it.each(['alarm', 'Alarm.Set', '../alarm.set', 'alarm_set', 'alarm.'])('refuses the alias %s', async (alias) => {
    const { code, err } = await run(['clock', alias])
    expect(code).toBe(2)
    expect(err).toContain(`error: "${alias}" is no alias of a tool\nhint:  Write thing.action in small letters`)
    expect(readdirSync(join(clone.path, 'packages/packs/clock/src'))).toEqual(['pack.yaml'])
  })

  it('says that it is for a clone where there is none', async () => {
    await using elsewhere = await createTemporaryDirectory()
    const { code, err } = await run(['clock', 'alarm.set'], elsewhere.path)
    expect(code).toBe(2)
    expect(err).toContain('is not in a clone of Switchboard, and only there a tool can be added.')
    expect(readdirSync(elsewhere.path)).toEqual([])
  })

  it('says how to set the clone up when its toolkit cannot be read', async () => {
    writeFileSync(join(clone.path, 'scripts/scaffold.mjs'), "import 'nowhere-at-all'\n")
    const { code, err } = await run(['clock', 'alarm.set'])
    expect(code).toBe(1)
    expect(err).toContain("Cannot find package 'nowhere-at-all'")
    expect(err).toContain('Is the clone set up? Run npm run build in it')
  })
})
