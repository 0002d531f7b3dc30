import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const run = promisify(execFile)
const HERE = fileURLToPath(new URL('.', import.meta.url))

it('does not load the WebSocket library before somebody wants to speak it', async () => {
  const program = `
    await import('@switchboard/gateway')
    const { _cache } = (await import('node:module')).default
    const loaded = () => Object.keys(_cache).filter((path) => /[\\\\/]node_modules[\\\\/]ws[\\\\/]/.test(path)).length
    const before = loaded()
    await import('ws')
    console.log(JSON.stringify({ before, after: loaded() }))`
  const args = ['--conditions=switchboard-source', '--input-type=module', '-e', program]
  const { stdout } = await run(process.execPath, args, { cwd: HERE })
  const { before, after } = JSON.parse(stdout)
  expect(before).toBe(0)
  // Else nothing would have been looked at.
  expect(after).toBeGreaterThan(0)
})
