import { mkdir } from 'node:fs/promises'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

test.skipIf(process.platform === 'win32')('a daemon that closes its door while it is knocked at is none', async () => {
  await using home = await TestHome.create()
  await mkdir(home.file('run'), { mode: 0o700 })
  const listen = () => createServer().listen(home.file('run', 'daemon.sock'))
  let server = listen()
  let isOver = false
  // Whoever begins to connect in one turn of the event loop is reset before the next.
  const slam = (): void => {
    server.close()
    if (isOver) return
    server = listen()
    setImmediate(slam)
  }
  setImmediate(slam)
  const { code, out, err } = await home.run(['down', '--json'])
  isOver = true
  expect({ code, out: out && JSON.parse(out), err }).toEqual({ code: 0, out: { ok: true, stopped: false }, err: '' })
})
