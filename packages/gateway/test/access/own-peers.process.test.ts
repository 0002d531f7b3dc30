/** Real connections of this very user; those of another user attack in `hostile/test/neighbour.process.test.ts`. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { waitFor } from '@switchboard/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { createOwnPeerCheck } from '../../src/access/own-peers.ts'
import { HttpPeer } from '../../src/http/http-peer.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

/** Both ends of a connection. */
async function open(listen: string, to = listen): Promise<{ client: Socket; accepted: Socket }> {
  const server = createServer({ allowHalfOpen: true })
  await new Promise<void>((resolve) => server.listen(0, listen, resolve))
  const accepting = once(server, 'connection')
  // A TCP server's address is never a path.
  const client = connect((server.address() as AddressInfo).port, to)
  const [accepted] = (await accepting) as [Socket]
  accepted.on('error', () => {})
  cleanups.push(() => {
    client.destroy()
    accepted.destroy()
    return new Promise((resolve) => server.close(resolve))
  })
  return { client, accepted }
}

const isLinux = process.platform === 'linux'

describe.skipIf(!isLinux)('a connection of this user (told on Linux only)', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::1', '::1'],
    ['::', '127.0.0.1'],
    ['::', '::ffff:127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
  ])('at %s from %s is known', async (listen, to) => {
    const { accepted } = await open(listen, to)
    expect(await createOwnPeerCheck()(accepted)).toBe(true)
  })

  it('is known when its other side will send no more', async () => {
    const { client, accepted } = await open('127.0.0.1')
    client.end('the last word')
    await once(accepted.resume(), 'end')
    expect(await createOwnPeerCheck()(accepted)).toBe(true)
  })

  it('is known, of many at once each', async () => {
    const check = createOwnPeerCheck()
    const pairs = await Promise.all(Array.from({ length: 50 }, () => open('127.0.0.1')))
    for (const { client } of pairs.slice(25)) client.destroy()
    await waitFor(() => pairs.slice(25).every(({ client }) => client.closed))
    const verdicts = await Promise.all(pairs.map(({ accepted }) => check(accepted)))
    expect(verdicts).toEqual(pairs.map((_, index) => index < 25))
  })

  it('that was closed is nobody’s, though the kernel calls it root’s', async () => {
    const { client, accepted } = await open('127.0.0.1')
    client.destroy()
    await once(client, 'close')
    expect(await createOwnPeerCheck({ uid: 0 })(accepted)).toBe(false)
  })

  it('that was reset is nobody’s, also before it is noticed here', async () => {
    const { client, accepted } = await open('127.0.0.1')
    accepted.pause()
    // Node remembers who it was.
    expect(accepted.remotePort).toBe(client.localPort)
    client.resetAndDestroy()
    await once(client, 'close')
    expect(accepted.destroyed).toBe(false)
    expect(await createOwnPeerCheck()(accepted)).toBe(false)
  })

  it('is not known where the table cannot be read, and asked for again', async () => {
    const { accepted } = await open('127.0.0.1')
    const cannot = createOwnPeerCheck({ tables: ['/nowhere/tcp'] })
    await expect(cannot(accepted)).rejects.toThrow('ENOENT')
    expect(await createOwnPeerCheck({ tables: ['/nowhere/tcp', '/proc/net/tcp'] })(accepted)).toBe(true)
    expect(await createOwnPeerCheck({ tables: [] })(accepted)).toBe(false)
    let asked = 0
    const peer = new HttpPeer('1', accepted, (socket) => (asked++ === 0 ? cannot(socket) : Promise.resolve(true)))
    expect([await peer.isSameUser(), await peer.isSameUser(), peer.isSameUser()]).toEqual([false, true, true])
    expect(asked).toBe(2)
  })
})

it('nobody is known to be this user where the system does not tell, or cannot', async () => {
  const { accepted } = await open('127.0.0.1')
  expect(await createOwnPeerCheck({ platform: 'darwin' })(accepted)).toBe(false)
  expect(await createOwnPeerCheck({ platform: 'win32', uid: undefined })(accepted)).toBe(false)
  // Stands for every user that this namespace does not know.
  expect(await createOwnPeerCheck({ uid: 65_534 })(accepted)).toBe(false)
  expect(await createOwnPeerCheck({ uid: (process.getuid?.() ?? 0) + 1 })(accepted)).toBe(false)
})
