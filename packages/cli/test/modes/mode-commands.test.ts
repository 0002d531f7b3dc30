import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

const ME = 'tt79-6f854d'
const CONFIG = {
  modes: {
    review: { description: 'Reads, changes nothing', tools: { allow: ['files_read*'] }, writable: [] },
    work: { description: 'Changes the workspace', writable: [`\${workspace}`], approval: 'person' as const },
  },
}

let home: TestHome
beforeEach(async () => {
  home = await TestHome.create(CONFIG)
})
afterEach(async () => {
  await home[Symbol.asyncDispose]()
})

async function activate(instance: string): Promise<void> {
  await mkdir(home.file('modes'), { recursive: true })
  const blank = { mode: null, instance_id: instance, cleared_at: '2026-03-10T12:00:00.000Z', set_by: 'activation' }
  await writeFile(home.file('modes', `agent_mode_${instance}.json`), JSON.stringify(blank))
}

describe('mode list', () => {
  test('shows what is configured', async () => {
    expect((await home.run(['mode', 'list'])).out).toMatchInlineSnapshot(`
      "MODE    APPROVAL  TOOLS        WRITABLE      DESCRIPTION
      review  –         files_read*  nowhere       Reads, changes nothing
      work    a person  all          \${workspace}  Changes the workspace
      "
    `)
    expect(JSON.parse((await home.run(['mode', 'list', '--json'])).out)).toMatchObject({
      modes: [
        { name: 'review', writable: [] },
        { name: 'work', approval: 'person' },
      ],
      modeForHttp: null,
    })
  })

  test('says so where there are none', async () => {
    await home.configure({})
    expect((await home.run(['mode', 'list'])).out).toContain('No modes are configured: nothing is asked of agents.')
  })
})

describe('mode set, show and clear', () => {
  test('write the file of that window, and show it', async () => {
    await activate(ME)
    await activate('u0a1-9c33e1')
    expect(await home.run(['mode', 'set', ME, 'work'])).toEqual({
      code: 0,
      out: `${ME}: no mode → work. It holds from its next call on.\n`,
      err: '',
    })
    expect(JSON.parse(await readFile(home.file('modes', `agent_mode_${ME}.json`), 'utf8'))).toMatchObject({
      mode: 'work',
      instance_id: ME,
      set_by: 'person',
    })
    const { out } = await home.run(['mode', 'show'])
    expect(out).toMatch(new RegExp(`${ME} +work +a person`))
    expect(out).toMatch(/u0a1-9c33e1 +– +– +2026-03-10 12:00/)
    expect((await home.run(['mode', 'clear', ME])).out).toBe(
      `${ME}: work → no mode. Its agent has to declare one again.\n`,
    )
    expect(JSON.parse((await home.run(['mode', 'show', ME, '--json'])).out)).toMatchObject({
      instances: [{ instance: ME, mode: null, setBy: 'person', clearedAt: expect.any(String) }],
    })
  })

  test('say what is unknown, with the nearest', async () => {
    await activate(ME)
    const unknownMode = await home.run(['mode', 'set', ME, 'reveiw'])
    expect(unknownMode.code).toBe(2)
    expect(unknownMode.err).toContain(
      'error: No mode is named "reveiw"\nhint:  Did you mean "review"? The modes are: review, work.',
    )
    const unknownWindow = await home.run(['mode', 'set', 'tt79-6f854e', 'review'])
    expect(unknownWindow.code).toBe(2)
    expect(unknownWindow.err).toContain(`error: No window has the id tt79-6f854e.\nhint:  Did you mean "${ME}"?`)
    expect((await home.run(['mode', 'clear', '../../etc'])).err).toContain('"../../etc" is no instance id.')
    expect((await home.run(['mode', 'show', 'aaaa-000001'])).code).toBe(2)
  })

  test('show nothing where no window came up', async () => {
    expect(await home.run(['mode', 'show'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('No window has a mode file.'),
    })
  })

  test('need a configuration that can be read', async () => {
    await home.configure('{ "modes": { "x": {} } }')
    const { code, err } = await home.run(['mode', 'set', ME, 'x'])
    expect(code).toBe(64)
    expect(err).toContain('modes.x: the key "description" is missing')
  })
})
