/** Switchboard's own tools are a provider like any other, but must change nothing for the servers beside them. */
import { describe, expect, it } from 'vitest'
import { View } from '../../src/router/view.ts'
import { listTools } from '../../src/search/search-tools.ts'
import { FakeProvider, tool } from '../helpers/fake-provider.ts'
import { askModern, createHarness, resultOf } from '../helpers/gateway-harness.ts'

const own = new FakeProvider('switchboard', {
  naming: { prefix: false },
  catalog: { tools: [tool('mode_get_instructions'), tool('switchboard_status')] },
})
const files = new FakeProvider('files', {
  catalog: { tools: [tool('read')], instructions: 'Read.', cache: { ttlMs: 5_000, cacheScope: 'public' } },
})
const namesOf = (view: View) => view.tools.map(({ name }) => name)

describe("Switchboard's own tools", () => {
  it('are listed in a profile that names its servers, behind theirs', () => {
    const view = new View({ name: 'small', providers: ['files'] }, [files, own])
    expect(namesOf(view)).toEqual(['files_read', 'mode_get_instructions', 'switchboard_status'])
  })

  it('can be left out by a profile like any tool', () => {
    expect(namesOf(new View({ name: 'p', tools: { deny: ['mode_*'] } }, [files, own]))).not.toContain(
      'mode_get_instructions',
    )
    const strict = new View({ name: 'p', tools: { allow: ['files_*'] } }, [files, own])
    expect(namesOf(strict)).toEqual(['files_read'])
    expect(strict.findTool('switchboard_status')).toBe('denied')
    expect(strict.exposeTool('switchboard', 'mode_get_instructions')).toBeUndefined()
  })

  it('leave the instructions of the one server as they are', () => {
    expect(new View({ name: 'default' }, [files, own]).instructions).toBe('Read.')
  })

  it('do not change how long a list may be kept', async () => {
    const { gateway } = createHarness([files, own])
    const list = await resultOf(askModern(gateway, 'tools/list'))
    expect(list).toMatchObject({ ttlMs: 5_000, cacheScope: 'public' })
  })

  it('hide behind a search, but for those that are pinned', () => {
    const view = new View({ name: 'find', search: true, pinned: ['mode_get_instructions'] }, [files, own])
    const names = listTools(view).map(({ name }) => name)
    expect(names).toEqual(['tool_search', 'tool_describe', 'tool_call', 'mode_get_instructions'])
  })
})
