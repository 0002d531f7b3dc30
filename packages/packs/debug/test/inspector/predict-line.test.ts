import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { predictLine } from '../../src/inspector/predict-line.ts'

test('a breakpoint goes to the next line with code, or is told that there is none', async () => {
  const folder = await createTemporaryDirectory('switchboard-predict-')
  try {
    const path = join(folder.path, 'a.ts')
    writeFileSync(path, '// one\n/* two\n three */ const a = 1\n\n  // five\r\nconst b = 2\n/* end */\n')
    expect([1, 2, 3, 4, 6].map((line) => predictLine(path, line))).toEqual([3, 3, 3, 6, 6].map((line) => ({ line })))
    expect(predictLine(path, 7)).toMatchObject({ problem: expect.stringContaining('line 6') })
    expect(predictLine(path, 100)).toMatchObject({ problem: expect.stringContaining('8 lines') })
    expect(predictLine(join(folder.path, 'none.ts'), 1)).toMatchObject({ problem: expect.stringContaining('none.ts') })
  } finally {
    await folder.remove()
  }
})
