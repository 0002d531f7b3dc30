/** What a program has started, and what that has started. None of it is left, wherever it went. */
import { waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { FAMILY_SIZE, type HardshipBench } from './hardship-bench.ts'

export function declareFamilies({ call, start, family }: HardshipBench): void {
  // Sessions of their own are made by `setsid`, which other systems do not have.
  const testLinux = test.runIf(process.platform === 'linux')

  testLinux('no child and no grandchild of a program is left when it is stopped', async () => {
    const { script, alive, end } = family()
    try {
      await start(['family', script], { wait: false })
      await waitFor(async () => (await alive()) === FAMILY_SIZE, { timeout: 30_000 })
      expect((await call('debug_stop')).data).toMatchObject({ stoppedCount: 1 })
      expect(await alive()).toBe(0)
    } finally {
      await end()
    }
  })
}
