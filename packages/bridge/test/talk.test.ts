import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createTemporaryDirectory, waitFor } from '@switchboard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type BridgeDialogue, BridgeHost, talkToBridge } from '../src/index.ts'
import { bridgePaths } from '../src/layout.ts'

const INSTANCE = 'tt79-6f854d'

async function open(dialogue: BridgeDialogue, scripts = {}) {
  const directory = await createTemporaryDirectory('switchboard-bridge-')
  onTestFinished(() => directory.remove())
  const host = new BridgeHost({ workspace: directory.path, instance: INSTANCE, scripts, dialogues: { talk: dialogue } })
  host.start()
  onTestFinished(() => host.close())
  const heard: unknown[] = []
  const abort = new AbortController()
  const begin = () =>
    talkToBridge({
      workspace: directory.path,
      instance: INSTANCE,
      scriptName: 'talk',
      params: {},
      timeout: 60_000,
      signal: abort.signal,
      onMessage: (message) => heard.push(message),
    })
  const jobs = () => readdirSync(bridgePaths(directory.path).execute)
  const files = () => jobs().flatMap((job) => readdirSync(join(bridgePaths(directory.path).execute, job)))
  return { begin, heard, abort, jobs, files }
}

/** Says back what it hears, until it hears that it is over. */
const echo: BridgeDialogue = (_params, signal, channel) =>
  new Promise((resolve, reject) => {
    let count = 0
    signal.addEventListener('abort', () => reject(signal.reason))
    channel.onMessage = (message) => {
      if (message === 'over') return resolve({ count })
      count++
      channel.send({ heard: message })
    }
  })

describe('a command that talks while it runs', () => {
  test('hears everything once, in order, and is heard to its last word', async () => {
    const { begin, heard, jobs } = await open(echo)
    const talk = await begin()
    const said = Array.from({ length: 2_000 }, (_, index) => `${index} ä`)
    for (const word of said) talk.send(word)
    talk.send('over')
    expect(await talk.ended).toEqual({ count: said.length })
    expect(heard).toEqual(said.map((word) => ({ heard: word })))
    expect(jobs()).toEqual([])
  })

  test('leaves no heap behind of what was said long ago', async () => {
    const { begin, heard, files } = await open(echo)
    const talk = await begin()
    const long = 'x'.repeat(1024 * 1024)
    for (let turn = 0; turn < 12; turn++) {
      talk.send(long)
      await waitFor(() => heard.length === turn + 1, { what: 'the echo' })
    }
    expect(files().filter((name) => name.endsWith('.ndjson')).length).toBeLessThanOrEqual(4)
    talk.send('over')
    await talk.ended
  })

  test('is told when nobody listens any more, and takes no place of other commands', async () => {
    const stopped: unknown[] = []
    let begun = 0
    const { begin, abort } = await open((_params, signal) => {
      begun++
      signal.addEventListener('abort', () => stopped.push(signal.reason.code))
      return new Promise(() => undefined)
    })
    const talks = await Promise.all(Array.from({ length: 20 }, begin))
    // One that is given up before the window has taken it is never begun.
    await waitFor(() => begun === 20, { what: 'the beginning of all' })
    abort.abort(new Error('enough'))
    for (const { ended } of talks) await expect(ended).rejects.toThrow('enough')
    await waitFor(() => stopped.length === 20, { what: 'the end of all' })
    expect(new Set(stopped)).toEqual(new Set(['E_CANCELLED']))
  })
})
