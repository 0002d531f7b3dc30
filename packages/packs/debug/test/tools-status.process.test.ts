/** What an agent reads with the tools of the short list only. */
import { expect, test } from 'vitest'
import { lineOf, useDebugBench } from './helpers/debug-bench.ts'

const bench = useDebugBench()

const APP = `import threading
ready = threading.Event()
done = threading.Event()
def work():
    ready.set()
    done.wait()
thread = threading.Thread(target=work, name="second")
thread.start()
ready.wait()
for i in range(500):
    print("line", i)
done.set()  # here
thread.join()
`

test('all threads and all that was printed can be read', { timeout: 120_000 }, async () => {
  await bench.write('app.py', APP)
  await bench.call('debug_start', {
    program: 'app.py',
    breakpoints: [{ path: 'app.py', line: lineOf(APP, '# here') }],
  })
  const few = await bench.call('debug_status', { output: 3 })
  expect(few.data.output).toEqual(['… 497 lines before: skip=3', 'line 497', 'line 498', 'line 499'])
  expect(few.text).toMatch(/thread \d+ second/)
  const middle = await bench.call('debug_status', { output: 2, skip: 3 })
  expect(middle.data.output).toEqual(['… 495 lines before: skip=5', 'line 495', 'line 496'])
  const all = await bench.call('debug_status', { output: 10_000 })
  expect(all.data.output).toEqual(Array.from({ length: 500 }, (_, index) => `line ${index}`))
  expect((await bench.call('debug_status')).data).not.toHaveProperty('output')
})

test('a long line is read in pieces, page by page', { timeout: 120_000 }, async () => {
  const letters = 'abcdefghij'
  await bench.write('app.mjs', `console.log('${letters}'.repeat(380)); for (let i = 0; i < 9; i++) console.log(i)`)
  await bench.call('debug_start', { program: 'app.mjs' })
  const rows: string[] = []
  for (let skip = 0; ; ) {
    const { data } = await bench.call('debug_status', { output: 3, skip })
    const page = data.output as string[]
    const more = /^… \d+ lines before: skip=(\d+)$/.exec(page[0] ?? '')?.[1]
    rows.unshift(...(more === undefined ? page : page.slice(1)))
    if (more === undefined) break
    skip = Number(more)
  }
  const text = rows.map((row) => (row.endsWith(' ↩') ? row.slice(0, -2) : `${row}\n`)).join('')
  expect(text).toBe(`${letters.repeat(380)}\n0\n1\n2\n3\n4\n5\n6\n7\n8\n`)
})

test('what is over the bound of one answer is told with where to go on', { timeout: 120_000 }, async () => {
  await bench.write('app.mjs', "for (let i = 0; i < 3000; i++) console.log('x'.repeat(100))")
  await bench.call('debug_start', { program: 'app.mjs' })
  const { text, data } = await bench.call('debug_status', { output: 10_000 })
  const shown = text.split('\n').filter((line) => line.startsWith('x')).length
  expect(shown).toBeGreaterThan(50)
  expect(data.output).toHaveLength(shown + 1)
  expect(text).toContain(`\n… ${3000 - shown} lines before: skip=${shown}\n`)
})
