/** Where a browser comes back to. */
import { once } from 'node:events'
import { request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CallbackListener, type CallbackOptions } from '../../src/logins/callback-listener.ts'

async function open(options: Partial<CallbackOptions> = {}): Promise<{ uri: URL; answers: string[] }> {
  const answers: string[] = []
  const onAnswer: CallbackOptions['onAnswer'] = async (answer) => {
    answers.push(answer.toString())
    return { kind: 'unknown' }
  }
  const listener = await CallbackListener.open({
    ...{ host: 'localhost', port: undefined, isFixed: false, onAnswer },
    ...options,
  })
  onTestFinished(() => listener.close())
  return { uri: new URL(listener.redirectUri), answers }
}

/** Asks one address under a name. */
async function ask(address: string, port: string, host: string): Promise<void> {
  const asked = request({ host: address, port, path: '/callback?code=1', headers: { host }, agent: false })
  asked.end()
  const [response] = await once(asked, 'response')
  response.resume()
  await once(response, 'end')
}

async function take(address: string, port = 0): Promise<number> {
  const other = createServer()
  other.listen(port, address)
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  return (other.address() as AddressInfo).port
}

/** A machine may have the older one alone. */
const ADDRESSES = [
  '127.0.0.1',
  ...(Object.values(networkInterfaces())
    .flat()
    .some((one) => one?.address === '::1')
    ? ['::1']
    : []),
]

describe('the redirect address', () => {
  it('is one of this machine, under the name that it was asked for and no other', async () => {
    const { uri, answers } = await open({ host: '127.0.0.1' })
    expect(uri.hostname).toBe('127.0.0.1')
    await ask('127.0.0.1', uri.port, `localhost:${uri.port}`)
    expect(answers).toEqual([])
    await ask('127.0.0.1', uri.port, uri.host)
    expect(answers).toEqual(['code=1'])
  })

  it('that is called localhost is there at both of its addresses', async () => {
    const { uri, answers } = await open()
    expect(uri.hostname).toBe('localhost')
    await ask('127.0.0.1', uri.port, `127.0.0.1:${uri.port}`)
    expect(answers).toEqual([])
    for (const address of ADDRESSES) await ask(address, uri.port, uri.host)
    expect(answers).toHaveLength(ADDRESSES.length)
  })

  it.each(ADDRESSES)(
    'whose port another program has at %s is elsewhere, or refused where only that will do',
    async (at) => {
      const port = await take(at)
      expect((await open({ port })).uri.port).not.toBe(String(port))
      await expect(open({ port, isFixed: true })).rejects.toMatchObject({
        code: 'login_failed',
        message: expect.stringContaining(`The port ${port} `),
      })
      // What was begun is given back.
      if (at === '::1') await take('127.0.0.1', port)
    },
  )
})
