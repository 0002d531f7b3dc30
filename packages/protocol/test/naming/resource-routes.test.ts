import { createResourceRoutes } from '@switchboard/protocol/naming'
import { describe, expect, it } from 'vitest'

const provider = (name: string, uris: string[], templates: string[] = []) => ({ name, uris, templates })

describe('createResourceRoutes', () => {
  it('passes URIs unchanged and remembers who listed them', () => {
    const routes = createResourceRoutes([provider('fs', ['file:///a']), provider('db', ['db://users'])])
    expect(routes.toExposed('fs', 'file:///a')).toBe('file:///a')
    expect(routes.toRoute('db://users')).toEqual({ provider: 'db', uri: 'db://users' })
    expect(routes.toRoute('file:///unlisted')).toBeUndefined()
  })

  it('gives a URI that two list to the first, and names the other in its own', () => {
    const routes = createResourceRoutes([provider('a', ['x:same']), provider('b', ['x:same'])])
    expect(routes.toExposed('a', 'x:same')).toBe('x:same')
    expect(routes.toExposed('b', 'x:same')).toBe('switchboard+b:x:same')
    expect(routes.toRoute('x:same')).toEqual({ provider: 'a', uri: 'x:same' })
    expect(routes.toRoute('switchboard+b:x:same')).toEqual({ provider: 'b', uri: 'x:same' })
  })

  it('routes every exposed URI back to where it came from', () => {
    const uris = ['x:same', 'file:///a b', 'weird:{not a template}', 'switchboard+a:x:same', 'multi\nline:1']
    const providers = ['a', 'b', 'c'].map((name) => provider(name, [...uris, `own:${name}`]))
    const routes = createResourceRoutes(providers)
    for (const { name, uris: own } of providers) {
      for (const uri of own) expect(routes.toRoute(routes.toExposed(name, uri))).toEqual({ provider: name, uri })
    }
  })

  it('does not believe a qualified URI that names nobody', () => {
    const routes = createResourceRoutes([provider('a', ['x:1'])])
    expect(routes.toRoute('switchboard+ghost:x:1')).toBeUndefined()
  })

  it('prefers a listed URI over a template of a server before it', () => {
    const routes = createResourceRoutes([provider('a', [], ['db://{table}']), provider('b', ['db://users'])])
    expect(routes.toRoute('db://users')).toEqual({ provider: 'b', uri: 'db://users' })
    expect(routes.toRoute('db://orders')).toEqual({ provider: 'a', uri: 'db://orders' })
  })

  it.each([
    ['file:///{name}', 'file:///a.txt', true],
    ['file:///{name}', 'file:///a/b.txt', false],
    ['file:///{name}', 'file:///', false],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['file://{/path*}', 'file:///a/b', true],
    ['db://{table}/row/{id}', 'db://users/row/7', true],
    ['db://{table}/row/{id}', 'db://users/col/7', false],
    ['search://q{?text,limit}', 'search://q?text=a&limit=3', true],
    ['search://q{?text}', 'search://q', true],
    ['search://q{?text}', 'search://question', false],
    ['a.b+c://{x}', 'aXb+c://1', false],
    ['a.b+c://{x}', 'a.b+c://1', true],
    ['plain://no-variable', 'plain://no-variable', true],
    ['x://{a}-{b}', 'x://1-2-3', true],
    ['x://{a}-{b}', 'x://12-', false],
    ['x://{+a}/end', 'x://1/end/2/end', true],
    ['x://{+a}/end', 'x://1/end/2', false],
    ['x://{+a}{?q}#{b}', 'x://1/2?q=3#4', true],
    ['x://q{?a}{&b}', 'x://q?a=1&b=2', true],
    ['x://q{?a}', 'x://q?a=1#2', false],
    ['x://{a}', 'x://ünï\n😀', true],
  ])('matches the template %s with %s: %s', (template, uri, fits) => {
    const routes = createResourceRoutes([provider('t', [], [template])])
    expect(routes.toRoute(uri)).toEqual(fits ? { provider: 't', uri } : undefined)
  })

  it('asks the templates in the order of the configuration', () => {
    const routes = createResourceRoutes([provider('a', [], ['x://{+any}']), provider('b', [], ['x://special/{n}'])])
    expect(routes.toRoute('x://special/1')).toMatchObject({ provider: 'a' })
  })

  it('takes no longer for a URI that nearly fits in many ways', () => {
    const routes = createResourceRoutes([provider('a', [], [`x://${'{+a}/of/'.repeat(12)}end`])])
    expect(routes.toRoute(`x://${'/of/'.repeat(2_000)}`)).toBeUndefined()
    expect(routes.toRoute(`x://${'/of/'.repeat(2_000)}end`)).toMatchObject({ provider: 'a' })
  })

  it('survives templates that are none', () => {
    const routes = createResourceRoutes([provider('a', [], ['{', '}{', '{}', '(((', 'x://{a}{b}{c*}', ''])])
    expect(routes.toRoute('x://abc')).toEqual({ provider: 'a', uri: 'x://abc' })
  })

  it.each(['{+x}', '{scheme}://items/{id}', 'f{+x}', '{+x}:{y}', ''])(
    'lets the template %j take in nothing but what is asked of its own server',
    (template) => {
      const routes = createResourceRoutes([
        provider('evil', [], [template]),
        provider('good', ['db://listed'], ['db://items/{id}']),
      ])
      expect(routes.toRoute('db://items/1')).toEqual({ provider: 'good', uri: 'db://items/1' })
      expect(routes.toRoute('file:///etc/passwd')).toBeUndefined()
      expect(routes.toExposed('good', 'db://unlisted')).toBe('db://unlisted')
      expect(routes.toExposedTemplate('evil', template)).toBe(`switchboard+evil:${template}`)
      expect(routes.toRoute('switchboard+evil:file:///a')).toEqual({ provider: 'evil', uri: 'file:///a' })
    },
  )

  it('does not let a server list what says that it is of another', () => {
    const mine = 'switchboard+good:db://same'
    const routes = createResourceRoutes([
      provider('evil', ['db://same', mine], ['switchboard+good:{+x}']),
      provider('good', ['db://same']),
    ])
    expect(routes.toRoute(mine)).toEqual({ provider: 'good', uri: 'db://same' })
    expect(routes.toExposed('good', 'db://same')).toBe(mine)
    expect(routes.toExposed('evil', mine)).toBe(`switchboard+evil:${mine}`)
    expect(routes.toRoute(`switchboard+evil:${mine}`)).toEqual({ provider: 'evil', uri: mine })
    expect(routes.toExposedTemplate('evil', 'switchboard+good:{+x}')).toBe('switchboard+evil:switchboard+good:{+x}')
  })

  it('gives up a URI that costs too many looks at templates', () => {
    const templates = Array.from({ length: 500 }, (_, at) => `x:${'{+a}/'.repeat(15)}${at}`)
    const routes = createResourceRoutes([provider('evil', [], templates), provider('good', [], ['y:{+a}', 'x:{+a}'])])
    expect(routes.toRoute(`x:${'/'.repeat(8_000)}`)).toBeUndefined()
    expect(routes.toRoute('x:a')).toEqual({ provider: 'good', uri: 'x:a' })
    expect(routes.toRoute(`y:${'/'.repeat(8_000)}`)).toMatchObject({ provider: 'good' })
  })

  it('looks at a template of many pieces, and at a URI of many characters, not at all', () => {
    const routes = createResourceRoutes([provider('a', [], [`x:${'{a}/'.repeat(50)}`, 'y:{+a}'])])
    expect(routes.toRoute(`x:${'a/'.repeat(50)}`)).toBeUndefined()
    expect(routes.toRoute(`y:${'a'.repeat(1_000_000)}`)).toBeUndefined()
    expect(routes.toRoute('y:a')).toEqual({ provider: 'a', uri: 'y:a' })
  })
})
