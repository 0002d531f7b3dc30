import { describe, expect, it } from 'vitest'
import type { Profile } from '../../src/router/profile.ts'
import { View } from '../../src/router/view.ts'
import { FakeProvider, prompt, resource, template, tool } from '../helpers/fake-provider.ts'

const DEFAULT: Profile = { name: 'default' }

function names(view: View): string[] {
  return view.tools.map(({ name }) => name)
}

describe('the tools of a view', () => {
  const files = new FakeProvider('files', { catalog: { tools: [tool('write'), tool('read')] } })
  const git = new FakeProvider('git', { catalog: { tools: [tool('log'), tool('read')] } })

  it('come in the order of the providers, then in each one’s own', () => {
    expect(names(new View(DEFAULT, [files, git]))).toEqual(['files_write', 'files_read', 'git_log', 'git_read'])
    expect(names(new View(DEFAULT, [git, files]))).toEqual(['git_log', 'git_read', 'files_write', 'files_read'])
  })

  it('lead back to their provider by their own name', () => {
    const view = new View(DEFAULT, [files, git])
    expect(view.findTool('git_read')).toEqual({ provider: git, own: 'read', tool: view.tool('git_read') })
    expect(view.findTool('files_read')).toEqual({ provider: files, own: 'read', tool: view.tool('files_read') })
    expect(view.findTool('read')).toBe('unknown')
    expect(view.findTool('__proto__')).toBe('unknown')
  })

  it('keep every member of their definition but the name', () => {
    const strange = { ...tool('x'), 'vendor/member': [1], _meta: { ui: { resourceUri: 'ui://x' } } }
    const view = new View(DEFAULT, [new FakeProvider('p', { catalog: { tools: [strange] } })])
    expect(view.tool('p_x')).toEqual({ ...strange, name: 'p_x' })
  })

  it('are unchanged, the very same objects, without a prefix', () => {
    const definition = tool('test.simple/tool')
    const only = new FakeProvider('p', { catalog: { tools: [definition] }, naming: { prefix: false } })
    const view = new View(DEFAULT, [only])
    expect(view.tools[0]).toBe(definition)
    expect(view.findTool('test.simple/tool')).toEqual({
      provider: only,
      own: 'test.simple/tool',
      tool: view.tool('test.simple/tool'),
    })
  })

  it('may be renamed, and are found by the new name alone', () => {
    const renamed = new FakeProvider('p', { catalog: { tools: [tool('old')] }, naming: { rename: { old: 'new' } } })
    const view = new View(DEFAULT, [renamed])
    expect(names(view)).toEqual(['p_new'])
    expect(view.findTool('p_new')).toEqual({ provider: renamed, own: 'old', tool: view.tool('p_new') })
    expect(view.findTool('p_old')).toBe('unknown')
  })

  it('may be found by an alias that is not listed, under their own name', () => {
    const pack = new FakeProvider('pack', {
      catalog: { tools: [tool('breakpoint_add')], aliases: { breakpoint_set: 'breakpoint_add' } },
    })
    const view = new View(DEFAULT, [pack, files])
    expect(names(view)).toEqual(['pack_breakpoint_add', 'files_write', 'files_read'])
    expect(view.findTool('pack_breakpoint_set')).toEqual({
      provider: pack,
      own: 'breakpoint_add',
      tool: view.tool('pack_breakpoint_add'),
    })
    expect(view.canonicalName('pack_breakpoint_set')).toBe('pack_breakpoint_add')
    expect(view.canonicalName('files_read')).toBe('files_read')
    const narrow = new View({ name: 'narrow', tools: { deny: ['pack_breakpoint_add'] } }, [pack])
    expect(narrow.findTool('pack_breakpoint_set')).toBe('denied')
  })

  it('never steal the names of a provider whose name begins with another’s', () => {
    const shell = new FakeProvider('shell', { catalog: { tools: [tool('tools_run')] } })
    const shellTools = new FakeProvider('shell_tools', { catalog: { tools: [tool('run')] } })
    const view = new View(DEFAULT, [shell, shellTools])
    expect(view.findTool('shell_tools_run')).toEqual({
      provider: shellTools,
      own: 'run',
      tool: view.tool('shell_tools_run'),
    })
    expect(new Set(names(view)).size).toBe(2)
    for (const name of names(view)) expect(view.findTool(name)).toMatchObject({ own: expect.any(String) })
  })
})

describe('a profile', () => {
  const a = new FakeProvider('a', { catalog: { tools: [tool('one'), tool('two')], prompts: [prompt('p')] } })
  const b = new FakeProvider('b', { catalog: { tools: [tool('one')], resources: [resource('r://b')] } })

  it('lists only its providers', () => {
    const view = new View({ name: 'x', providers: ['b'] }, [a, b])
    expect(names(view)).toEqual(['b_one'])
    expect(view.prompts).toEqual([])
    expect(view.findPrompt('a_p')).toBeUndefined()
    expect(view.findTool('a_one')).toBe('denied')
    expect(view.findTool('a_nothing')).toBe('unknown')
  })

  it('lists only what it allows, and what it denies never', () => {
    const view = new View({ name: 'x', tools: { allow: ['*_one'], deny: ['b_*'] } }, [a, b])
    expect(names(view)).toEqual(['a_one'])
    expect(view.findTool('a_two')).toBe('denied')
    expect(view.findTool('b_one')).toBe('denied')
    expect(view.tool('b_one')).toBeUndefined()
  })

  it('does not reach the resources of providers it does not list', () => {
    const view = new View({ name: 'x', providers: ['a'] }, [a, b])
    expect(view.resources).toEqual([])
    expect(view.findResource('r://b')).toBeUndefined()
    expect(view.findResource('switchboard+b:r://b')).toBeUndefined()
  })

  it('does not change the name of anything', () => {
    const long = tool(`${'long'.repeat(20)}_1`)
    const first = new FakeProvider('p', { catalog: { tools: [tool('a.b'), long] } })
    const second = new FakeProvider('p_a', { catalog: { tools: [tool('b')] } })
    const all = new View(DEFAULT, [first, second])
    const some = new View({ name: 'x', providers: ['p'] }, [first, second])
    expect(names(all)).toEqual(expect.arrayContaining(names(some)))
    const other = new View({ name: 'y', providers: ['p_a'] }, [first, second])
    expect(names(all)).toEqual([...names(some), ...names(other)])
  })
})

describe('resources', () => {
  const first = new FakeProvider('first', { catalog: { resources: [resource('doc://readme')] } })
  const second = new FakeProvider('second', {
    catalog: { resources: [resource('doc://readme'), resource('doc://other')] },
  })

  it('pass unchanged, and of two with one URI the second is told apart by its server', () => {
    const view = new View(DEFAULT, [first, second])
    expect(view.resources.map(({ uri }) => uri)).toEqual([
      'doc://readme',
      'switchboard+second:doc://readme',
      'doc://other',
    ])
    expect(view.findResource('doc://readme')).toEqual({ provider: first, own: 'doc://readme' })
    expect(view.findResource('switchboard+second:doc://readme')).toEqual({ provider: second, own: 'doc://readme' })
  })

  it('have the same URI in every profile', () => {
    const view = new View({ name: 'x', providers: ['second'] }, [first, second])
    expect(view.resources.map(({ uri }) => uri)).toEqual(['switchboard+second:doc://readme', 'doc://other'])
  })

  it('of skills and apps are never rewritten; the first server keeps one that two list', () => {
    const uris = ['skill://a/SKILL.md', 'ui://widget']
    const one = new FakeProvider('one', { catalog: { resources: uris.map(resource) } })
    const two = new FakeProvider('two', { catalog: { resources: uris.map(resource) } })
    const view = new View(DEFAULT, [one, two])
    expect(view.resources.map(({ uri }) => uri)).toEqual(uris)
    expect(view.findResource('ui://widget')).toEqual({ provider: one, own: 'ui://widget' })
  })

  it('that fit a template belong to the first in the profile that lists one', () => {
    const disk = new FakeProvider('disk', { catalog: { templates: [template('file:///{+path}')] } })
    const cloud = new FakeProvider('cloud', { catalog: { templates: [template('file:///{+path}')] } })
    const all = new View(DEFAULT, [disk, cloud])
    expect(all.findResource('file:///a/b')).toEqual({ provider: disk, own: 'file:///a/b' })
    expect(all.findTemplate('file:///{+path}')).toEqual({ provider: disk, own: 'file:///{+path}' })
    const some = new View({ name: 'x', providers: ['cloud'] }, [disk, cloud])
    expect(some.findResource('file:///a/b')).toEqual({ provider: cloud, own: 'file:///a/b' })
    expect(some.findTemplate('file:///{+path}')).toEqual({ provider: cloud, own: 'file:///{+path}' })
  })

  it('of a template that two list are told apart by their server, and so are the templates', () => {
    const templates = [template('file:///{+path}'), template('q://x{?a,b}'), template('skill://{name}')]
    const disk = new FakeProvider('disk', { catalog: { templates } })
    const cloud = new FakeProvider('cloud', { catalog: { templates } })
    const view = new View(DEFAULT, [disk, cloud])
    expect(view.templates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      ...['file:///{+path}', 'q://x{?a,b}', 'skill://{name}'],
      ...['switchboard+cloud:file:///{+path}', 'switchboard+cloud:q://x{?a,b}'],
    ])
    expect(view.findResource('switchboard+cloud:file:///a/b')).toEqual({ provider: cloud, own: 'file:///a/b' })
    const some = new View({ name: 'x', providers: ['cloud'] }, [disk, cloud])
    expect(some.templates).toEqual(templates)
  })

  it('that nobody lists are announced under the URI by which they were asked for', () => {
    const disk = new FakeProvider('disk', { catalog: { templates: [template('file:///{+path}')] } })
    const cloud = new FakeProvider('cloud', { catalog: { templates: [template('file:///{+path}')] } })
    const view = new View(DEFAULT, [disk, cloud])
    expect(view.exposeUri('disk', 'file:///a')).toBe('file:///a')
    expect(view.exposeUri('cloud', 'file:///a')).toBe('switchboard+cloud:file:///a')
    expect(view.exposeUri('disk', 'unlisted://x')).toBe('unlisted://x')
  })
})

describe('prompts', () => {
  it('are named after their server, and lead back', () => {
    const a = new FakeProvider('a', { catalog: { prompts: [prompt('review')] } })
    const b = new FakeProvider('b', { catalog: { prompts: [prompt('review')] }, naming: { prefix: false } })
    const view = new View(DEFAULT, [a, b])
    expect(view.prompts.map(({ name }) => name)).toEqual(['a_review', 'review'])
    expect(view.findPrompt('a_review')).toEqual({ provider: a, own: 'review' })
    expect(view.findPrompt('review')).toEqual({ provider: b, own: 'review' })
    expect(view.findPrompt('b_review')).toBeUndefined()
  })
})

describe('instructions and capabilities', () => {
  const a = new FakeProvider('a', {
    catalog: {
      instructions: ' Use a. ',
      capabilities: { tools: { listChanged: true }, extensions: { 'x/y': { deep: { one: 1 } } }, vendor: { v: 1 } },
    },
  })
  const b = new FakeProvider('b', {
    catalog: {
      instructions: 'Use b.',
      capabilities: { tools: { listChanged: false, more: 2 }, extensions: { 'x/y': { deep: { two: 2 } } } },
    },
  })
  const mute = new FakeProvider('mute')

  it('of one server pass as they are; of several each has its heading', () => {
    expect(new View(DEFAULT, [a]).instructions).toBe('Use a.')
    expect(new View(DEFAULT, [a, mute]).instructions).toBe('# a\n\nUse a.')
    expect(new View(DEFAULT, [a, b]).instructions).toBe('# a\n\nUse a.\n\n# b\n\nUse b.')
    expect(new View(DEFAULT, [mute]).instructions).toBe('')
  })

  it('are merged, and what one can do is not taken back by another', () => {
    const before = structuredClone(a.catalog().capabilities)
    expect(new View(DEFAULT, [a, b]).capabilities()).toEqual({
      tools: { listChanged: true, more: 2 },
      extensions: { 'x/y': { deep: { one: 1, two: 2 } } },
      vendor: { v: 1 },
    })
    expect(a.catalog().capabilities).toEqual(before)
  })

  it('are found by name, within the profile', () => {
    const view = new View(DEFAULT, [a, b, mute])
    expect(view.withCapability('tools')).toEqual([a, b])
    expect(view.withExtension('x/y')).toEqual([a, b])
    expect(view.withExtension('other')).toEqual([])
    expect(new View({ name: 'x', providers: ['b'] }, [a, b]).withCapability('tools')).toEqual([b])
  })
})
