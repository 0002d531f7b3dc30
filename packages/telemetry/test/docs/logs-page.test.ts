/** What docs/logs.md shows is compiled and run here. */
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseTimeFilter, readLogs } from '@switchboard/telemetry'
import { expect, it, vi } from 'vitest'

async function printWarnings(directory: string): Promise<void> {
  // #region page
  for await (const line of readLogs({ directory, since: parseTimeFilter('10m'), level: 'warn', limit: 200 })) {
    console.log(line.ts, line.source, line.cat, line.msg)
  }
  // #endregion
}

it('the example of docs/logs.md is this code, and prints what it says', async () => {
  const page = readFileSync(new URL('../../../../docs/logs.md', import.meta.url), 'utf8').replaceAll('\r\n', '\n')
  const own = readFileSync(new URL(import.meta.url), 'utf8').replaceAll('\r\n', '\n')
  const [, region = ''] = /#region page\n([\s\S]*?) *\/\/ #endregion/.exec(own) ?? []
  const [, fence = ''] = /^```ts\n([\s\S]*?)^```/m.exec(page) ?? []
  expect(fence.split('\n').slice(2).join('\n')).toBe(region.replaceAll(/^ {2}/gm, ''))
  const directory = await mkdtemp(join(tmpdir(), 'switchboard-logs-page-'))
  const print = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  try {
    const line = { ts: new Date().toISOString(), inst: 'tt79-6f854d', cat: 'pool.restart' }
    const lines = [
      { ...line, level: 'warn', msg: 'told' },
      { ...line, level: 'info', msg: 'not told' },
    ]
    await writeFile(join(directory, 'daemon.log'), lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
    await printWarnings(directory)
    expect(print.mock.calls).toEqual([[line.ts, 'daemon', 'pool.restart', 'told']])
  } finally {
    print.mockRestore()
    await rm(directory, { recursive: true })
  }
})
