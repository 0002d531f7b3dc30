/** A login that a call lacks, offered to the person in front of the agent: the SDKs' own clients, a real authorization server. */
import { textOf, waitFor } from '@switchboard/testkit'
import { startAuthorizationServer, startProtectedServer, visitPage } from '@switchboard/testkit/oauth'
import { connectSdkAgent, type SdkAgent, type SdkAgentOptions, type SdkClient } from '@switchboard/testkit/sdk'
import { expect, test } from 'vitest'
import { useWorkbench } from '../helpers/workbench.ts'

const workbench = useWorkbench()

async function openWorld() {
  const authorization = await startAuthorizationServer()
  workbench.defer(() => authorization.stop())
  const server = await startProtectedServer({ issuer: authorization.url, guards: 'calls' })
  workbench.defer(() => server.stop())
  const open = await workbench.open({
    mcpServers: { box: { url: server.url } },
    daemon: { keychain: 'off' },
  })
  const connect = async (client: SdkClient, options: SdkAgentOptions = {}): Promise<SdkAgent> => {
    const agent = await connectSdkAgent(client, { transport: 'http', url: open.mcp }, options)
    workbench.defer(() => agent.close())
    return agent
  }
  return { ...open, authorization, connect }
}

function readVisit({ asked }: SdkAgent): Promise<string> {
  return waitFor(() => asked.map(({ params }) => String(params.url))[0], { what: 'the agent to be asked' })
}

test.each(['v1', 'v2 legacy', 'v2 pinned'] as const)(
  'a %s client that shows addresses is sent to the login, and its call goes on',
  async (client) => {
    const { connect, authorization, log } = await openWorld()
    const agent = await connect(client)
    const called = agent.call('box_whoami')
    const url = await readVisit(agent)
    expect(agent.asked[0]?.params).toMatchObject({
      mode: 'url',
      message: `The server "box" wants a login. It is done in your browser, on the page of ${authorization.url}.`,
    })
    expect(await visitPage(url)).toMatchObject({ status: 200 })
    expect(textOf(await called)).toBe('called whoami')
    expect(textOf(await agent.call('box_whoami'))).toBe('called whoami')
    expect(agent.asked).toHaveLength(1)
    expect(log.entries.filter(({ level }) => level === 'error')).toEqual([])
  },
)

test('many calls at once ask the person once', async () => {
  const { connect } = await openWorld()
  const agent = await connect('v1')
  const calls = Array.from({ length: 12 }, () => agent.call('box_whoami'))
  await visitPage(await readVisit(agent))
  expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map(() => 'called whoami'))
  expect(agent.asked).toHaveLength(1)
})

test('a client that cannot show addresses is told the command', async () => {
  const { connect } = await openWorld()
  const agent = await connect('v1', { capabilities: { roots: {} } })
  expect(textOf(await agent.call('box_whoami'))).toContain(
    '[unauthorized_upstream] The server box wants a login: nobody is logged in. Log in with: switchboard server login box',
  )
  expect(agent.asked).toEqual([])
})

test('an agent that goes away while the person is asked leaves no address open', async () => {
  const { connect } = await openWorld()
  const agent = await connect('v1')
  const cancelling = new AbortController()
  const called = agent.call('box_whoami', {}, { signal: cancelling.signal })
  const redirect = new URL(await readVisit(agent)).searchParams.get('redirect_uri') ?? ''
  expect((await fetch(redirect)).status).toBe(404)
  cancelling.abort()
  await expect(called).rejects.toThrow()
  const isClosed = () =>
    fetch(redirect).then(
      () => false,
      () => true,
    )
  await waitFor(isClosed, { what: 'the address to be closed' })
})

test('a login that is under way when everything stops ends with it', async () => {
  const { switchboard } = await openWorld()
  const visit = await switchboard.logins.join('box', new AbortController().signal)
  await switchboard.close()
  await expect(visit.done).rejects.toMatchObject({ code: 'shutting_down' })
})
