import { describe, expect, it } from 'vitest'
import type { Profile } from '../../src/router/profile.ts'
import { View } from '../../src/router/view.ts'
import { createUnlistedToolError } from '../../src/unknown-names.ts'
import { FakeProvider, prompt, tool } from '../helpers/fake-provider.ts'

const DEFAULT: Profile = { name: 'default' }
const held = { tools: new Map([['read', 'its description changed']]), prompts: new Map([['ask', 'it is new']]) }

const files = new FakeProvider('files', { catalog: { tools: [tool('write')], prompts: [prompt('tell')], held } })

describe('a tool that is held back', () => {
  it('is in no list, and says why it is not', () => {
    const view = new View(DEFAULT, [files])
    expect(view.tools.map(({ name }) => name)).toEqual(['files_write'])
    expect(view.tool('files_read')).toBeUndefined()
    expect(view.describeTool('files_read')).toBeUndefined()
    expect(view.findTool('files_read')).toBe('held')
    expect(createUnlistedToolError(view, 'files_read')).toMatchObject({
      code: 'definition_held',
      executed: false,
      message: 'The tool read of files is held back: its description changed',
      details: { server: 'files', tool: 'read' },
    })
    expect(createUnlistedToolError(view, 'files_none').code).toBe('unknown_tool')
  })

  it('keeps its name: no other server gets it meanwhile', () => {
    const thief = new FakeProvider('thief', { catalog: { tools: [tool('files_read')] }, naming: { prefix: false } })
    const view = new View(DEFAULT, [files, thief])
    expect(view.findTool('files_read')).toBe('held')
    expect(view.tools.map(({ name }) => name)).not.toContain('files_read')
    expect(view.exposeTool('thief', 'files_read')).toBeDefined()
  })

  it('is told only where the profile would list it', () => {
    const without: Profile = { name: 'x', tools: { deny: ['files_read'] } }
    expect(new View(without, [files]).findTool('files_read')).toBe('denied')
    const others = new FakeProvider('other', { catalog: { tools: [tool('x')] } })
    expect(new View({ name: 'x', providers: ['other'] }, [files, others]).findTool('files_read')).toBe('denied')
  })

  it('is named in the instructions, with how many there are', () => {
    const view = new View(DEFAULT, [files])
    expect(view.instructions).toBe(
      'Held back until the user accepts what changed in them: 2 of files (tools or prompts). `switchboard trust list` shows the user why.',
    )
    const speaking = new FakeProvider('more', { catalog: { tools: [tool('x')], instructions: 'Be kind.'.repeat(500) } })
    const joined = new View(DEFAULT, [files, speaking]).instructions
    expect(joined).toContain('2 of files')
    expect(joined.length).toBeLessThanOrEqual(2_002)
  })

  it('leads to its server by the name of a prompt, which refuses it', () => {
    const view = new View(DEFAULT, [files])
    expect(view.prompts.map(({ name }) => name)).toEqual(['files_tell'])
    expect(view.findPrompt('files_ask')).toEqual({ provider: files, own: 'ask' })
  })
})
