import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { MetaError, readPack, scaffoldTool } from '../../src/generate/index.ts'

const FIXTURE = fileURLToPath(new URL('../fixtures/small-pack', import.meta.url))
const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function copyFixture(): Promise<string> {
  const directory = await createTemporaryDirectory()
  cleanups.push(() => directory.remove())
  cpSync(FIXTURE, directory.path, { recursive: true })
  return directory.path
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

describe('a scaffolded tool', () => {
  it('is a pair that passes every check, and its test, with nothing left to fill in', async () => {
    const root = await copyFixture()
    const { name, files } = scaffoldTool(root, 'clock', 'alarm.set-daily')
    expect(name).toBe('alarm_set_daily')
    expect(files.map(({ path }) => path)).toEqual([
      'packages/packs/clock/src/tools/alarm-set-daily.meta.yaml',
      'packages/packs/clock/src/tools/alarm-set-daily.ts',
      'packages/packs/clock/test/tools/alarm-set-daily.test.ts',
    ])
    for (const { path, content } of files) {
      expect(content).not.toMatch(/TODO|FIXME|\.\.\./)
      write(root, path, content)
    }
    expect(readPack(root, 'packages/packs/clock').tools.map(({ declaration }) => declaration.alias)).toEqual([
      'alarm.set-daily',
      'time.convert',
    ])
  })

  it.each([
    ['clock', 'time.convert', 'has a tool time_convert already: packages/packs/clock/src/tools/time-convert.ts'],
    ['clock', 'time.to', 'has a tool time_to already'],
    ['clcok', 'alarm.set', 'There is no pack "clcok"; did you mean "clock"?'],
    ['../clock', 'alarm.set', 'There is no pack "../clock"'],
    ['clock', 'alarm', '"alarm" is no alias of a tool'],
    ['clock', '../x.y', '"../x.y" is no alias of a tool'],
    ['clock', 'Alarm.Set', '"Alarm.Set" is no alias of a tool'],
  ])('of %s named %s is refused', async (pack, alias, message) => {
    const root = await copyFixture()
    expect(() => scaffoldTool(root, pack, alias)).toThrow(message)
  })

  it('never takes the place of a file that exists', async () => {
    const root = await copyFixture()
    write(root, 'packages/packs/clock/src/tools/alarm-set.ts', 'export const mine = 1\n')
    expect(() => scaffoldTool(root, 'clock', 'alarm.set')).toThrow('alarm-set.ts exists already')
  })

  it('waits until what is there can be read', async () => {
    const root = await copyFixture()
    write(root, 'packages/packs/clock/src/tools/bad.meta.yaml', 'alias: x\n')
    expect(() => scaffoldTool(root, 'clock', 'alarm.set')).toThrow(MetaError)
  })
})
