/** The public SDKs' clients over every transport that they speak, with a server of each era behind Switchboard. */

import { programCommand, waitFor } from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent, type SdkClient, type SdkTarget } from '@switchboard/testkit/sdk'
import { beforeAll, describe, expect, it } from 'vitest'
import { isCallOf, isCancelOf, watchJournal } from './helpers/journal.ts'
import { type OpenSwitchboard, useWorkbench } from './helpers/workbench.ts'

const MATRIX: readonly [SdkClient, SdkTarget['transport'], version: string][] = [
  ['v1', 'stdio', '2025-11-25'],
  ['v1', 'http', '2025-11-25'],
  ['v1', 'sse', '2025-11-25'],
  ['v1', 'websocket', '2025-11-25'],
  ['v2 legacy', 'stdio', '2025-11-25'],
  ['v2 legacy', 'http', '2025-11-25'],
  ['v2 legacy', 'sse', '2025-11-25'],
  ['v2 auto', 'stdio', '2026-07-28'],
  ['v2 auto', 'http', '2026-07-28'],
  ['v2 auto', 'sse', '2025-11-25'],
  ['v2 pinned', 'stdio', '2026-07-28'],
  ['v2 pinned', 'http', '2026-07-28'],
]
const PATHS = { stdio: '', http: '/mcp', sse: '/sse', websocket: '/ws' } as const

const bench = useWorkbench({ per: 'suite' })
let open: OpenSwitchboard

beforeAll(async () => {
  // The fixture has one set of URIs; the second server's are told apart by their scheme.
  const config = {
    mcpServers: {
      old: bench.fixture('old', { era: 'legacy' }, { interactive: true }),
      new: bench.fixture('new', { era: 'modern' }),
      // After a cancelled call a legacy server's questions are nobody's for a while: it might be the one that asks.
      patient: bench.fixture('patient', { era: 'legacy' }),
    },
  }
  await bench.writeConfig(config)
  open = await bench.open(config)
})

describe.each(MATRIX)('an SDK client (%s) over %s', (client, transport, version) => {
  const name = `${client} ${transport}`
  let agent: SdkAgent

  beforeAll(async () => {
    const base = transport === 'websocket' ? open.url.replace(/^http/, 'ws') : open.url
    const command = programCommand(['mcp', '--standalone'], { home: bench.home.path })
    const target: SdkTarget =
      transport === 'stdio' ? { transport, command } : { transport, url: `${base}${PATHS[transport]}` }
    agent = await connectSdkAgent(client, target, { name })
    return () => agent.close()
  })

  it('speaks the revision that it should, and lists the tools of all servers', async () => {
    expect(agent.version).toBe(version)
    const names = await waitFor(
      async () => {
        const listed = await agent.toolNames()
        return ['old_echo', 'new_echo', 'patient_echo'].every((tool) => listed.includes(tool)) && listed
      },
      { what: 'the tools of all servers' },
    )
    expect(names.filter((tool) => tool.startsWith('old_')).length).toBeGreaterThan(30)
  })

  it('reads a resource of each', async () => {
    const contents = [{ mimeType: 'text/plain', text: 'The text of the fixture.' }]
    expect(await agent.read('fixture://text')).toMatchObject({ contents })
    expect(await agent.read('switchboard+new:fixture://text')).toMatchObject({ contents })
  })

  describe.each(['old', 'new'])('with the %s server', (server) => {
    it('calls a tool', async () => {
      const result = await agent.call(`${server}_add`, { a: 2, b: 3 })
      expect(result.structuredContent).toEqual({ sum: 5 })
      const failed = await agent.call(`${server}_fail`, { message: 'as it should' })
      expect(failed).toMatchObject({ isError: true, content: [{ text: 'as it should' }] })
    })

    it('gets a prompt and completes its argument', async () => {
      const messages = [{ content: { type: 'text', text: 'Greet Ada in german.' } }]
      const prompt = await agent.prompt(`${server}_greet`, { name: 'Ada', language: 'german' })
      expect(prompt).toMatchObject({ messages })
      const ref = { type: 'ref/prompt' as const, name: `${server}_greet` }
      expect(await agent.complete(ref, { name: 'language', value: 'e' })).toEqual(['english', 'estonian'])
    })

    it('hears of progress, step by step', async () => {
      // Not until its end: what a client reads in one piece with the result the SDKs may overlook. That all steps come
      // before it is tested by the bytes elsewhere.
      const steps: number[] = []
      const controller = new AbortController()
      const onprogress = ({ progress }: { progress: number }) => {
        if (steps.push(progress) === 5) controller.abort('heard enough')
      }
      const heeding = server === 'old' ? 'patient' : server
      const options = { onprogress, signal: controller.signal }
      await expect(agent.call(`${heeding}_slow`, { ms: 60_000, steps: 6_000 }, options)).rejects.toThrow()
      expect(steps.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
    })

    it('cancels a call as far as the server', async () => {
      const cancelled = server === 'old' ? 'patient' : server
      const journal = await watchJournal(bench.journal(cancelled))
      const controller = new AbortController()
      const call = agent.call(`${cancelled}_slow`, { ms: 120_000, steps: 1 }, { signal: controller.signal })
      const received = await journal.waitFor(isCallOf('slow'))
      controller.abort('changed my mind')
      await expect(call).rejects.toThrow()
      await journal.waitFor(isCancelOf(received))
    })

    it.each([
      ['elicitation', { action: 'accept', content: { answer: `${name} elicited` } }],
      ['sampling', { role: 'assistant', content: { text: `${name} sampled` } }],
      ['roots', { roots: [{ uri: `file:///${name}` }] }],
    ])('answers what it is asked back: %s', async (kind, answer) => {
      const result = await agent.call(`${server}_ask`, { kind, message: `for ${name}` })
      expect(result.structuredContent).toMatchObject({ answers: [answer] })
      expect(agent.questions.at(-1)).toBe(kind === 'roots' ? 'roots' : `for ${name}`)
    })
  })
})
