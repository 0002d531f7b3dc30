/** A process that has no file handles left, or hardly any: a child that cannot be started is an outcome, never an exception. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const SCRIPT = fileURLToPath(new URL('programs/use-up-handles.ts', import.meta.url))

describe.skipIf(process.platform === 'win32')('a process without file handles', () => {
  it.each([0, 3, 8])(
    'that has %i left does not start a child, says why, and starts it when there are some',
    async (left) => {
      const node = [process.execPath, '--conditions=switchboard-source', SCRIPT, String(left)]
      const { stdout } = await run('/bin/sh', ['-c', 'ulimit -n 96; exec "$@"', 'sh', ...node])
      expect(JSON.parse(stdout)).toEqual({
        without: { spawned: false, reason: 'no_room', message: expect.stringContaining('too many files are open') },
        stopped: true,
        afterwards: { spawned: true },
      })
    },
  )
})
