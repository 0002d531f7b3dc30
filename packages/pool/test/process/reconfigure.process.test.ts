/** A new configuration touches only what changed in it; one that is wrong touches nothing. */
import { catchRejection, isAlive, textOf, waitForJournal } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()

test('only the changed server is restarted, the removed one ends, the new one starts, the rest is not touched', async () => {
  const [kept, changed] = [bench.stdio('kept'), bench.stdio('changed')]
  const [removed, added] = [bench.stdio('removed'), bench.stdio('added')]
  const { pool, status, states, reached } = bench.open({ mcpServers: { kept, changed, removed } })
  pool.start()
  await pool.ready()
  const before = Object.fromEntries(pool.status().map(({ name, pid = 0 }) => [name, pid]))
  const inFlight = pool.call('kept_slow', { ms: 400 })

  await pool.reconfigure({ mcpServers: { kept, changed: { ...changed, env: { FIXTURE_COLOUR: 'blue' } }, added } })
  await reached('changed', 'ready', 2)
  await reached('added', 'ready')

  expect(status('kept').pid).toBe(before.kept)
  expect(states('kept')).toEqual(['starting', 'ready'])
  expect(textOf(await inFlight)).toBe('slept 400 ms')
  expect(status('changed').pid).not.toBe(before.changed)
  expect(textOf(await pool.call('changed_env'))).toContain('FIXTURE_COLOUR')
  expect(await isAlive(before.changed ?? 0)).toBe(false)
  expect(await isAlive(before.removed ?? 0)).toBe(false)
  expect(pool.status().map(({ name }) => name)).toEqual(['kept', 'changed', 'added'])
  expect(pool.tools().some(({ name }) => name.startsWith('removed_'))).toBe(false)
  expect((await catchRejection(pool.call('removed_echo', { text: 'x' }))).code).toBe('unknown_tool')
  expect(textOf(await pool.call('added_echo', { text: 'new' }))).toBe('new')
  for (const [name, starts] of Object.entries({ kept: 1, changed: 2, removed: 1, added: 1 })) {
    expect(await bench.entries(name, 'start')).toHaveLength(starts)
  }
})

test('an invalid configuration is refused whole: every server goes on as it was', async () => {
  const a = bench.stdio('a')
  const { pool, status, states } = bench.open({ mcpServers: { a, b: bench.stdio('b') } })
  pool.start()
  await pool.ready()
  const before = [status('a').pid, status('b').pid]
  const wrong = { mcpServers: { a, b: { ...bench.stdio('b'), timeout: 'soon' } } }
  const failure = await catchRejection(pool.reconfigure(wrong))
  expect(failure.code).toBe('invalid_configuration')
  expect(failure.message).toContain('timeout')
  expect([status('a').pid, status('b').pid]).toEqual(before)
  expect([...states('a'), ...states('b')]).toEqual(['starting', 'ready', 'starting', 'ready'])
  expect(textOf(await pool.call('b_echo', { text: 'on' }))).toBe('on')
})

test('disabling a server ends it, enabling it starts it again', async () => {
  const a = bench.stdio('a')
  const { pool, status } = bench.open({ mcpServers: { a } })
  pool.start()
  await pool.ready()
  const { pid = 0 } = status('a')
  await pool.reconfigure({ mcpServers: { a: { ...a, enabled: false } } })
  expect(await isAlive(pid)).toBe(false)
  expect(status('a').state).toBe('disabled')
  expect(pool.tools()).toEqual([])
  await pool.reconfigure({ mcpServers: { a } })
  expect(textOf(await pool.call('a_echo', { text: 'on' }))).toBe('on')
  expect(await bench.entries('a', 'start')).toHaveLength(2)
})

test('a call in flight to a changed server is told that its server was stopped', async () => {
  const a = bench.stdio('a')
  const { pool } = bench.open({ mcpServers: { a } })
  pool.start()
  await pool.ready()
  const call = catchRejection(pool.call('a_hang'))
  await waitForJournal(bench.journal('a'), ({ message }) => message?.params?.name === 'hang')
  await pool.reconfigure({ mcpServers: { a: { ...a, timeout: '90s' } } })
  expect(await call).toMatchObject({ code: 'shutting_down', executed: 'unknown' })
  expect(textOf(await pool.call('a_echo', { text: 'new' }))).toBe('new')
})

test('reconfiguring a pool that was not started starts nothing', async () => {
  const { pool } = bench.open({ mcpServers: { a: bench.stdio('a') } })
  await pool.reconfigure({ mcpServers: { b: bench.stdio('b') } })
  expect(pool.status().map(({ name, state }) => [name, state])).toEqual([['b', 'idle']])
  expect([...(await bench.entries('a')), ...(await bench.entries('b'))]).toEqual([])
})
