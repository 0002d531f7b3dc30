/** The model of a real client is asked for its guess, through the gateway, in either era. */
import { textOf } from '@switchboard/testkit'
import { answersOf, connectSdkAgent, type SdkClient } from '@switchboard/testkit/sdk'
import { expect, it } from 'vitest'
import { useWorkbench, WITH_MEMORY } from './helpers/workbench.ts'

const bench = useWorkbench()
const UNSURE = 'the container on which the docker image of port runs is not listening'

it.each<SdkClient>(['v1', 'v2 legacy', 'v2 pinned'])(
  'a client (%s) that allows it is asked for a guess',
  async (client) => {
    const { mcp } = await bench.open(WITH_MEMORY)
    const agent = await connectSdkAgent(client, { transport: 'http', url: `${mcp}/memory-full` }, { name: 'ada' })
    bench.defer(() => agent.close())
    const result = await agent.call('troubleshoot', { errorMessage: UNSURE, mode: 'interactive' })
    const { content } = answersOf('ada').sampling
    expect(textOf(result)).toContain(`not verified: "${content.text}"`)
    expect(agent.questions.join()).toContain(UNSURE)
    expect(Buffer.byteLength(textOf(result))).toBeLessThanOrEqual(1_200)
  },
)

it('a client that does not allow it is told that patterns are all there is', async () => {
  const { mcp } = await bench.open(WITH_MEMORY)
  const target = { transport: 'http', url: `${mcp}/memory-full` } as const
  const agent = await connectSdkAgent('v2 pinned', target, { capabilities: {} })
  bench.defer(() => agent.close())
  const result = await agent.call('troubleshoot', { errorMessage: UNSURE, mode: 'guided' })
  expect(textOf(result)).toContain('Patterns only: this client does not let its model be asked.')
  expect(agent.asked).toEqual([])
})
