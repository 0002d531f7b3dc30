import type { CatalogPart, JsonObject } from '@switchboard/protocol'
import { catchRejection, createCall, waitFor } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type MemoryBench, openMemoryBench } from '../helpers/memory-bench.ts'

const TEXT = {
  description: 'Puts it onto the test machines',
  content: 'Push, then wait.',
  version: '1.0.0',
  author: 'ada',
  category: 'release',
}

let bench: MemoryBench
beforeAll(async () => {
  bench = await openMemoryBench()
})
afterAll(() => bench[Symbol.asyncDispose]())

const create = async (name: string, rest: JsonObject = {}) => {
  const { data, text, isError } = await bench.call('skill_create', { ...TEXT, name, ...rest })
  expect(isError, text).toBe(false)
  return data
}
const ask = (method: string, params: JsonObject) => bench.pack.provider.request(method, params, createCall())

describe('skill_create', () => {
  it('makes a skill that is a prompt and a resource at once, and tells so', async () => {
    const heard: (readonly CatalogPart[])[] = []
    const subscription = bench.pack.provider.onCatalogChange((parts) => heard.push(parts))
    const { data, text } = await bench.call('skill_create', { ...TEXT, name: 'Deploy to Staging', tags: ['ci'] })
    subscription.dispose()
    expect(data).toMatchObject({ name: 'deploy-to-staging', version: '1.0.0', tokenCount: 4 })
    expect(text).toContain(`deploy-to-staging 1.0.0, id ${data.id}`)
    expect(heard).toEqual([['prompts', 'resources']])
    const { prompts, resources } = bench.pack.provider.catalog()
    expect(prompts).toContainEqual({
      name: 'deploy-to-staging',
      title: 'Deploy to Staging',
      description: TEXT.description,
    })
    expect(resources).toContainEqual(expect.objectContaining({ uri: 'skill://deploy-to-staging/SKILL.md' }))
    expect(await ask('prompts/get', { name: 'deploy-to-staging' })).toMatchObject({
      messages: [{ role: 'user', content: { type: 'text', text: 'Push, then wait.' } }],
    })
  })

  it('refuses a name that is taken, however it is written, with the id of the one that has it', async () => {
    const { id } = await create('Taken name')
    const { code, text } = await bench.call('skill_create', { ...TEXT, name: 'taken_NAME' })
    expect(code).toBe('E_SKILL_EXISTS')
    expect(text).toContain(String(id))
    expect(text).toContain('skill_update')
  })

  it('lets one of two that come at once have a name', async () => {
    const both = await Promise.all([1, 2].map(() => bench.call('skill_create', { ...TEXT, name: 'At once' })))
    expect(both.map(({ code }) => code).sort()).toEqual(['', 'E_SKILL_EXISTS'])
  })

  it.each([
    [{ version: '1.0' }, 'E_SKILL_VERSION_INVALID'],
    [{ name: '漢字' }, 'E_SKILL_NAME_INVALID'],
    [{ name: '' }, 'invalid_arguments'],
    [{ content: 'x'.repeat(50_001) }, 'invalid_arguments'],
    [{ description: 'x'.repeat(2_001) }, 'invalid_arguments'],
    [{ name: 'x'.repeat(201) }, 'invalid_arguments'],
    [{ tags: Array.from({ length: 21 }, (_, at) => `t${at}`) }, 'invalid_arguments'],
    [{ tags: ['x'.repeat(51)] }, 'invalid_arguments'],
    [{ author: undefined }, 'invalid_arguments'],
  ])('refuses %o with %s', async (wrong, wanted) => {
    expect((await bench.call('skill_create', { name: 'Wrong', ...TEXT, ...wrong })).code).toBe(wanted)
  })
})

describe('skill_search', () => {
  it('finds by what a skill is for and by what it says, and tells how to get it', async () => {
    await create('Rotate certificates', {
      description: 'Renews the TLS certificates',
      content: 'Use certbot-gadget.',
      category: 'ops',
      tags: ['tls'],
    })
    const byWord = await bench.call('skill_search', { query: 'renew certificate' })
    expect(byWord.data.results).toMatchObject([
      { name: 'rotate-certificates', content: 'Use certbot-gadget.', matched: 'text', successRate: null },
    ])
    expect(byWord.text).toMatch(/^rotate-certificates 1\.0\.0 \[ops\] Renews .*\(not used yet\)\nskill_apply/)
    for (const filter of [{ category: 'ops' }, { tags: ['tls'] }]) {
      const { data } = await bench.call('skill_search', { query: 'certbot-gadget', ...filter })
      expect(data.results).toMatchObject([{ name: 'rotate-certificates' }])
    }
  })

  it('says why there is nothing', async () => {
    const nothing = await bench.call('skill_search', { query: 'zzzqqq' })
    expect(nothing.data.results).toEqual([])
    expect(nothing.text).toMatch(/^None of \d+ skills has any of these words/)
    const filtered = await bench.call('skill_search', { query: 'certificates', category: 'nonsense' })
    expect(filtered.text).toContain('Categories: ')
    await using empty = await openMemoryBench()
    expect((await empty.call('skill_search', { query: 'x' })).text).toContain('No skill was made yet')
  })

  it('takes the syntax of a query language as words', async () => {
    for (const query of ['" OR 1=1 --', 'NEAR(', 'name:*', "'; DROP TABLE skills"]) {
      expect((await bench.call('skill_search', { query })).isError, query).toBe(false)
    }
  })
})

describe('skill_list', () => {
  it('lists without content, in the order that is asked for, page by page', async () => {
    await using own = await openMemoryBench()
    for (const name of ['a', 'b', 'c'])
      await own.call('skill_create', { ...TEXT, name, category: name === 'c' ? 'ops' : 'release' })
    for (const _use of [1, 2]) await own.call('skill_apply', { id: 'b' })
    const used = await own.call('skill_list', { sortBy: 'usageCount', limit: 1 })
    expect(used.data).toMatchObject({ skills: [{ name: 'b', usageCount: 2 }], total: 3, limit: 1, offset: 0 })
    expect(JSON.stringify(used.data)).not.toContain(TEXT.content)
    expect(used.text).toContain('2 more: offset 1.')
    expect((await own.call('skill_list', { category: 'ops' })).data).toMatchObject({
      skills: [{ name: 'c' }],
      total: 1,
    })
    expect((await own.call('skill_list', { offset: 5 })).text).toContain('None of 3 skills')
  })

  it('lists one with its versions', async () => {
    await create('Versioned')
    await bench.call('skill_update', { id: 'versioned', content: 'second', version: '1.1.0' })
    await bench.call('skill_update', { id: 'versioned', content: 'third', version: '2.0.0' })
    const { data, text } = await bench.call('skill_list', { id: 'versioned' })
    expect(data.versions).toMatchObject([{ version: '1.1.0' }, { version: '1.0.0' }])
    expect(text).toContain('1.1.0, 1.0.0')
    expect((await bench.call('skill_list', { id: 'versoined' })).text).toContain('Did you mean versioned?')
  })
})

describe('skill_update', () => {
  it('wants a higher version for another content, and keeps the one before', async () => {
    const { id } = await create('Changing')
    const same = await bench.call('skill_update', { id: String(id), content: 'another' })
    expect(same).toMatchObject({ code: 'E_SKILL_VERSION_INVALID' })
    expect(same.text).toContain('such as 1.0.1')
    for (const version of ['0.9.0', '1.0.0-rc.1', '1.0.0', 'x']) {
      const { code } = await bench.call('skill_update', { id: String(id), content: 'another', version })
      expect(code, version).toBe('E_SKILL_VERSION_INVALID')
    }
    const { data, text } = await bench.call('skill_update', { id: String(id), content: 'another', version: '1.0.1' })
    expect(data).toMatchObject({ id, name: 'changing', version: '1.0.1' })
    expect(text).toContain('Version 1.0.0 is kept')
    const old = await bench.call('skill_apply', { id: String(id), version: '1.0.0' })
    expect(old.data).toMatchObject({ content: TEXT.content, version: '1.0.0' })
    expect((await bench.call('skill_apply', { id: String(id) })).data).toMatchObject({ content: 'another' })
    const unknown = await bench.call('skill_apply', { id: String(id), version: '7.0.0' })
    expect(unknown.text).toContain('no version 7.0.0, but 1.0.1, 1.0.0')
  })

  it('needs no version where the content stays, and never lets one fall', async () => {
    await create('Described')
    expect((await bench.call('skill_update', { id: 'described', description: 'Better' })).data).toMatchObject({
      version: '1.0.0',
    })
    expect((await bench.call('skill_update', { id: 'described', tags: ['x'], version: '0.1.0' })).code).toBe(
      'E_SKILL_VERSION_INVALID',
    )
    expect((await bench.call('skill_update', { id: 'described' })).code).toBe('E_NOTHING_TO_CHANGE')
  })

  it('gives another name, also to its prompt, unless another has it', async () => {
    await create('Before rename')
    await create('Occupied')
    expect((await bench.call('skill_update', { id: 'before-rename', name: 'Occupied' })).code).toBe('E_SKILL_EXISTS')
    await bench.call('skill_update', { id: 'before-rename', name: 'After rename' })
    const names = bench.pack.provider.catalog().prompts.map(({ name }) => name)
    expect(names).toContain('after-rename')
    expect(names).not.toContain('before-rename')
  })

  it('of one that is not there says so', async () => {
    expect((await bench.call('skill_update', { id: 'nobody', description: 'x' })).code).toBe('E_SKILL_NOT_FOUND')
  })
})

describe('skill_apply and skill_feedback', () => {
  it('count a use once and its outcome once', async () => {
    const { id } = await create('Counted', { prerequisites: ['a token'], expectedOutcome: 'It runs.' })
    const { data, text } = await bench.call('skill_apply', { id: 'counted' })
    expect(data).toMatchObject({
      id,
      name: 'counted',
      content: TEXT.content,
      usageCount: 1,
      successRate: null,
      prerequisites: ['a token'],
    })
    expect(text).toContain(`"useId": "${data.useId}"`)
    expect(text).toContain('It needs: a token.')
    expect(text.endsWith(`\n\n${TEXT.content}`)).toBe(true)
    const useId = String(data.useId)
    expect((await bench.call('skill_feedback', { useId, success: true })).data).toMatchObject({
      usageCount: 1,
      successRate: 1,
    })
    const again = await bench.call('skill_feedback', { useId, success: false })
    expect(again).toMatchObject({ code: 'E_FEEDBACK_EXISTS' })
    const other = await bench.call('skill_apply', { id: 'counted' })
    const told = await bench.call('skill_feedback', { useId: String(other.data.useId), success: false })
    expect(told.data).toMatchObject({ usageCount: 2, successRate: 0.5 })
    expect(told.text).toBe('Noted: counted worked 1 of 2 times.')
  })

  it('lose no count when many come at once', async () => {
    await create('Busy')
    const uses = await Promise.all(Array.from({ length: 20 }, () => bench.call('skill_apply', { id: 'busy' })))
    await Promise.all(
      uses.map(({ data }, at) => bench.call('skill_feedback', { useId: String(data.useId), success: at % 2 === 0 })),
    )
    const { data } = await bench.call('skill_list', { id: 'busy' })
    expect(data.skills).toMatchObject([{ usageCount: 20, successRate: 0.5 }])
  })

  it('take no id of something else for a use', async () => {
    const { id } = await create('No use')
    for (const useId of [String(id), 'x', '../..']) {
      expect((await bench.call('skill_feedback', { useId, success: true })).code).toBe('E_USE_NOT_FOUND')
    }
  })
})

describe('skill_delete', () => {
  it('tells what is lost, and leaves nothing of it', async () => {
    const { id } = await create('Doomed')
    await bench.call('skill_update', { id: 'doomed', content: 'next', version: '2.0.0' })
    const use = await bench.call('skill_apply', { id: 'doomed' })
    const { data, text } = await bench.call('skill_delete', { id: 'doomed' })
    expect(data.id).toBe(id)
    expect(text).toBe(
      'Deleted the skill doomed 2.0.0 (4 characters) with all of its 2 versions and the count of 1 uses. This cannot be undone.',
    )
    expect(bench.pack.provider.catalog().prompts.map(({ name }) => name)).not.toContain('doomed')
    expect(await catchRejection(ask('prompts/get', { name: 'doomed' }))).toMatchObject({ code: 'unknown_prompt' })
    expect((await bench.call('skill_apply', { id: String(id) })).code).toBe('E_SKILL_NOT_FOUND')
    expect((await bench.call('skill_delete', { id: String(id) })).code).toBe('E_SKILL_NOT_FOUND')
    expect((await bench.call('skill_feedback', { useId: String(use.data.useId), success: true })).code).toBe(
      'E_SKILL_NOT_FOUND',
    )
    await create('Doomed')
    expect((await bench.call('skill_list', { id: 'doomed' })).data.versions).toEqual([])
  })
})

describe('the Skills extension', () => {
  it('lists every skill with the digest of what is read', async () => {
    const { resources, capabilities } = bench.pack.provider.catalog()
    expect(capabilities.extensions).toEqual({ 'io.modelcontextprotocol/skills': {} })
    const { skills } = (await ask('skills/list', {})) as {
      skills: { uri: string; frontmatter: JsonObject; resources: JsonObject[] }[]
    }
    expect(skills.map(({ uri }) => uri)).toEqual(resources.map(({ uri }) => uri))
    for (const skill of skills) {
      expect(await ask('skills/get', { uri: skill.uri })).toEqual({ skill })
      const { contents } = (await ask('resources/read', { uri: skill.uri })) as {
        contents: { text: string; mimeType: string }[]
      }
      const { createHash } = await import('node:crypto')
      const digest = createHash('sha256')
        .update(contents[0]?.text ?? '')
        .digest('hex')
      expect(skill.resources).toEqual([
        { uri: skill.uri, digest: `sha256:${digest}`, size: Buffer.byteLength(contents[0]?.text ?? '') },
      ])
      expect(skill.uri).toBe(`skill://${skill.frontmatter.name}/SKILL.md`)
    }
  })

  it('knows no other URI and no other method', async () => {
    expect(await catchRejection(ask('skills/get', { uri: 'skill://nobody/SKILL.md' }))).toMatchObject({
      code: 'unknown_resource',
    })
    expect(await catchRejection(ask('skills/get', {}))).toMatchObject({ code: 'unknown_resource' })
    expect(await catchRejection(ask('resources/read', { uri: 'skill://deploy/other.md' }))).toMatchObject({
      code: 'unknown_resource',
    })
    expect(await catchRejection(ask('resources/directory/read', { uri: 'skill://deploy' }))).toMatchObject({
      code: 'unknown_method',
    })
  })

  it('comes page by page where there are many', async () => {
    await using own = await openMemoryBench()
    const names = Array.from({ length: 130 }, (_, at) => `skill-${String(at).padStart(3, '0')}`)
    await Promise.all(names.map((name) => own.call('skill_create', { ...TEXT, name })))
    const list = async (params: JsonObject) =>
      (await own.pack.provider.request('skills/list', params, createCall())) as {
        skills: { frontmatter: JsonObject }[]
        nextCursor?: string
      }
    const first = await list({})
    const second = await list({ cursor: first.nextCursor })
    expect([...first.skills, ...second.skills].map(({ frontmatter }) => frontmatter.name)).toEqual(names)
    expect(second.nextCursor).toBeUndefined()
    expect((await list({ cursor: 'zzz' })).skills).toEqual([])
  })
})

it('skills of before are listed again by a pack that is opened anew', async () => {
  await using own = await openMemoryBench()
  await own.call('skill_create', { ...TEXT, name: 'Lasting' })
  await own.reopen()
  await waitFor(() => own.pack.provider.catalog().prompts.length === 1, { what: 'the prompt of before' })
  expect((await own.call('skill_apply', { id: 'lasting' })).data).toMatchObject({ content: TEXT.content })
})
