/** Ctrl-C while the set-up is at a step that takes no notice of it, as npm does. */
import { createTemporaryDirectory, expectNoProcessLeft, hasTerminal, runOnTerminal } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'

const CHILD = new URL('../run/child.mjs', import.meta.url).href

test.skipIf(!hasTerminal())('the first Ctrl-C is answered at once, and ends the step', async () => {
  const folder = await createTemporaryDirectory('switchboard-interrupt-')
  onTestFinished(() => folder.remove())
  const deaf = `process.on('SIGINT', () => {}); process.on('SIGTERM', () => {})
    console.log('at ' + 'work'); setInterval(() => {}, 1_000, ${JSON.stringify(folder.path)})`
  const step = `const { runInForeground } = await import(${JSON.stringify(CHILD)})
    const code = await runInForeground(process.execPath, ['-e', ${JSON.stringify(deaf)}], { isStep: true })
    console.log('the step ended with ' + code)`
  const args = [process.execPath, '--input-type=module', '-e', step]
  const { code, text } = await runOnTerminal(args, [['at work', '\x03']], { cwd: folder.path })
  expect(text).toContain('stopping …')
  expect(text).toContain(`the step ended with ${process.platform === 'win32' ? 1 : 137}`)
  expect(code).toBe(0)
  await expectNoProcessLeft(folder.path, 20_000)
})
