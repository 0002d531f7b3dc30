import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { DebugSession } from '../../src/engine/debug-session.ts'
import { breakpoint, type Recorder } from '../contract/recorder.ts'
import { lineOf } from '../helpers/debug-bench.ts'
import { createNodeBench } from './node-bench.ts'

async function nextChild(recorder: Recorder): Promise<DebugSession> {
  return (await recorder.next('child')).session
}

describe('Node under the debugger', () => {
  const bench = createNodeBench()

  test('steps over an await to the line behind it', async () => {
    const text = `async function wait() {\n  await new Promise((done) => setTimeout(done, 5))\n  return 7\n}\nconst value = await wait() // first\nconsole.log(value) // second\n`
    const program = bench.write('await.mjs', text)
    const { recorder, session, threadId } = await bench.runTo(program, program, '// first')
    await session.step(threadId, 'over')
    await recorder.nextStop()
    const frame = await recorder.top(threadId)
    expect(frame.place).toMatchObject({ path: program, line: lineOf(text, '// second') })
    expect((await recorder.locals(frame.id)).find(({ name }) => name === 'value')?.value).toBe('7')
  })

  test('does not step into the runtime or a library', async () => {
    bench.write('node_modules/library/index.js', 'exports.twice = (f) => { f(1)\nf(2) }\n')
    const text = `const { twice } = require('library')\ntwice((n) => {\n  console.log(n) // inner\n})\nconsole.log('end')\n`
    const program = bench.write('library.cjs', text)
    const { recorder, session, threadId } = await bench.runTo(program, program, 'twice((n)')
    await session.step(threadId, 'into')
    await recorder.nextStop()
    expect((await recorder.top(threadId)).place).toMatchObject({ path: program, line: lineOf(text, '// inner') })
  })

  test('stops where an exception that ends a module was thrown, with its variables', async () => {
    const text = `function fail(code) {\n  throw new TypeError('bad ' + code) // thrown\n}\ntry {\n  fail(1)\n} catch {}\nfail(2)\n`
    const program = bench.write('throws.mjs', text)
    const recorder = await bench.start(program)
    await recorder.session.setExceptionMode('uncaught')
    await recorder.session.run()
    const { reason, threadId } = await recorder.nextStop()
    expect(reason).toBe('exception')
    const frame = await recorder.top(threadId)
    expect(frame.place?.line).toBe(lineOf(text, '// thrown'))
    expect((await recorder.locals(frame.id)).find(({ name }) => name === 'code')?.value).toBe('2')
    await recorder.session.continue(threadId)
    await recorder.waitForEnd()
    expect(recorder.events.filter(({ type }) => type === 'stopped')).toHaveLength(1)
  })

  test('tells where an exception came from that ends a program after an await', async () => {
    const text = `async function main() {\n  await null\n  throw new Error('late') // thrown\n}\nawait main()\n`
    const program = bench.write('late.mjs', text)
    const recorder = await bench.start(program)
    await recorder.session.setExceptionMode('uncaught')
    await recorder.session.run()
    const { reason, threadId } = await recorder.nextStop()
    expect(reason).toBe('exception')
    expect((await recorder.top(threadId)).place).toMatchObject({ path: program, line: lineOf(text, '// thrown') })
    expect(await recorder.session.exceptionInfo(threadId)).toMatchObject({
      type: 'Error',
      message: 'late',
      isUncaught: true,
    })
    await recorder.session.continue(threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toContain('Error: late')
  })

  test('pauses a program that waits for something, and says that it does', async () => {
    const program = bench.write('idle.cjs', `console.log('waiting')\nsetInterval(() => {}, 100_000)\n`)
    const recorder = await bench.start(program)
    await recorder.session.run()
    await recorder.waitForOutput('waiting')
    // Its first turn is over then.
    await recorder.session.evaluate('await new Promise((done) => setTimeout(done, 1))', { context: 'repl' })
    await recorder.session.pause()
    expect(await recorder.nextStop()).toMatchObject({ reason: 'pause', text: expect.stringContaining('waits') })
  })

  test('debugs a child although the signal of the start was cancelled meanwhile', async () => {
    const text = `const { execFileSync } = require('node:child_process')\nif (process.argv[2] === 'child')\n  console.log('child') // child\nelse execFileSync(process.execPath, [__filename, 'child'], { stdio: 'inherit' })\n`
    const program = bench.write('signal.cjs', text)
    const controller = new AbortController()
    const recorder = await bench.start(program, {}, controller.signal)
    controller.abort()
    await recorder.session.setBreakpoints(program, [breakpoint(lineOf(text, '// child'))])
    await recorder.session.run()
    const child = bench.record(await nextChild(recorder))
    const { threadId } = await child.nextStop()
    await child.session.continue(threadId)
    await recorder.waitForEnd()
    expect(recorder.output).toBe('child\n')
  })

  test('debugs tests of node:test, each file of which runs in a process of its own', async () => {
    const text = `import test from 'node:test'\ntest('adds', () => {\n  const sum = 1 + 2\n  if (sum !== 3) throw new Error('no') // check\n})\n`
    const files = ['one', 'two'].map((name) => bench.write(`${name}.test.mjs`, text))
    const recorder = await bench.start('', {
      options: { runtimeArgs: ['--test', '--test-name-pattern', 'adds', ...files] },
    })
    const { session } = recorder
    const seen: string[] = []
    const follow = (followed: DebugSession): void => {
      followed.onEvent((event) => {
        if (event.type === 'child') follow(event.session)
        if (event.type === 'stopped') look(followed, event.threadId).catch((error: unknown) => seen.push(String(error)))
      })
    }
    async function look(stopped: DebugSession, threadId: number): Promise<void> {
      const { frames } = await stopped.stack(threadId, { start: 0, count: 1 })
      const sum = await stopped.evaluate('sum', { frameId: frames[0]?.id ?? 0, context: 'watch' })
      seen.push(`${frames[0]?.place?.path} ${sum.value}`)
      await stopped.continue(threadId)
    }
    follow(session)
    for (const file of files) await session.setBreakpoints(file, [breakpoint(lineOf(text, '// check'))])
    await session.run()
    await recorder.waitForEnd()
    expect(seen.sort()).toEqual(files.map((file) => `${file} 3`).sort())
    expect(recorder.output).toMatch(/pass 2/)
  })

  test('follows children of children, and ends them all', async () => {
    const text = `const { fork } = require('node:child_process')\nconst depth = Number(process.argv[2] ?? 0)\nif (depth < 2) fork(__filename, [String(depth + 1)])\nelse setInterval(() => {}, 1000) // leaf\n`
    const program = bench.write('nested.cjs', text)
    const recorder = await bench.start(program)
    await recorder.session.setBreakpoints(program, [breakpoint(lineOf(text, '// leaf'))])
    await recorder.session.run()
    const child = bench.record(await nextChild(recorder))
    const grandchild = bench.record(await nextChild(child))
    await grandchild.nextStop()
    await recorder.session.stop()
    await Promise.all([child.waitForEnd(), grandchild.waitForEnd()])
    expect(new Set([recorder, child, grandchild].map(({ session }) => session.pid)).size).toBe(3)
  })

  test('leaves children alone when it is told to', async () => {
    const program = bench.write(
      'alone.cjs',
      `require('node:child_process').execFileSync(process.execPath, ['-p', '1'], { stdio: 'inherit' })\n`,
    )
    const recorder = await bench.start(program, { options: { autoAttachChildProcesses: false } })
    await recorder.session.run()
    await recorder.waitForEnd()
    expect(recorder.output).toBe('1\n')
    expect(recorder.events.some(({ type }) => type === 'child')).toBe(false)
  })

  test('says why a breakpoint cannot be', async () => {
    const program = bench.write('short.cjs', '// nothing\n\nconst a = 1\n// the end\n')
    const { session } = await bench.start(program)
    const states = await session.setBreakpoints(program, [
      { id: 'comment', line: 1 },
      { id: 'behind', line: 4 },
      { id: 'condition', line: 3, condition: 'a ===' },
      { id: 'hits', line: 3, hitCondition: 'often' },
    ])
    expect(states[0]).toEqual({ id: 'comment', verified: true, line: 3 })
    expect(states[1]).toMatchObject({ verified: false, message: expect.stringContaining('line 3') })
    expect(states[2]).toMatchObject({ verified: false, message: expect.stringContaining('a ===') })
    expect(states[3]).toMatchObject({ verified: false, message: expect.stringContaining('often') })
  })

  test('says what is wrong with a program that does not begin', async () => {
    await expect(bench.start(bench.path('none.cjs'))).rejects.toMatchObject({ code: 'E_FILE_NOT_FOUND' })
    const program = bench.write('fine.cjs', '')
    await expect(bench.start(program, { options: { runtimeArgs: ['--no-such-flag'] } })).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringContaining('no-such-flag'),
    })
    await expect(bench.start(program, { options: { runtimeExecutable: 'no-such-node' } })).rejects.toMatchObject({
      code: 'E_LAUNCH_FAILED',
      message: expect.stringContaining('no-such-node'),
    })
  })

  describe('attached to', () => {
    async function launch(flags: readonly string[], text: string) {
      const program = bench.write('served.cjs', text)
      const child = spawn(process.execPath, [...flags, program], { stdio: ['ignore', 'pipe', 'pipe'] })
      const exited = once(child, 'exit')
      let said = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (chunk: string) => {
          said += chunk
        })
      }
      return { program, child, exited, said: () => said }
    }
    const SERVER = `let turns = 0\nsetInterval(() => {\n  turns += 1 // turn\n  console.log('turn')\n}, 10)\n`

    test('by its port, stops, and runs on after a stop of the session', async () => {
      const { program, child, exited, said } = await launch(['--inspect=127.0.0.1:0'], SERVER)
      await waitFor(() => /ws:\/\/127\.0\.0\.1:(\d+)/.test(said()))
      const port = Number(/ws:\/\/127\.0\.0\.1:(\d+)/.exec(said())?.[1])
      const recorder = await bench.attach({ port })
      expect(recorder.session.pid).toBe(child.pid)
      await recorder.session.setBreakpoints(program, [breakpoint(lineOf(SERVER, '// turn'))])
      await recorder.session.run()
      const { threadId } = await recorder.nextStop()
      expect((await recorder.top(threadId)).place?.path).toBe(program)
      await recorder.session.stop()
      const turns = said().split('turn').length
      await waitFor(() => said().split('turn').length > turns)
      expect(child.exitCode).toBeNull()
      child.kill('SIGKILL')
      await exited
    })

    test('by its pid, although it has no inspector yet', async () => {
      const probe = createServer().listen(0, '127.0.0.1')
      await once(probe, 'listening')
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      await new Promise((resolve) => probe.close(resolve))
      const { child, exited, said } = await launch([`--inspect-port=127.0.0.1:${port}`], SERVER)
      await waitFor(() => said().includes('turn'))
      const recorder = await bench.attach({ port, pid: child.pid ?? 0 })
      await recorder.session.run()
      await recorder.session.pause()
      await recorder.nextStop()
      await recorder.session.stop()
      // Whoever is on this machine could talk to an inspector that stayed open.
      const isOpen = () =>
        fetch(`http://127.0.0.1:${port}/json/list`).then(
          () => true,
          () => false,
        )
      await waitFor(async () => !(await isOpen()), { what: 'its inspector to be closed' })
      const again = await bench.attach({ port, pid: child.pid ?? 0 })
      await again.session.stop({ kill: true })
      await exited
      await recorder.waitForEnd()
    })

    test('nothing at all, it says what to do', async () => {
      await expect(bench.attach({ port: 1 })).rejects.toMatchObject({
        code: 'E_LAUNCH_FAILED',
        message: expect.stringContaining('--inspect=1'),
      })
    })

    test.each<[string, (socket: Socket) => void]>([
      ['talks nonsense', (socket) => socket.end('what?\r\n\r\n')],
      ['hangs up', (socket) => socket.destroy()],
      ['has another answer', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}')],
    ])('something that is no inspector and %s, it gives up', async (_, answer) => {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => answer(socket))
      }).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      await expect(bench.attach({ port })).rejects.toMatchObject({ code: 'E_LAUNCH_FAILED' })
      await new Promise((resolve) => server.close(resolve))
    })
  })
})
